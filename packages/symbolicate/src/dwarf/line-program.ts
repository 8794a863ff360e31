import type { Cursor } from './cursor.ts'
import { addFile, type LineHeader } from './line-header.ts'
import type { LineMark, LinePosition, LineSequences } from './line-sequences.ts'
import { isCode } from './ranges.ts'

const ROW = 1
const PLAIN = 2
const NUMBER = 3
const ADVANCE = 4
const DISCRIMINATOR = 4

interface Opcodes {
  /** The effect of each opcode, indexed by opcode. Rare opcodes have the value 0. */
  kinds: Uint8Array
  /** The address advance of each special opcode, precomputed to avoid divisions. */
  advances: Float64Array
  steps: Int32Array
}

function opcodesOf({ minimumLength, lineBase, lineRange, opcodeBase, operandCounts }: LineHeader): Opcodes {
  const kinds = new Uint8Array(256)
  kinds.fill(ROW, opcodeBase)
  // Opcodes 6, 7, 10 and 11 do not affect positions.
  for (const opcode of [6, 7, 10, 11]) if (opcode < opcodeBase && operandCounts[opcode] === 0) kinds[opcode] = PLAIN
  for (const opcode of [2, 3, 4, 5]) if (opcode < opcodeBase) kinds[opcode] = NUMBER
  if (opcodeBase > 8) kinds[8] = ADVANCE
  kinds[1] = ROW
  const advances = new Float64Array(256)
  const steps = new Int32Array(256)
  for (let opcode = Math.max(2, opcodeBase); opcode < 256 && lineRange > 0; opcode++) {
    advances[opcode] = minimumLength * Math.floor((opcode - opcodeBase) / lineRange)
    steps[opcode] = lineBase + ((opcode - opcodeBase) % lineRange)
  }
  return { kinds, advances, steps }
}

/**
 * Finds the row that contains an address.
 * @param from the position of the cursor, which is either the start of a sequence or just after a row. That row must be at or before the
 * address.
 * @param sequences collects all sequences. If omitted, the search ends at the row or at the end of the sequence.
 * @returns undefined if no sequence contains the address.
 */
export function runLineProgram(
  cursor: Cursor,
  header: LineHeader,
  wanted: number,
  from: number | LineMark,
  sequences?: LineSequences,
): LinePosition | undefined {
  const { minimumLength } = header
  const { bytes } = cursor
  const end = bytes.length
  const { kinds, advances, steps } = opcodesOf(header)
  const advance = advances[255] as number
  const state = new Registers(from, wanted)
  let { address, file, line, column, isFirst, lastFile, lastLine, lastColumn } = state
  let isPast = false
  let nextMark = sequences ? 0 : Number.MAX_SAFE_INTEGER
  let { at } = cursor
  while (at < end) {
    const opcode = bytes[at++] as number
    const kind = kinds[opcode] as number
    if (kind === ROW) {
      address += advances[opcode] as number
      line += steps[opcode] as number
      if (isFirst) {
        isFirst = false
        state.low = address
      } else if (isPast || address > wanted) {
        if (!sequences) return state.low <= wanted ? positionOf(lastFile, lastLine, lastColumn) : undefined
        isPast = true
      }
      if (!isPast) {
        lastFile = file
        lastLine = line
        lastColumn = column
      }
      if (at >= nextMark && sequences) nextMark = sequences.mark(at, address, file, line, column)
      continue
    }
    if (kind === PLAIN) continue
    if (kind === ADVANCE) {
      address += advance
      continue
    }
    if (at < end) {
      const first = bytes[at] as number
      // Decode one-byte and two-byte numbers inline for speed.
      if (kind === NUMBER) {
        let value = first
        let sign = 0x40
        if (first < 0x80) at++
        else if (at + 1 < end && (bytes[at + 1] as number) < 0x80) {
          value = (first & 0x7f) | ((bytes[at + 1] as number) << 7)
          sign = 0x2000
          at += 2
        } else sign = 0
        if (sign > 0) {
          if (opcode === 5) column = value
          else if (opcode === 3) line += value < sign ? value : value - 2 * sign
          else if (opcode === 2) address += minimumLength * value
          else file = value
          continue
        }
      } else if (opcode === 0 && first < 0x80 && at + 1 < end && bytes[at + 1] === DISCRIMINATOR) {
        at += 1 + first
        continue
      }
    }
    cursor.at = at
    state.address = address
    state.file = file
    state.line = line
    state.column = column
    state.isFirst = isFirst
    state.lastFile = lastFile
    state.lastLine = lastLine
    state.lastColumn = lastColumn
    if (runRare(opcode, cursor, header, state, sequences)) {
      if (!sequences) break
      isPast = false
    }
    address = state.address
    file = state.file
    line = state.line
    column = state.column
    isFirst = state.isFirst
    at = cursor.at
  }
  return state.position
}

/** This is a class so that all instances have the same hidden class and the engine can optimize property accesses. */
class Registers {
  address = 0
  file = 1
  line = 1
  column = 0
  sequenceAt = 0
  low = 0
  isFirst = true
  lastFile = 0
  lastLine = 0
  lastColumn = 0
  high = Number.POSITIVE_INFINITY
  position: LinePosition | undefined = undefined
  readonly wanted: number

  constructor(from: number | LineMark, wanted: number) {
    this.wanted = wanted
    if (typeof from === 'number') {
      this.sequenceAt = from
      return
    }
    this.address = from.address
    this.low = from.address
    this.file = from.file
    this.line = from.line
    this.column = from.column
    this.isFirst = false
    this.lastFile = from.file
    this.lastLine = from.line
    this.lastColumn = from.column
  }
}

function positionOf(file: number, line: number, column: number): LinePosition {
  return { file: file >>> 0, line: line >>> 0, column: column & 0xffff }
}

/**
 * Executes a rare opcode. Rare opcodes are handled in a separate function, because V8 optimizes the main loop before all of them have
 * occurred.
 * @returns whether a sequence ended.
 */
function runRare(
  opcode: number,
  cursor: Cursor,
  header: LineHeader,
  state: Registers,
  sequences: LineSequences | undefined,
): boolean {
  const { minimumLength, operandCounts } = header
  switch (opcode) {
    case 0: {
      const length = cursor.uleb()
      const next = cursor.at + length
      const extended = length === 0 ? 0 : cursor.u8()
      if (extended === 1) endSequence(next, header, state, sequences)
      else if (extended === 2) state.address = cursor.sized(length - 1)
      else if (extended === 3) {
        const name = cursor.text()
        const directory = cursor.uleb()
        if (sequences) addFile(header, name, directory)
      }
      cursor.at = next
      return extended === 1
    }
    case 2:
      state.address += minimumLength * cursor.uleb()
      break
    case 3:
      state.line += cursor.sleb()
      break
    case 4:
      state.file = cursor.uleb()
      break
    case 5:
      state.column = cursor.uleb()
      break
    case 9:
      state.address += cursor.u16()
      break
    case 12:
      cursor.skipLeb()
      break
    default:
      // The header stores the number of operands for each unknown opcode.
      for (let left = operandCounts[opcode] ?? 0; left > 0; left--) cursor.skipLeb()
  }
  return false
}

function endSequence(next: number, header: LineHeader, state: Registers, sequences: LineSequences | undefined): void {
  const { low, wanted, address: high } = state
  if (!state.isFirst && isCode(low, high, header, header.code)) {
    sequences?.add(low, high, state.sequenceAt, next)
    if (high > wanted && high < state.high) {
      state.high = high
      state.position = low <= wanted ? positionOf(state.lastFile, state.lastLine, state.lastColumn) : undefined
    }
  }
  state.address = 0
  state.file = 1
  state.line = 1
  state.column = 0
  state.sequenceAt = next
  state.isFirst = true
}
