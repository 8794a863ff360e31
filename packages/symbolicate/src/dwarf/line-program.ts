import { BinaryError } from '@symup/core/resolving'
import type { Cursor } from './cursor.ts'
import { addFile, type LineHeader } from './line-header.ts'
import { isCode } from './ranges.ts'

export interface LinePosition {
  file: number
  line: number
  column: number
}

/** A contiguous part of a line program. The rows are not stored. */
export interface LineSequence {
  low: number
  high: number
  /** The position of the sequence in the program. */
  start: number
  end: number
}

/** The maximum number of sequences. Large programs have a few hundred thousand functions. */
const MAX_SEQUENCES = 2_000_000

/**
 * Finds the row that contains an address.
 * @param start the position of the cursor, which is the start of a sequence.
 * @param sequences collects all sequences. If omitted, the search ends at the row or at the end of the sequence.
 * @returns undefined if no sequence contains the address.
 */
export function runLineProgram(
  cursor: Cursor,
  header: LineHeader,
  wanted: number,
  start: number,
  sequences?: LineSequence[],
): LinePosition | undefined {
  const program = new LineProgram(header, wanted, start, sequences)
  while (!cursor.isAtEnd && !program.isDone) program.step(cursor)
  return program.position
}

class LineProgram {
  isDone = false
  position: LinePosition | undefined
  #address = 0
  #file = 1
  #line = 1
  #column = 0
  #low = 0
  #high = Number.POSITIVE_INFINITY
  #isFirst = true
  #isPast = false
  #lastFile = 0
  #lastLine = 0
  #lastColumn = 0
  #start: number
  readonly #header: LineHeader
  readonly #wanted: number
  readonly #sequences: LineSequence[] | undefined

  constructor(header: LineHeader, wanted: number, start: number, sequences: LineSequence[] | undefined) {
    this.#header = header
    this.#wanted = wanted
    this.#start = start
    this.#sequences = sequences
  }

  step(cursor: Cursor): void {
    const { minimumLength, lineBase, lineRange, opcodeBase, operandCounts } = this.#header
    const opcode = cursor.u8()
    if (opcode >= opcodeBase) {
      this.#address += this.#advanceOf(opcode)
      if (lineRange > 0) this.#line += lineBase + ((opcode - opcodeBase) % lineRange)
      this.#addRow()
      return
    }
    switch (opcode) {
      case 0:
        this.#runExtended(cursor)
        break
      case 1:
        this.#addRow()
        break
      case 2:
        this.#address += minimumLength * cursor.uleb()
        break
      case 3:
        this.#line += cursor.sleb()
        break
      case 4:
        this.#file = cursor.uleb()
        break
      case 5:
        this.#column = cursor.uleb()
        break
      case 8:
        this.#address += this.#advanceOf(255)
        break
      case 9:
        this.#address += cursor.u16()
        break
      default:
        // The other opcodes do not affect positions. The header stores the number of their operands.
        for (let left = operandCounts[opcode] ?? 0; left > 0; left--) cursor.skipLeb()
    }
  }

  #advanceOf(opcode: number): number {
    const { minimumLength, lineRange, opcodeBase } = this.#header
    return lineRange > 0 ? minimumLength * Math.floor((opcode - opcodeBase) / lineRange) : 0
  }

  #addRow(): void {
    if (this.#isFirst) {
      this.#isFirst = false
      this.#low = this.#address
    } else if (this.#isPast || this.#address > this.#wanted) {
      this.#isPast = true
      if (this.#sequences) return
      this.isDone = true
      this.position = this.#lastPosition()
      return
    }
    this.#lastFile = this.#file
    this.#lastLine = this.#line
    this.#lastColumn = this.#column
  }

  #lastPosition(): LinePosition | undefined {
    if (this.#low > this.#wanted) return undefined
    return { file: this.#lastFile >>> 0, line: this.#lastLine >>> 0, column: this.#lastColumn & 0xffff }
  }

  #runExtended(cursor: Cursor): void {
    const length = cursor.uleb()
    const next = cursor.at + length
    const opcode = length === 0 ? 0 : cursor.u8()
    if (opcode === 1) this.#endSequence(next)
    else if (opcode === 2) this.#address = cursor.sized(length - 1)
    else if (opcode === 3) {
      const name = cursor.text()
      const directory = cursor.uleb()
      if (this.#sequences) addFile(this.#header, name, directory)
    }
    cursor.at = next
  }

  #endSequence(end: number): void {
    const low = this.#low
    const high = this.#address
    if (!this.#isFirst && isCode(low, high, this.#header, this.#header.code)) {
      if (this.#sequences?.length === MAX_SEQUENCES)
        throw new BinaryError('damaged', 'A line program in the debug information has too many sequences.')
      this.#sequences?.push({ low, high, start: this.#start, end })
      if (high > this.#wanted && high < this.#high) {
        this.#high = high
        this.position = this.#lastPosition()
      }
    }
    this.isDone = this.#sequences === undefined
    this.#address = 0
    this.#file = 1
    this.#line = 1
    this.#column = 0
    this.#start = end
    this.#isFirst = true
    this.#isPast = false
  }
}
