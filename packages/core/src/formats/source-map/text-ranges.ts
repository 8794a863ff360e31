import { t } from '../../text.ts'
import type { ByteRange } from './bytes.ts'
import { SourceMapFlaw } from './flaw.ts'

/** The maximum number of entries, which limits a list to 64 MiB. No real map reaches this limit. */
const MAX_ENTRIES = 4 * 1024 * 1024
/** No string in a map starts at offset 0, so offset 0 can represent `null`. */
const NO_TEXT = 0

/** The ranges of the strings in a list. */
export class TextRanges {
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** Whether any entry is neither a string nor `null`. */
  hasOther = false

  get count(): number {
    return this.#starts.length
  }

  /** @returns undefined if the entry is `null` or missing. */
  at(index: number): ByteRange | undefined {
    const [start, end] = [this.#starts[index], this.#ends[index]]
    return start === undefined || end === undefined || end === NO_TEXT ? undefined : { start, end }
  }

  /** Copies the start and end of each entry (0 for `null`) until `numbers` is full. */
  copyTo(numbers: Uint32Array): void {
    for (let index = 0, at = 0; index < this.count && at < numbers.length; index++) {
      numbers[at++] = this.#starts[index] as number
      numbers[at++] = this.#ends[index] as number
    }
  }

  /** @throws SourceMapFlaw if the list has too many entries. */
  add(start: number, end: number): void {
    if (this.count === MAX_ENTRIES)
      throw new SourceMapFlaw('too-many', t`A list in the source map has more than ${MAX_ENTRIES} entries.`)
    this.#starts.push(start)
    this.#ends.push(end)
  }

  addNull(): void {
    this.add(0, NO_TEXT)
  }

  addOther(): void {
    this.hasOther = true
  }
}
