import { BinaryError } from '@symup/core/resolving'
import { FORM } from './constants.ts'
import { Cursor } from './cursor.ts'
import { readForm } from './forms.ts'
import { type CodeRange, type DwarfSections, textOf, type Unit, type UnitEntry } from './unit.ts'

const MAX_FILES = 1_000_000
const MAX_ADDED = 100_000

/**
 * The header of a line program, which contains its parameters and files. Sources: section 6.2.4 of the DWARF 5 standard and the
 * corresponding sections of older versions.
 */
export interface LineHeader {
  version: number
  addressBytes: number
  code: CodeRange | undefined
  offsetBytes: number
  minimumLength: number
  lineBase: number
  lineRange: number
  opcodeBase: number
  operandCounts: number[]
  /** The bytes before the line program. Names are read from these bytes on demand. */
  bytes: Buffer
  directories: PathTable
  files: PathTable
  added: { name: string; directory: number }[]
}

interface PathTable {
  /** The DWARF form of the names, or undefined if the header has no names. */
  form: number | undefined
  names: number[]
  directories: number[]
}

/** @throws BinaryError if the version is unknown. */
export function readLineHeader(cursor: Cursor, unit: Unit, offsetBytes: number, code?: CodeRange) {
  const version = cursor.u16()
  if (version < 2 || version > 5)
    throw new BinaryError('damaged', `A line program in the debug information has the unknown version ${version}.`)
  let addressBytes = unit.addressBytes
  if (version >= 5) {
    addressBytes = cursor.u8()
    cursor.u8() // The size of segment selectors, which compilers do not use
  }
  const headerLength = cursor.sized(offsetBytes)
  const programAt = cursor.at + headerLength
  const minimumLength = cursor.u8()
  if (version >= 4) cursor.u8() // Operations per instruction; only VLIW machines have more than one
  cursor.u8() // The default value of `is_stmt`
  const lineBase = (cursor.u8() << 24) >> 24
  const lineRange = cursor.u8()
  const opcodeBase = cursor.u8()
  const operandCounts = [0]
  for (let opcode = 1; opcode < opcodeBase; opcode++) operandCounts.push(cursor.u8())
  const header: LineHeader = {
    version,
    addressBytes,
    code,
    offsetBytes,
    minimumLength,
    lineBase,
    lineRange,
    opcodeBase,
    operandCounts,
    bytes: Buffer.alloc(0),
    directories: emptyTable(),
    files: emptyTable(),
    added: [],
  }
  if (version >= 5) readNewTables(cursor, header)
  else readOldTables(cursor, header)
  header.bytes = Buffer.from(cursor.bytes.subarray(0, cursor.at))
  return { header, programAt }
}

function emptyTable(): PathTable {
  return { form: undefined, names: [], directories: [] }
}

function addTo({ names, directories }: PathTable, name: number, directory: number): void {
  if (names.length === MAX_FILES) throw tooManyFiles()
  names.push(name)
  directories.push(directory)
}

export function addFile({ added }: LineHeader, name: string, directory: number): void {
  if (added.length === MAX_ADDED) throw tooManyFiles()
  added.push({ name, directory })
}

function tooManyFiles(): BinaryError {
  return new BinaryError('damaged', 'A line program in the debug information lists too many files.')
}

export function headerWeight({ bytes, directories, files, added }: LineHeader): number {
  return bytes.length + 16 * (directories.names.length + files.names.length) + 100 * added.length
}

function readOldTables(cursor: Cursor, { directories, files }: LineHeader): void {
  directories.form = FORM.string
  files.form = FORM.string
  for (;;) {
    const at = cursor.at
    cursor.skipText()
    if (cursor.at === at + 1) break
    addTo(directories, at, 0)
  }
  for (;;) {
    const at = cursor.at
    cursor.skipText()
    if (cursor.at === at + 1) break
    addTo(files, at, cursor.uleb())
    cursor.skipLeb() // The modification time and size of the file
    cursor.skipLeb()
  }
}

function readNewTables(cursor: Cursor, header: LineHeader): void {
  const PATH = 1
  const DIRECTORY = 2
  const readTable = (table: PathTable) => {
    const format: number[] = []
    for (let left = cursor.u8(); left > 0; left--) {
      const content = cursor.uleb()
      const form = cursor.uleb()
      format.push(content, form)
      if (content === PATH) table.form = form
    }
    const count = cursor.uleb()
    for (let index = 0; index < count; index++) {
      let name = 0
      let directory = 0
      for (let at = 0; at < format.length; at += 2) {
        const value = readForm(cursor, format[at + 1] as number, 0, header)
        if (format[at] === DIRECTORY) directory = value
        if (format[at] === PATH) name = value
      }
      addTo(table, name, directory)
    }
  }
  readTable(header.directories)
  readTable(header.files)
}

/**
 * Returns the path of a file, including its directories. Like debuggers, symup does not normalize the path.
 * @throws BinaryError if the name is outside the header.
 */
export function pathOf(header: LineHeader, sections: DwarfSections, unit: Unit, entry: UnitEntry, file: number) {
  const { version, directories, files } = header
  const nameOf = (table: PathTable, index: number) => {
    const { form } = table
    const value = table.names[index]
    if (value === undefined) return undefined
    let name = ''
    if (form === FORM.string) name = new Cursor(header.bytes, true, value).text()
    else if (form !== undefined)
      name = textOf(sections, { ...unit, offsetBytes: header.offsetBytes }, entry, { form, value }) ?? ''
    return sections.hiddenNames?.nameOf(name) ?? name
  }
  // Before DWARF 5, file and directory numbers are one-based. In DWARF 5, they are zero-based, and directory 0 is the compilation
  // directory.
  const index = version >= 5 ? file : file - 1
  const added = header.added[index - files.names.length]
  const name = added ? added.name : nameOf(files, index)
  if (name === undefined) return undefined
  const inDirectory = added ? added.directory : (files.directories[index] as number)
  const directory = version >= 5 ? nameOf(directories, inDirectory) : nameOf(directories, inDirectory - 1)
  const path = join(directory ?? '', name)
  if (version >= 5 && inDirectory === 0) return path
  return join(entry.compilationDirectory ?? '', path)
}

function join(directory: string, path: string): string {
  if (directory === '' || /^(?:[/\\]|[a-z]:[/\\])/i.test(path)) return path
  return `${directory.replace(/[/\\]$/, '')}/${path}`
}
