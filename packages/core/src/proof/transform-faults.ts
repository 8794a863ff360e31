import { fileNameOf } from '../files/url-path.ts'
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
  const moving = new Map([...faults].filter(([, { movedLines }]) => movedLines))
  if (moving.size === 0) return undefined
  const files = new Set([...moving.keys()].map(fileNameOf))
  const found = names.map((name) => {
    const shown = shownSource(name).replace(QUERY, '')
    return files.has(fileNameOf(shown)) ? faultOf(moving, shown)?.movedLines : undefined
  })
  return new Map(found.flatMap((lines, source) => (lines ? [[source, lines] as const] : [])))
}

/** A source that a map names by where it is published. */
export const ADDRESS = /^https?:\/\//
const QUERY = /\?.*$/

/** What is known of a source by the name that is shown of it; undefined where several could be meant. */
export function faultOf(faults: TransformFaults, shown: string): TransformFault | undefined {
  const found = [...faults].filter(([path]) => isNameOf(shown, path))
  return found.length === 1 ? found[0]?.[1] : undefined
}

export function isNameOf(shown: string, path: string): boolean {
  const name = shown.replace(QUERY, '')
  return name !== '' && (path === name || path.endsWith(`/${name}`))
}
