import { BinaryError, firstAbove } from '@symup/core/resolving'

export interface LinePosition {
  file: number
  line: number
  column: number
}

/** A position in a line program at which a search can start. */
export interface LineMark extends LinePosition {
  at: number
  address: number
}

/** The number of program bytes between two marks, which limits the length of a search. */
const STEP = 2048
const NUMBERS = 5
/** The maximum number of sequences. Large programs have a few hundred thousand functions. */
const MAX_SEQUENCES = 2_000_000

/** The contiguous sequences in a line program, and the positions at which a search can start. The rows themselves are not stored. */
export class LineSequences {
  readonly #lows: number[] = []
  readonly #highs: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** Five numbers per mark: position, address, file, line and column. */
  readonly #marks: number[] = []

  get weight(): number {
    return 8 * (4 * this.#lows.length + this.#marks.length)
  }

  add(low: number, high: number, start: number, end: number): void {
    if (this.#lows.length === MAX_SEQUENCES)
      throw new BinaryError('damaged', 'A line program in the debug information has too many sequences.')
    this.#lows.push(low)
    this.#highs.push(high)
    this.#starts.push(start)
    this.#ends.push(end)
  }

  mark(at: number, address: number, file: number, line: number, column: number): number {
    this.#marks.push(at, address, file, line, column)
    return at + STEP
  }

  /** Returns the range of the program to search for an address, or undefined if no sequence contains the address. */
  holding(address: number): { from: LineMark | number; end: number } | undefined {
    const highs = this.#highs
    let found = -1
    let nearest = Number.POSITIVE_INFINITY
    for (let index = 0; index < highs.length; index++) {
      const high = highs[index] as number
      if (high <= address || high >= nearest) continue
      found = index
      nearest = high
    }
    if (found === -1 || (this.#lows[found] as number) > address) return undefined
    return this.#within(address, this.#starts[found] as number, this.#ends[found] as number)
  }

  #within(address: number, start: number, end: number): { from: LineMark | number; end: number } {
    const marks = this.#marks
    const number = (mark: number, which: number) => marks[mark * NUMBERS + which] as number
    const count = marks.length / NUMBERS
    const first = firstAbove(count, (mark) => number(mark, 0) > start)
    const past = firstAbove(count, (mark) => number(mark, 0) > end || (mark >= first && number(mark, 1) > address))
    const last = past - 1
    const next = past < count && number(past, 0) <= end ? number(past, 0) : end
    if (last < first) return { from: start, end: next }
    const [at, row, file, line, column] = marks.slice(last * NUMBERS, past * NUMBERS) as [
      number,
      number,
      number,
      number,
      number,
    ]
    return { from: { at, address: row, file, line, column }, end: next }
  }
}
