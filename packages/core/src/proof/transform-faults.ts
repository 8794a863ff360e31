import { fileNameOf, withoutQuery } from '../files/url-path.ts'
import { SEGMENT } from '../formats/source-map/mapping-decoder.ts'
import { shownSource } from './sources.ts'

/** The cause of a lost source map, as recorded by the bundler: the last transform that changed the code without returning a useful map. */
export interface TransformFault {
  plugin: string
  returned: 'no map' | 'an empty map' | 'a coarse map'
  /** Whether the bundler drops all mappings of the source. Some bundlers drop them unless the plugin returns `null` as the map. */
  isDropped?: true
  /** The moved lines (zero-based) in the output of a plugin that returned no map. */
  movedLines?: ReadonlySet<number>
}

/** The recorded faults, keyed by the absolute path of the source, with `/` as the separator. */
export type TransformFaults = ReadonlyMap<string, TransformFault>

/** The lines that were moved without a map, keyed by the index of their source. */
export type MovedLines = ReadonlyMap<number, ReadonlySet<number>>

/**
 * Finds the moved lines that mappings point to. The source text in the map cannot be used, because it may be the text before or after the
 * transform.
 */
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

export const ADDRESS = /^https?:\/\//

/** Returns the faults of sources, keyed by displayed name without the query string. Sources with ambiguous names are omitted. */
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

/** Yields the names under which a file may be displayed: its path, and each suffix of the path that follows a slash. */
export function* endingsOf(path: string): Generator<string> {
  yield path
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) yield path.slice(at + 1)
}
