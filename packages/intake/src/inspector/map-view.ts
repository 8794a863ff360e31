import {
  AnyMap,
  allGeneratedPositionsFor,
  decodedMappings,
  sourceContentFor,
  type TraceMap,
} from '@jridgewell/trace-mapping'
import { sourceMapJson } from '@symup/core/internal'
import { checkMapBytes, readableSource, SharedCache } from '@symup/symbolicate'
import type { Store } from '../symbols/store/store.ts'
import type { GeneratedWindow, SourceShare } from './api.ts'

/** A larger map and script are not taken apart for looking at: it would take seconds and hundreds of megabytes. */
const MAX_BYTES = 64 * 1024 * 1024
/** Of maps and scripts that stay parsed. */
const KEPT_BYTES = 2 * MAX_BYTES
const MAX_TEXT = 400_000
/** Characters of a generated line shown at once. */
const WINDOW = 4000

interface OpenMap {
  map: TraceMap
  script: string[]
}

/** What the inspector shows of one source map; the last ones stay parsed. */
export class MapViews {
  readonly #open = new SharedCache<OpenMap | undefined>(KEPT_BYTES)
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** @returns undefined when it is no artifact with a map that can be shown. */
  async sources(id: string): Promise<SourceShare[] | undefined> {
    const open = await this.#get(id)
    if (!open) return undefined
    const { map, script } = open
    const bytes = new Array<number>(map.sources.length).fill(0)
    decodedMappings(map).forEach((segments, line) => {
      segments.forEach((segment, index) => {
        const source = segment[1]
        if (source === undefined) return
        const end = segments[index + 1]?.[0] ?? script[line]?.length ?? segment[0] + 1
        bytes[source] = (bytes[source] ?? 0) + Math.max(0, end - segment[0])
      })
    })
    return map.sources.map((source, index) => ({
      index,
      name: readableSource(source ?? ''),
      bytes: bytes[index] ?? 0,
      hasContent: source !== null && sourceContentFor(map, source) !== null,
    }))
  }

  async source(id: string, index: number): Promise<{ name: string; text: string } | undefined> {
    const open = await this.#get(id)
    const source = open?.map.sources[index]
    if (!open || source === undefined || source === null) return undefined
    return { name: readableSource(source), text: (sourceContentFor(open.map, source) ?? '').slice(0, MAX_TEXT) }
  }

  async generated(id: string, line: number, column: number): Promise<GeneratedWindow | undefined> {
    const open = await this.#get(id)
    if (!open) return undefined
    const { map, script } = open
    const wanted = Math.min(Math.max(1, line), Math.max(1, script.length))
    const text = script[wanted - 1] ?? ''
    const start = Math.max(0, Math.min(column - 1 - WINDOW / 2, text.length - WINDOW))
    const segments = (decodedMappings(map)[wanted - 1] ?? []).flatMap((segment) =>
      segment.length > 1 && segment[0] >= start && segment[0] < start + WINDOW
        ? [
            {
              column: segment[0] + 1,
              source: segment[1] as number,
              line: (segment[2] as number) + 1,
              originalColumn: (segment[3] as number) + 1,
            },
          ]
        : [],
    )
    return {
      line: wanted,
      lines: script.length,
      column: start + 1,
      lineLength: text.length,
      text: text.slice(start, start + WINDOW),
      segments,
    }
  }

  /** Where an original line ended up. */
  async positionOf(id: string, index: number, line: number): Promise<{ line: number; column: number } | undefined> {
    const open = await this.#get(id)
    const source = open?.map.sources[index]
    if (!open || !source) return undefined
    const [found] = allGeneratedPositionsFor(open.map, { source, line, column: 0, bias: 1 })
    return found?.line ? { line: found.line, column: found.column + 1 } : undefined
  }

  /** Read anew from the database each time: the same artifact may have been uploaded again. */
  async #get(id: string): Promise<OpenMap | undefined> {
    const parts = await this.#store.db
      .selectFrom('part')
      .select(['name', 'sha256', 'bytes'])
      .where('artifact_id', '=', id)
      .where('name', 'in', ['source_map', 'minified_file'])
      .execute()
    const map = parts.find(({ name }) => name === 'source_map')
    const script = parts.find(({ name }) => name === 'minified_file')
    const weight = parts.reduce((sum, { bytes }) => sum + bytes, 0)
    if (!map || weight > MAX_BYTES) return undefined
    return this.#open.get(`${map.sha256} ${script?.sha256}`, async () => ({ value: await this.#read(id), weight }))
  }

  async #read(id: string): Promise<OpenMap | undefined> {
    const [map, script] = await Promise.all(
      ['source_map', 'minified_file'].map((name) => this.#store.readPart(id, name)),
    )
    try {
      if (map) checkMapBytes(map)
      const parsed = new AnyMap(sourceMapJson(String(map)))
      const { length } = parsed.sources
      const isSound = decodedMappings(parsed).every((line) => line.every(({ 1: source = 0 }) => source < length))
      if (!isSound && length > 0) return undefined
      return {
        map: parsed,
        script: script === undefined ? [] : String(script).split('\n'),
      }
    } catch {
      return undefined
    }
  }
}
