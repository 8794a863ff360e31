import { BinaryError } from '@symup/core/internal'
import { FORM } from './constants.ts'
import { Cursor } from './cursor.ts'
import { readForm } from './forms.ts'
import type { HiddenNames } from './hidden-names.ts'
import { type DwarfSections, textOf, type Unit, type UnitEntry } from './unit.ts'

const MAX_FILES = 1_000_000

/** What stands before a line program: how to read it, and its files. Source: DWARF 5, §6.2.4, and the older versions' differences. */
export interface LineHeader {
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

/** @throws BinaryError when its version is not known. */
export function readLineHeader(
  cursor: Cursor,
  sections: DwarfSections,
  unit: Unit,
  entry: UnitEntry,
  offsetBytes: number,
) {
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
  const header: LineHeader = {
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

function readOldTables(cursor: Cursor, { directories, files }: LineHeader): void {
  for (let name = cursor.text(); name !== ''; name = cursor.text()) directories.push(name)
  for (let name = cursor.text(); name !== ''; name = cursor.text()) {
    const directory = cursor.uleb()
    cursor.skipLeb() // Time and size.
    cursor.skipLeb()
    files.push({ name, directory })
  }
}

function readNewTables(
  cursor: Cursor,
  header: LineHeader,
  sections: DwarfSections,
  unit: Unit,
  entry: UnitEntry,
): void {
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

/** Path of a file, joined from its directories and not normalised, as debuggers show it. */
export function pathOf(
  { version, directories, files }: LineHeader,
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
