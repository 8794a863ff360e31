import { BinaryError } from '@symup/core/internal'
import { firstAbove } from '../first-above.ts'
import { sortedOrder } from './sorted-order.ts'

export interface LinePosition {
  /** Number in the file table. */
  file: number
  line: number
  column: number
}

const MAX_ROWS = 20_000_000
/** Columns that rows are read into before their number is known; kept for the next unit, up to {@link MAX_SPARE_ROWS}. */
let spare = columnsOf(1024)
const MAX_SPARE_ROWS = 256 * 1024

function columnsOf(rows: number) {
  return {
    addresses: new Float64Array(rows),
    files: new Uint32Array(rows),
    lines: new Uint32Array(rows),
    columns: new Uint16Array(rows),
  }
}

/** The rows of a run of instructions without a gap, in columns of numbers, which is a tenth of the memory that objects take. */
export class LineRows {
  #count = 0
  #addresses = spare.addresses
  #files = spare.files
  #lines = spare.lines
  #columns = spare.columns

  push(address: number, file: number, line: number, column: number): void {
    if (this.#count === this.#addresses.length) this.#grow()
    this.#addresses[this.#count] = address
    this.#files[this.#count] = file
    this.#lines[this.#count] = line
    this.#columns[this.#count] = column
    this.#count++
  }

  /** No more rows come: what was read leaves the columns that others use as well. */
  close(): this {
    const read = { addresses: this.#addresses, files: this.#files, lines: this.#lines, columns: this.#columns }
    if (read.addresses.length <= MAX_SPARE_ROWS) spare = read
    this.#addresses = read.addresses.slice(0, this.#count)
    this.#files = read.files.slice(0, this.#count)
    this.#lines = read.lines.slice(0, this.#count)
    this.#columns = read.columns.slice(0, this.#count)
    return this
  }

  at(address: number): LinePosition {
    const row = Math.max(0, firstAbove(this.#count, (index) => (this.#addresses[index] as number) > address) - 1)
    return { file: this.#files[row] as number, line: this.#lines[row] as number, column: this.#columns[row] as number }
  }

  #grow(): void {
    if (this.#count >= MAX_ROWS) throw new BinaryError('damaged', 'a line program has too many rows')
    const grown = <T extends Float64Array | Uint32Array | Uint16Array>(old: T, larger: T): T => {
      larger.set(old)
      return larger
    }
    const length = this.#count * 2
    this.#addresses = grown(this.#addresses, new Float64Array(length))
    this.#files = grown(this.#files, new Uint32Array(length))
    this.#lines = grown(this.#lines, new Uint32Array(length))
    this.#columns = grown(this.#columns, new Uint16Array(length))
  }
}

/**
 * The row of one address, without the others, and where the program has which addresses. Whoever goes over it tells of each run of instructions
 * its start, and at its end the last row that is not beyond the address.
 */
export class LineSearch {
  readonly address: number
  readonly sequences: Sequences | undefined
  #low = Number.NaN
  #high = Number.POSITIVE_INFINITY
  position: LinePosition | undefined

  constructor(address: number, sequences?: Sequences) {
    this.address = address
    this.sequences = sequences
  }

  startSequence(low: number): void {
    this.#low = low
  }

  /** @param start where the program of the sequence begins, `end` where it ends. */
  endSequence(high: number, start: number, end: number, file: number, line: number, column: number): void {
    const low = this.#low
    this.#low = Number.NaN
    // Not so where the sequence has no row.
    if (!(low < high)) return
    this.sequences?.add(low, high, start, end)
    if (high <= this.address || high >= this.#high) return
    this.#high = high
    this.position = low <= this.address ? { file: file >>> 0, line: line >>> 0, column: column & 0xffff } : undefined
  }
}

/** The runs of instructions without a gap that a line program describes. */
export class Sequences {
  readonly #lows: number[] = []
  readonly #highs: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #order: Uint32Array | undefined

  /**
   * @param high just past the last instruction.
   * @param start where its program begins.
   * @param end where that ends.
   */
  add(low: number, high: number, start: number, end: number): void {
    this.#lows.push(low)
    this.#highs.push(high)
    this.#starts.push(start)
    this.#ends.push(end)
  }

  /** @returns from where to where the program of the sequence goes that holds the address. */
  holding(address: number): readonly [start: number, end: number] | undefined {
    this.#order ??= sortedOrder(Float64Array.from(this.#highs), this.#highs.length)
    const order = this.#order
    const index = order[firstAbove(order.length, (at) => (this.#highs[order[at] as number] as number) > address)]
    if (index === undefined || (this.#lows[index] as number) > address) return undefined
    return [this.#starts[index] as number, this.#ends[index] as number]
  }
}
