import { BinaryError } from '@symup/core/resolving'
import { firstAbove } from '../first-above.ts'

export interface LinePosition {
  /** Number in the file table. */
  file: number
  line: number
  column: number
}

/** Where a line program can be entered. */
export interface LineMark extends LinePosition {
  /** In the program, behind a row. */
  at: number
  /** Of that row. */
  address: number
}

/** Of the program between two marks, in bytes: a search goes over so much. */
const STEP = 2048
const NUMBERS = 5
/** A large program, linked as a whole, has some hundred thousand functions. */
const MAX_SEQUENCES = 2_000_000

/** The runs of instructions without a gap that a line program describes, and where in them it can be entered. Their rows are not kept. */
export class LineSequences {
  readonly #lows: number[] = []
  readonly #highs: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** Position, address, file, line and column of each. */
  readonly #marks: number[] = []

  /** Bytes that it takes, about. */
  get weight(): number {
    return 8 * (4 * this.#lows.length + this.#marks.length)
  }

  /**
   * @param high just past the last instruction.
   * @param start where its program begins.
   * @param end where that ends.
   */
  add(low: number, high: number, start: number, end: number): void {
    if (this.#lows.length === MAX_SEQUENCES) throw new BinaryError('damaged', 'a line program has too many sequences')
    this.#lows.push(low)
    this.#highs.push(high)
    this.#starts.push(start)
    this.#ends.push(end)
  }

  /** @returns from where on the next one is due. */
  mark(at: number, address: number, file: number, line: number, column: number): number {
    this.#marks.push(at, address, file, line, column)
    return at + STEP
  }

  /** Where to begin looking for the row of an address, and where the program has it at the latest; undefined where no sequence holds it. */
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
