import { readFile } from 'node:fs/promises'
import { AnyMap, decodedMappings, sourceContentFor, type TraceMap } from '@jridgewell/trace-mapping'
import { checkMapBytes, type SymbolEvent, sourceMapJson } from '@symup/core/resolving'
import type { WeightedCache } from './cache.ts'
import type { GeneratedPlace, GeneratedWindow, MapAnswers, MapProof, SourceShare } from './map-answers.ts'
import { readableSource } from './resolvers/javascript/source-map.ts'

export interface MapFiles {
  /** The cache key of the map. Maps with identical content have the same key. */
  key: string
  map: string
  script?: string
  bytes: number
}

/** A question about a source map, with one-based lines and columns. */
export type MapQuestion =
  | { view: 'sources' }
  | { view: 'source'; index: number }
  | { view: 'generated'; line: number; column: number }
  | { view: 'position'; index: number; line: number; column: number }
  | { view: 'proof' }

/** The maximum number of characters to show from one source. Sources in real bundles can have 600,000 characters. */
const MAX_TEXT = 16 * 1024 * 1024
/** The number of characters to show from one generated line. */
const WINDOW = 4000

/** The approximate memory usage of a parsed map, as a multiple of the size of the map and its script. */
const PARSED = 4

export interface Opened {
  open: OpenMap | undefined
}

interface OpenMap {
  map: TraceMap
  script: string[]
}

/**
 * @param opened the cache for opened maps.
 * @returns undefined if the map does not contain the answer or cannot be parsed.
 * @throws if a file cannot be read.
 */
export async function lookAtMap(
  files: MapFiles,
  question: MapQuestion,
  opened: WeightedCache<Opened>,
): Promise<MapAnswers[keyof MapAnswers] | undefined> {
  // The source map check does not use the cache, because it reads the files in chunks.
  if (question.view === 'proof') return proofOf(files)
  const { open } = await opened.load(files.key, async () => {
    const read = await readMap(files)
    return { value: { open: read }, weight: read ? PARSED * files.bytes : 0 }
  })
  if (!open) return undefined
  if (question.view === 'sources') return sourcesOf(open)
  if (question.view === 'source') return sourceOf(open, question.index)
  if (question.view === 'generated') return generatedOf(open, question.line, question.column)
  return positionOf(open, question)
}

async function readMap({ map, script }: MapFiles): Promise<OpenMap | undefined> {
  const [mapBytes, scriptBytes] = await Promise.all([
    readFile(map),
    script === undefined ? undefined : readFile(script),
  ])
  try {
    checkMapBytes(mapBytes)
    const parsed = new AnyMap(sourceMapJson(String(mapBytes)))
    const { length } = parsed.sources
    const isSound = decodedMappings(parsed).every((line) => line.every(({ 1: source = 0 }) => source < length))
    if (!isSound && length > 0) return undefined
    return { map: parsed, script: scriptBytes === undefined ? [] : String(scriptBytes).split('\n') }
  } catch {
    return undefined
  }
}

async function proofOf({ map, script }: MapFiles): Promise<MapProof | undefined> {
  if (script === undefined) return undefined
  const part = (name: string, path: string) => ({ name, filename: name, path, bytes: 0 })
  const event: SymbolEvent = {
    type: 'js_sourcemap',
    service: '',
    version: '',
    minified_url: '',
    project_path: '',
    cli_version: '',
  }
  // `@symup/core` is loaded on demand, because most threads never check a map.
  const { prove } = await import('@symup/core')
  const { positions, resolved, own, problems } = await prove([
    { event, parts: [part('source_map', map), part('minified_file', script)] },
  ])
  const tried = [...own.sources.values()].filter(({ places }) => places > 0)
  return {
    ...(tried.length > 0 ? sumOf(tried) : { places: positions, resolved }),
    problems: problems.map(({ code, message, fix }) => ({ code, message, fix })),
  }
}

function sumOf(sources: readonly { places: number; resolved: number }[]): Pick<MapProof, 'places' | 'resolved'> {
  return sources.reduce(
    (sum, { places, resolved }) => ({ places: sum.places + places, resolved: sum.resolved + resolved }),
    { places: 0, resolved: 0 },
  )
}

function sourcesOf({ map, script }: OpenMap): SourceShare[] {
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

function sourceOf({ map }: OpenMap, index: number): MapAnswers['source'] | undefined {
  const source = map.sources[index]
  if (source === undefined || source === null) return undefined
  return { name: readableSource(source), text: (sourceContentFor(map, source) ?? '').slice(0, MAX_TEXT) }
}

function generatedOf({ map, script }: OpenMap, line: number, column: number): GeneratedWindow {
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
            ...(segment.length === 5 && { name: map.names[segment[4]] }),
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

function positionOf(
  { map }: OpenMap,
  { index, line, column }: Extract<MapQuestion, { view: 'position' }>,
): GeneratedPlace | null | undefined {
  if (map.sources[index] === undefined) return undefined
  let best: { distance: number; place: GeneratedPlace } | undefined
  decodedMappings(map).forEach((segments, generatedLine) => {
    for (const [generatedColumn, source, originalLine, originalColumn] of segments) {
      if (source !== index || originalLine === undefined || originalColumn === undefined) continue
      const distance = distanceOf(originalLine + 1 - line, originalColumn + 1 - column)
      if (best && best.distance <= distance) continue
      const original = { line: originalLine + 1, column: originalColumn + 1 }
      best = { distance, place: { line: generatedLine + 1, column: generatedColumn + 1, original } }
    }
  })
  return best?.place ?? null
}

/**
 * Orders candidates from best to worst: earlier on the same line, later on the same line, on later lines, on earlier lines. On the same
 * line, earlier candidates come first because the requested position is usually inside a token.
 */
function distanceOf(lines: number, columns: number): number {
  if (lines === 0) return columns <= 0 ? -columns : MAX_COLUMNS + columns
  return lines > 0 ? 2 * MAX_COLUMNS * lines : 2 * MAX_COLUMNS * (MAX_LINES - lines)
}

const MAX_COLUMNS = 2 ** 22
const MAX_LINES = 2 ** 22
