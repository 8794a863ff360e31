import { contentOf } from '../formats/source-map/text.ts'
import type { MapFile } from './observe.ts'

/** Bytes at the end of a text by which most are told to have no map of their own. */
const TAIL = 48
const BASE64 = /^[\w+/=]+$/
/** Bytes of a text that are searched for the comment. */
const MAX_TEXT = 1024 * 1024
const COMMENT = '//# sourceMappingURL=data:'

/**
 * Sources whose text in the map ends with a map of its own: a tool's output, such as the scripts that Astro takes out of a page. Bundlers follow that map to what the
 * tool was given, but keep the text of its output, so that the lines are right and stand in another text: there is nothing to compare them with.
 */
export class TextsWithMaps {
  readonly #map: MapFile
  readonly #known = new Map<number, boolean>()

  constructor(map: MapFile) {
    this.#map = map
  }

  has(source: number): boolean {
    const known = this.#known.get(source) ?? this.#ends(source)
    this.#known.set(source, known)
    return known
  }

  #ends(source: number): boolean {
    const { bytes, layout } = this.#map
    const range = contentOf(layout, source)
    if (!range || range.end - range.start < COMMENT.length + TAIL) return false
    const tail = bytes.read(range.end - TAIL, TAIL).toString('latin1')
    if (!BASE64.test(tail.replace(/(?:\\[rn]|\s)+$/, ''))) return false
    const from = Math.max(range.start, range.end - MAX_TEXT)
    return bytes.read(from, range.end - from).includes(COMMENT)
  }
}
