import { BinaryError } from '@symup/core/internal'
import { firstAbove } from '../first-above.ts'

export interface LinePosition {
  /** Number in the file table. */
  file: number
  line: number
  column: number
}

/** Rows of a run of instructions without a gap; `high` is the address just past it. */
interface Sequence {
  low: number
  high: number
  first: number
  /** Just past its last row. */
  end: number
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

/** The rows of a line program in columns of numbers, which is a tenth of the memory that objects take. */
export class LineRows {
  count = 0
  #addresses = spare.addresses
  #files = spare.files
  #lines = spare.lines
  #columns = spare.columns
  readonly #sequences: Sequence[] = []
  #first = 0

  push(address: number, file: number, line: number, column: number): void {
    if (this.count === this.#addresses.length) this.#grow()
    this.#addresses[this.count] = address
    this.#files[this.count] = file
    this.#lines[this.count] = line
    this.#columns[this.count] = column
    this.count++
  }

  endSequence(high: number): void {
    const first = this.#first
    const low = this.#addresses[first] as number
    if (this.count > first && low < high) this.#sequences.push({ low, high, first, end: this.count })
    else this.count = first
    this.#first = this.count
  }

  /** No more rows come: what was read leaves the columns that others use as well. */
  close(): this {
    this.count = this.#first
    const read = { addresses: this.#addresses, files: this.#files, lines: this.#lines, columns: this.#columns }
    if (read.addresses.length <= MAX_SPARE_ROWS) spare = read
    this.#addresses = read.addresses.slice(0, this.count)
    this.#files = read.files.slice(0, this.count)
    this.#lines = read.lines.slice(0, this.count)
    this.#columns = read.columns.slice(0, this.count)
    this.#sequences.sort((a, b) => a.high - b.high)
    return this
  }

  at(address: number): LinePosition | undefined {
    const sequence =
      this.#sequences[
        firstAbove(this.#sequences.length, (index) => (this.#sequences[index] as Sequence).high > address)
      ]
    if (!sequence || address < sequence.low) return undefined
    const above = firstAbove(
      sequence.end - sequence.first,
      (index) => (this.#addresses[sequence.first + index] as number) > address,
    )
    const row = sequence.first + Math.max(0, above - 1)
    return { file: this.#files[row] as number, line: this.#lines[row] as number, column: this.#columns[row] as number }
  }

  #grow(): void {
    if (this.count >= MAX_ROWS) throw new BinaryError('damaged', 'a line program has too many rows')
    const grown = <T extends Float64Array | Uint32Array | Uint16Array>(old: T, larger: T): T => {
      larger.set(old)
      return larger
    }
    const length = this.count * 2
    this.#addresses = grown(this.#addresses, new Float64Array(length))
    this.#files = grown(this.#files, new Uint32Array(length))
    this.#lines = grown(this.#lines, new Uint32Array(length))
    this.#columns = grown(this.#columns, new Uint16Array(length))
  }
}

/** The row of one address, without the others. */
export class LineSearch {
  readonly #address: number
  #found: (LinePosition & { high: number; low: number }) | undefined
  #isEmpty = true
  #isPast = false
  #low = 0
  #file = 0
  #line = 0
  #column = 0

  constructor(address: number) {
    this.#address = address
  }

  push(address: number, file: number, line: number, column: number): void {
    if (this.#isPast) return
    if (this.#isEmpty) {
      this.#isEmpty = false
      this.#low = address
    } else if (address > this.#address) {
      this.#isPast = true
      return
    }
    this.#file = file
    this.#line = line
    this.#column = column
  }

  endSequence(high: number): void {
    const isNearer = high > this.#address && high < (this.#found?.high ?? Number.POSITIVE_INFINITY)
    if (!this.#isEmpty && this.#low < high && isNearer)
      this.#found = {
        high,
        low: this.#low,
        file: this.#file >>> 0,
        line: this.#line >>> 0,
        column: this.#column & 0xffff,
      }
    this.#isEmpty = true
    this.#isPast = false
  }

  /** As {@link LineRows.at} has it. */
  get position(): LinePosition | undefined {
    return this.#found && this.#address >= this.#found.low ? this.#found : undefined
  }
}
