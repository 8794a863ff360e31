import { BinaryError } from '@symup/core/internal'
import { FORM } from './constants.ts'
import { Cursor } from './cursor.ts'
import { readForm } from './forms.ts'
import type { HiddenNames } from './hidden-names.ts'
import { type DwarfSections, textOf, type Unit, type UnitEntry } from './unit.ts'

interface LinePosition {
  /** Number in the file table. */
  file: number
  line: number
  column: number
}

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
const MAX_ROWS = 20_000_000
const MAX_FILES = 1_000_000
const GONE_AT_LEAST = 2

interface Header {
  version: number
  addressBytes: number
  offsetBytes: number
  minimumLength: number
  lineBase: number
  lineRange: number
  opcodeBase: number
  operandCounts: number[]
  directories: string[]
  files: { name: string; directory: number }[]
}

/** Rows of a run of instructions without a gap; `high` is the address just past it. */
interface Sequence {
  low: number
  high: number
  first: number
  /** Just past its last row. */
  end: number
}

/** @throws BinaryError when the program makes no sense. */
export function readLineTable(sections: DwarfSections, unit: Unit, entry: UnitEntry): LineTable | undefined {
  const section = sections.line
  if (!section || entry.lineOffset === undefined) return undefined
  const start = section.cursor(entry.lineOffset, 12)
  let length = start.u32()
  const offsetBytes = length === 0xffffffff ? 8 : 4
  if (offsetBytes === 8) length = start.u64()
  if (length > MAX_PROGRAM_BYTES) throw new BinaryError('damaged', 'a line program is too long')
  const cursor = section.cursor(entry.lineOffset + start.at, length)
  const { header, programAt } = readHeader(cursor, sections, unit, entry, offsetBytes)
  const rows = new Rows()
  run(new Cursor(cursor.bytes, cursor.little, programAt), header, rows)
  rows.close()
  return {
    positionAt: (address) => rows.at(address),
    pathOf: (file) => pathOf(header, entry, file, sections.hiddenNames),
    weight: rows.count * 20 + header.files.length * 100,
  }
}

function readHeader(cursor: Cursor, sections: DwarfSections, unit: Unit, entry: UnitEntry, offsetBytes: number) {
  const version = cursor.u16()
  if (version < 2 || version > 5) throw new BinaryError('damaged', `a line program has the unknown version ${version}`)
  let addressBytes = unit.addressBytes
  if (version >= 5) {
    addressBytes = cursor.u8()
    cursor.u8() // Size of a segment selector, which no one uses.
  }
  const headerLength = cursor.sized(offsetBytes)
  const programAt = cursor.at + headerLength
  const minimumLength = cursor.u8()
  if (version >= 4) cursor.u8() // Operations of an instruction: only VLIW machines have more than one.
  cursor.u8() // Whether a row starts as a statement.
  const lineBase = (cursor.u8() << 24) >> 24
  const lineRange = cursor.u8()
  const opcodeBase = cursor.u8()
  const operandCounts = [0]
  for (let opcode = 1; opcode < opcodeBase; opcode++) operandCounts.push(cursor.u8())
  const header: Header = {
    version,
    addressBytes,
    offsetBytes,
    minimumLength,
    lineBase,
    lineRange,
    opcodeBase,
    operandCounts,
    directories: [],
    files: [],
  }
  if (version >= 5) readNewTables(cursor, header, sections, unit, entry)
  else readOldTables(cursor, header)
  return { header, programAt }
}

function readOldTables(cursor: Cursor, { directories, files }: Header): void {
  for (let name = cursor.text(); name !== ''; name = cursor.text()) directories.push(name)
  for (let name = cursor.text(); name !== ''; name = cursor.text()) {
    const directory = cursor.uleb()
    cursor.skipLeb() // Time and size.
    cursor.skipLeb()
    files.push({ name, directory })
  }
}

function readNewTables(cursor: Cursor, header: Header, sections: DwarfSections, unit: Unit, entry: UnitEntry): void {
  const PATH = 1
  const DIRECTORY = 2
  const sizes = { version: header.version, offsetBytes: header.offsetBytes, addressBytes: header.addressBytes }
  const readEntries = (take: (name: string, directory: number) => void) => {
    const format: number[] = []
    for (let left = cursor.u8(); left > 0; left--) format.push(cursor.uleb(), cursor.uleb())
    const count = cursor.uleb()
    if (count > MAX_FILES) throw new BinaryError('damaged', 'a line program has too many files')
    for (let index = 0; index < count; index++) {
      let name = ''
      let directory = 0
      for (let at = 0; at < format.length; at += 2) {
        const form = format[at + 1] as number
        const value = readForm(cursor, form, 0, sizes)
        if (format[at] === DIRECTORY) directory = value
        if (format[at] !== PATH) continue
        name =
          form === FORM.string
            ? new Cursor(cursor.bytes, cursor.little, value).text()
            : (textOf(sections, { ...unit, offsetBytes: header.offsetBytes }, entry, { form, value }) ?? '')
      }
      take(name, directory)
    }
  }
  readEntries((name) => header.directories.push(name))
  readEntries((name, directory) => header.files.push({ name, directory }))
}

function pathOf(
  { version, directories, files }: Header,
  { compilationDirectory }: UnitEntry,
  file: number,
  hiddenNames: HiddenNames | undefined,
) {
  const original = (name: string) => hiddenNames?.nameOf(name) ?? name
  // Numbers and directories count from 1 before version 5, where 0 is the compilation directory.
  const found = files[version >= 5 ? file : file - 1]
  if (!found) return undefined
  const isInBase = found.directory === 0
  const directory = version >= 5 ? directories[found.directory] : isInBase ? '' : directories[found.directory - 1]
  const path = join(original(directory ?? ''), original(found.name))
  if (version >= 5 && isInBase) return path
  return join(compilationDirectory ?? '', path)
}

function join(directory: string, path: string): string {
  if (directory === '' || /^(?:[/\\]|[a-z]:[/\\])/i.test(path)) return path
  return `${directory.replace(/[/\\]$/, '')}/${path}`
}

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

/** Rows in columns of numbers, which is a tenth of the memory that objects take. */
class Rows {
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
  close(): void {
    this.count = this.#first
    const read = { addresses: this.#addresses, files: this.#files, lines: this.#lines, columns: this.#columns }
    if (read.addresses.length <= MAX_SPARE_ROWS) spare = read
    this.#addresses = read.addresses.slice(0, this.count)
    this.#files = read.files.slice(0, this.count)
    this.#lines = read.lines.slice(0, this.count)
    this.#columns = read.columns.slice(0, this.count)
    this.#sequences.sort((a, b) => a.high - b.high)
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

/** The first index from 0 to `count` for which the test holds; it must hold for all that follow. */
export function firstAbove(count: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

function run(cursor: Cursor, header: Header, rows: Rows): void {
  const { minimumLength, lineBase, lineRange, opcodeBase, addressBytes } = header
  const { bytes } = cursor
  const end = bytes.length
  const gone = 2 ** (8 * addressBytes) - GONE_AT_LEAST
  // What an opcode of the kind that is most of a program adds, so that none divides.
  const advances = new Float64Array(256)
  const steps = new Int32Array(256)
  for (let opcode = opcodeBase; opcode < 256 && lineRange > 0; opcode++) {
    advances[opcode] = minimumLength * Math.floor((opcode - opcodeBase) / lineRange)
    steps[opcode] = lineBase + ((opcode - opcodeBase) % lineRange)
  }
  let address = 0
  let file = 1
  let line = 1
  let column = 0
  let { at } = cursor
  while (at < end) {
    const opcode = bytes[at++] as number
    if (opcode >= opcodeBase) {
      address += advances[opcode] as number
      line += lineRange === 0 ? 0 : (steps[opcode] as number)
      rows.push(address, file, line, column)
      continue
    }
    if (opcode === 1) {
      rows.push(address, file, line, column)
      continue
    }
    // A number of one byte is taken here, all else by the cursor.
    if (opcode >= 2 && opcode <= 5 && at < end && (bytes[at] as number) < 0x40) {
      const value = bytes[at++] as number
      if (opcode === 2) address += minimumLength * value
      else if (opcode === 3) line += value
      else if (opcode === 4) file = value
      else column = value
      continue
    }
    cursor.at = at
    switch (opcode) {
      case 0: {
        const length = cursor.uleb()
        const next = cursor.at + length
        const extended = length === 0 ? 0 : cursor.u8()
        if (extended === 1) {
          rows.endSequence(address >= gone ? 0 : address)
          address = 0
          file = 1
          line = 1
          column = 0
        } else if (extended === 2) {
          address = cursor.sized(length - 1)
        } else if (extended === 3) {
          const name = cursor.text()
          header.files.push({ name, directory: cursor.uleb() })
        }
        cursor.at = next
        break
      }
      case 2:
        address += minimumLength * cursor.uleb()
        break
      case 3:
        line += cursor.sleb()
        break
      case 4:
        file = cursor.uleb()
        break
      case 5:
        column = cursor.uleb()
        break
      case 8:
        address += advances[255] as number
        break
      case 9:
        address += cursor.u16()
        break
      case 12:
        cursor.skipLeb()
        break
      default:
        // 6, 7, 10 and 11 change what is not looked at; of unknown ones the header tells the operands.
        for (let left = header.operandCounts[opcode] ?? 0; left > 0; left--) cursor.skipLeb()
    }
    at = cursor.at
  }
}
