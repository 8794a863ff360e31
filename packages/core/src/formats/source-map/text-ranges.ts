import { t } from '../../text.ts'
import type { ByteRange } from './bytes.ts'
import { SourceMapFlaw } from './flaw.ts'

/** The maximum number of entries, which limits a list to 64 MiB. No real map reaches this limit. */
const MAX_ENTRIES = 8 * 1024 * 1024
const FIRST_CAPACITY = 16
const EMPTY = new Uint32Array(0)
/** No string in a map starts at offset 0, so offset 0 can represent `null`. */
const NO_TEXT = 0

/** The ranges of the strings in a list, stored in eight bytes per entry. */
export class TextRanges {
  #starts = EMPTY
  #ends = EMPTY
  #count = 0
  /** Whether any entry is neither a string nor `null`. */
  hasOther = false

  get count(): number {
    return this.#count
  }

  /** @returns undefined if the entry is `null` or missing. */
  at(index: number): ByteRange | undefined {
    if (index < 0 || index >= this.#count) return undefined
    const end = this.#ends[index] as number
    return end === NO_TEXT ? undefined : { start: this.#starts[index] as number, end }
  }

  /** Copies the start and end of each entry (0 for `null`) until `numbers` is full. */
  copyTo(numbers: Uint32Array): void {
    for (let index = 0, at = 0; index < this.#count && at < numbers.length; index++) {
      numbers[at++] = this.#starts[index] as number
      numbers[at++] = this.#ends[index] as number
    }
  }

  /** @throws SourceMapFlaw if the list has too many entries. */
  add(start: number, end: number): void {
    if (this.#count === this.#starts.length) this.#grow()
    this.#starts[this.#count] = start
    this.#ends[this.#count++] = end
  }

  addNull(): void {
    this.add(0, NO_TEXT)
  }

  addOther(): void {
    this.hasOther = true
  }

  #grow(): void {
    if (this.#count === MAX_ENTRIES)
      throw new SourceMapFlaw('too-many', t`A list in the source map has more than ${MAX_ENTRIES} entries.`)
    const length = Math.max(FIRST_CAPACITY, 2 * this.#starts.length)
    this.#starts = withRoom(this.#starts, length)
    this.#ends = withRoom(this.#ends, length)
  }
}

function withRoom(list: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length)
  larger.set(list)
  return larger
}
