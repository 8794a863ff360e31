import { fileNameOf, withoutQuery } from '../files/url-path.ts'
import { SEGMENT } from '../formats/source-map/mapping-decoder.ts'
import { shownSource } from './sources.ts'

/** Who lost the map of a source, as far as the bundler knows: the last transform that changed its code and gave nothing useful back. */
export interface TransformFault {
  /** Name of the plugin. */
  plugin: string
  returned: 'no map' | 'an empty map' | 'a coarse map'
  /** The bundler then drops all mappings of the source: Rollup and Rolldown do unless the map is `null`. */
  isDropped?: true
  /** Lines of what it returned, 0-based, that stood on other lines of what it was given, which no map says. */
  movedLines?: ReadonlySet<number>
}

/** By the source's absolute path, with `/`. */
export type TransformFaults = ReadonlyMap<string, TransformFault>

/** Lines of which no map says that they stood elsewhere, by the number of their source. */
export type MovedLines = ReadonlyMap<number, ReadonlySet<number>>

/** Finds out while mappings pass by which of the moved lines they lead to. The text in the map may be that of before the transform or of after it, so that it tells nothing. */
export class LinesAstray {
  readonly found = new Map<number, Set<number>>()
  readonly #moved: MovedLines

  constructor(moved: MovedLines) {
    this.#moved = moved
    for (const source of moved.keys()) this.found.set(source, new Set())
  }

  take(segments: Int32Array, count: number): void {
    for (let at = 0; at < count * SEGMENT; at += SEGMENT) {
      const line = segments[at + 3] as number
      const source = segments[at + 2] as number
      if (this.#moved.get(source)?.has(line)) this.found.get(source)?.add(line)
    }
  }
}

/** Lines of a map's sources that transforms moved, by the source; undefined where there are none. */
export function movedLinesOf(faults: TransformFaults, names: readonly string[]): MovedLines | undefined {
  const moving = [...faults].filter(([, { movedLines }]) => movedLines)
  if (moving.length === 0) return undefined
  const shown = names.map((name) => withoutQuery(shownSource(name)))
  const found = faultsOf(moving, shown)
  return new Map(
    shown.flatMap((name, source) => {
      const lines = found.get(name)?.movedLines
      return lines ? [[source, lines] as const] : []
    }),
  )
}

/** A source that a map names by where it is published. */
export const ADDRESS = /^https?:\/\//

/** What is known of sources by the names that are shown of them, without a query; nothing by one that several could mean. */
export function faultsOf(
  faults: Iterable<readonly [path: string, fault: TransformFault]>,
  names: readonly string[],
): ReadonlyMap<string, TransformFault> {
  const wanted = new Set(names.filter((name) => name !== ''))
  const files = new Set([...wanted].map(fileNameOf))
  const found = new Map<string, TransformFault>()
  const ambiguous = new Set<string>()
  for (const [path, fault] of faults) {
    if (!files.has(fileNameOf(path))) continue
    for (const name of endingsOf(path)) {
      if (!wanted.has(name)) continue
      if (found.has(name)) ambiguous.add(name)
      found.set(name, fault)
    }
  }
  for (const name of ambiguous) found.delete(name)
  return found
}

/** A path, and what stands behind each of its slashes: all names that it may be shown by. */
export function* endingsOf(path: string): Generator<string> {
  yield path
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) yield path.slice(at + 1)
}
