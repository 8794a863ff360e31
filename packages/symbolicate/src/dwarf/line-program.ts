import { BinaryError } from '@symup/core/internal'
import { Cursor } from './cursor.ts'
import { type LineHeader, pathOf, readLineHeader } from './line-header.ts'
import { type LinePosition, LineRows, LineSearch, Sequences } from './line-rows.ts'
import type { DwarfSections, Unit, UnitEntry } from './unit.ts'

/** The rows of one unit's line program, and its files. Source: DWARF 5, §6.2, and the older versions' differences. */
export interface LineTable {
  /** The row that holds an address. */
  positionAt(address: number): LinePosition | undefined
  /** Path of a file, joined from its directories and not normalised, as debuggers show it. */
  pathOf(file: number): string | undefined
  /** About how many bytes it takes up. */
  weight: number
}

const MAX_PROGRAM_BYTES = 256 * 1024 * 1024
const GONE_AT_LEAST = 2
/** Of the program of a sequence: rows of longer ones are kept. */
const MAX_SEARCHED_BYTES = 1024

/**
 * Goes over the program with the first question, without keeping its rows: most units are asked once. Later ones go over what is about the
 * function that is asked for, and where that is much of the program, its rows are kept.
 * @throws BinaryError when the program makes no sense, as do the table's methods.
 */
export function readLineTable(sections: DwarfSections, unit: Unit, entry: UnitEntry): LineTable | undefined {
  const section = sections.line
  if (!section || entry.lineOffset === undefined) return undefined
  const start = section.cursor(entry.lineOffset, 12)
  let length = start.u32()
  const offsetBytes = length === 0xffffffff ? 8 : 4
  if (offsetBytes === 8) length = start.u64()
  if (length > MAX_PROGRAM_BYTES) throw new BinaryError('damaged', 'a line program is too long')
  const at = entry.lineOffset + start.at
  const available = Math.min(length, section.size - at)
  let header: LineHeader | undefined
  let sequences = new Sequences()
  const kept = new Map<number, LineRows>()
  const firstPosition = (address: number) =>
    section.borrow(at, available, (bytes) => {
      const cursor = new Cursor(bytes, section.little)
      const read = readLineHeader(cursor, unit, offsetBytes)
      const search = new LineSearch(address, new Sequences())
      cursor.at = read.programAt
      run(cursor, read.header, search)
      header = read.header
      sequences = search.sequences as Sequences
      return search.position
    })
  return {
    positionAt(address) {
      if (!header) return firstPosition(address)
      const found = sequences.holding(address)
      if (!found) return undefined
      const [start, end] = found
      const rows = kept.get(start)
      if (rows) return rows.at(address)
      const cursor = section.cursor(at + start, end - start)
      if (end - start <= MAX_SEARCHED_BYTES) {
        const search = new LineSearch(address)
        run(cursor, header, search)
        return search.position
      }
      const read = new LineRows()
      run(cursor, header, read)
      kept.set(start, read.close())
      return read.at(address)
    },
    pathOf: (file) => header && pathOf(header, sections, unit, entry, file),
    // A row takes about two bytes of the program.
    weight: available * 10,
  }
}

const ROW = 1
const PLAIN = 2
const NUMBER = 3
const ADVANCE = 4

/** What the opcodes of a program do, by kind; 0 is everything that is rare. */
function kindsOf({ opcodeBase, operandCounts }: LineHeader): Uint8Array {
  const kinds = new Uint8Array(256)
  kinds.fill(ROW, opcodeBase)
  // 6, 7, 10 and 11 change what is not looked at.
  for (const opcode of [6, 7, 10, 11]) if (opcode < opcodeBase && operandCounts[opcode] === 0) kinds[opcode] = PLAIN
  for (const opcode of [2, 3, 4, 5]) if (opcode < opcodeBase) kinds[opcode] = NUMBER
  if (opcodeBase > 8) kinds[8] = ADVANCE
  kinds[1] = ROW
  return kinds
}

/** @param rows gets all rows, or tells which one is asked for. */
function run(cursor: Cursor, header: LineHeader, rows: LineRows | LineSearch): void {
  const { minimumLength, lineBase, lineRange, opcodeBase } = header
  const { bytes } = cursor
  const end = bytes.length
  const kinds = kindsOf(header)
  // What an opcode of the kind that is most of a program adds, so that none divides.
  const advances = new Float64Array(256)
  const steps = new Int32Array(256)
  for (let opcode = Math.max(2, opcodeBase); opcode < 256 && lineRange > 0; opcode++) {
    advances[opcode] = minimumLength * Math.floor((opcode - opcodeBase) / lineRange)
    steps[opcode] = lineBase + ((opcode - opcodeBase) % lineRange)
  }
  const advance = advances[255] as number
  // A search is told the row that may be the one, and no other.
  const wanted = rows instanceof LineSearch ? rows.address : Number.POSITIVE_INFINITY
  const all = rows instanceof LineRows ? rows : undefined
  const state: Registers = {
    address: 0,
    file: 1,
    line: 1,
    column: 0,
    sequenceAt: cursor.at,
    isFirst: true,
    isPast: false,
    ...NO_ROW,
  }
  let { address, file, line, column, isFirst, isPast, lastFile, lastLine, lastColumn } = state
  let { at } = cursor
  while (at < end) {
    const opcode = bytes[at++] as number
    const kind = kinds[opcode] as number
    if (kind === ROW) {
      address += advances[opcode] as number
      line += steps[opcode] as number
      if (all) all.push(address, file, line, column)
      else if (isFirst || (!isPast && address <= wanted)) {
        if (isFirst) (rows as LineSearch).startSequence(address)
        isFirst = false
        lastFile = file
        lastLine = line
        lastColumn = column
      } else isPast = true
      continue
    }
    if (kind === PLAIN) continue
    if (kind === ADVANCE) {
      address += advance
      continue
    }
    // A number of one byte is taken here.
    if (kind === NUMBER && at < end && (bytes[at] as number) < 0x80) {
      const value = bytes[at++] as number
      if (opcode === 5) column = value
      else if (opcode === 3) line += value < 0x40 ? value : value - 0x80
      else if (opcode === 2) address += minimumLength * value
      else file = value
      continue
    }
    cursor.at = at
    state.address = address
    state.file = file
    state.line = line
    state.column = column
    state.isFirst = isFirst
    state.isPast = isPast
    state.lastFile = lastFile
    state.lastLine = lastLine
    state.lastColumn = lastColumn
    runRare(opcode, cursor, header, state, rows)
    address = state.address
    file = state.file
    line = state.line
    column = state.column
    isFirst = state.isFirst
    isPast = state.isPast
    at = cursor.at
  }
}

interface Registers {
  address: number
  file: number
  line: number
  column: number
  /** Where the program of the sequence begins. */
  sequenceAt: number
  isFirst: boolean
  isPast: boolean
  lastFile: number
  lastLine: number
  lastColumn: number
}

const NO_ROW = { lastFile: 0, lastLine: 0, lastColumn: 0 }

/** Apart from the loop, which is compiled before it has met them all. */
function runRare(
  opcode: number,
  cursor: Cursor,
  header: LineHeader,
  state: Registers,
  rows: LineRows | LineSearch,
): void {
  const { minimumLength, addressBytes, operandCounts } = header
  switch (opcode) {
    case 0: {
      const length = cursor.uleb()
      const next = cursor.at + length
      const extended = length === 0 ? 0 : cursor.u8()
      if (extended === 1) {
        const high = state.address >= 2 ** (8 * addressBytes) - GONE_AT_LEAST ? 0 : state.address
        if (rows instanceof LineSearch)
          rows.endSequence(high, state.sequenceAt, next, state.lastFile, state.lastLine, state.lastColumn)
        Object.assign(state, {
          address: 0,
          file: 1,
          line: 1,
          column: 0,
          sequenceAt: next,
          isFirst: true,
          isPast: false,
        })
      } else if (extended === 2) {
        state.address = cursor.sized(length - 1)
      } else if (extended === 3) {
        const name = cursor.text()
        const directory = cursor.uleb()
        if (rows instanceof LineSearch && rows.sequences) header.added.push({ name, directory })
      }
      cursor.at = next
      break
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
      // Of unknown ones the header tells the operands.
      for (let left = operandCounts[opcode] ?? 0; left > 0; left--) cursor.skipLeb()
  }
}
