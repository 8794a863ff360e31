import { fileNameOf, withoutQuery } from '../files/url-path.ts'
import { SEGMENT } from '../formats/source-map/mapping-decoder.ts'
import { shownSource } from './sources.ts'

/** Why a source map was lost, as far as the bundler knows: the last transform that changed the code without returning a useful map. */
export interface TransformFault {
  /** Name of the plugin. */
  plugin: string
  returned: 'no map' | 'an empty map' | 'a coarse map'
  /** The bundler drops all mappings of the source. Some bundlers do so unless the map is `null`. */
  isDropped?: true
  /** Lines of the plugin's output, 0-based, that were on other lines of its input. It returned no map for them. */
  movedLines?: ReadonlySet<number>
}

/** By the source's absolute path, `/`-separated. */
export type TransformFaults = ReadonlyMap<string, TransformFault>

/** Moved lines without a map, by source number. */
export type MovedLines = ReadonlyMap<number, ReadonlySet<number>>

/** Finds the moved lines that mappings point to. The text in the map may be from before or after the transform, so it does not help. */
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

/** Lines that transforms moved, by source; undefined if there are none. */
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

/** Matches a source name that is a published address. */
export const ADDRESS = /^https?:\/\//

/** The faults of sources by displayed name, without a query. An ambiguous name has no fault. */
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

/** A path and all its suffixes after a slash: every name under which it may be displayed. */
export function* endingsOf(path: string): Generator<string> {
  yield path
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) yield path.slice(at + 1)
}
