import { t } from '../../text.ts'
import { BinaryError, type BinarySource, BinaryView, readWhole } from '../binary.ts'

/** The layout of an ELF file, read only from its headers. Source: System V ABI, chapters 4 and 5. */
export interface ElfLayout {
  bits: 32 | 64
  little: boolean
  machine: number
  sections: ElfSection[]
  segments: ElfSegment[]
}

export interface ElfSection {
  name: string
  type: number
  flags: number
  address: number
  offset: number
  size: number
  link: number
  alignment: number
}

interface ElfSegment {
  type: number
  offset: number
  address: number
  size: number
  alignment: number
}

export const SECTION = { symbolTable: 2, note: 7, noBits: 8, dynamicSymbols: 11 } as const
export const SEGMENT = { load: 1, note: 4 } as const
export const COMPRESSED = 0x800

const MAGIC = 0x7f454c46
/**
 * The maximum number of headers. An executable typically has about 40 sections. An object file with one section per function may have
 * thousands.
 */
const MAX_HEADERS = 65_536
const MAX_NAME_BYTES = 4 * 1024 * 1024
/**
 * The maximum length of a section name. All relevant names are shorter. In a malicious file, many sections may share a name that is
 * megabytes long.
 */
const MAX_NAME = 100

/** @throws BinaryError if the file is not an ELF file, or if its headers point outside the file. */
export function readElfLayout(source: BinarySource): ElfLayout {
  const ident = source.read(0, 64)
  if (ident.length === 0) throw new BinaryError('empty', t`The file is empty.`)
  if (ident.length < 4 || ident.readUInt32BE(0) !== MAGIC)
    throw new BinaryError('other-format', t`The file is not an ELF file.`)
  const bits = ident[4] === 2 ? 64 : 32
  const little = ident[5] === 1
  const knowsClass = ident[4] === 1 || ident[4] === 2
  if (ident.length < (bits === 64 ? 64 : 52))
    throw new BinaryError('truncated', t`The file is truncated: its header is incomplete.`)
  if (!knowsClass || !(little || ident[5] === 2)) throw new BinaryError('damaged', t`The ELF header is damaged.`)

  const view = new BinaryView(ident, little)
  const wide = bits === 64
  const word = (at: number) => (wide ? view.u64(at) : view.u32(at))
  const machine = view.u16(18)
  const programAt = word(wide ? 32 : 28)
  const sectionAt = word(wide ? 40 : 32)
  const tail = wide ? 54 : 42 // e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx
  const sectionEntry = view.u16(tail + 4)
  let programCount = view.u16(tail + 2)
  let sectionCount = view.u16(tail + 6)
  let namesIndex = view.u16(tail + 8)

  let table: BinaryView | undefined
  if (sectionAt !== 0) {
    if (sectionEntry !== (wide ? 64 : 40)) throw new BinaryError('damaged', t`The section headers are damaged.`)
    const cut = t`The file is truncated: the section header table extends past the end of the file.`
    const first = new BinaryView(readWhole(source, sectionAt, sectionEntry, cut), little)
    // Counts that do not fit into the file header are stored in the first section header, which is otherwise unused.
    const zero = sectionHeader(first, 0, wide)
    if (sectionCount === 0) sectionCount = zero.size
    if (namesIndex === 0xffff) namesIndex = zero.link
    if (programCount === 0xffff) programCount = first.u32(wide ? 44 : 28)
    if (sectionCount > MAX_HEADERS)
      throw new BinaryError('damaged', t`The header declares too many sections: ${sectionCount}.`)
    table = new BinaryView(readWhole(source, sectionAt, sectionCount * sectionEntry, cut), little)
  }
  if (programCount > MAX_HEADERS)
    throw new BinaryError('damaged', t`The header declares too many segments: ${programCount}.`)
  const sections: (ElfSection & { nameAt: number })[] = []
  for (let index = 0; table && index < sectionCount; index++)
    sections.push(sectionHeader(table, index * sectionEntry, wide))
  nameSections(source, sections, namesIndex)
  const segments = readSegments(source, view, wide, programAt, programCount)
  return { bits, little, machine, sections, segments }
}

function sectionHeader(view: BinaryView, at: number, wide: boolean): ElfSection & { nameAt: number } {
  const word = (narrow: number, broad: number) => (wide ? view.u64(at + broad) : view.u32(at + narrow))
  return {
    nameAt: view.u32(at),
    name: '',
    type: view.u32(at + 4),
    flags: word(8, 8),
    address: word(12, 16),
    offset: word(16, 24),
    size: word(20, 32),
    link: view.u32(at + (wide ? 40 : 24)),
    alignment: word(32, 48),
  }
}

function nameSections(source: BinarySource, sections: (ElfSection & { nameAt: number })[], namesIndex: number): void {
  const table = sections[namesIndex]
  if (!table || table.type === SECTION.noBits) return
  const names = new BinaryView(source.read(table.offset, Math.min(table.size, MAX_NAME_BYTES)), true)
  for (const section of sections)
    if (section.nameAt < names.bytes.length) section.name = names.text(section.nameAt, MAX_NAME)
}

function readSegments(
  source: BinarySource,
  header: BinaryView,
  wide: boolean,
  at: number,
  count: number,
): ElfSegment[] {
  if (at === 0 || count === 0) return []
  const entry = header.u16(wide ? 54 : 42)
  if (entry !== (wide ? 56 : 32)) throw new BinaryError('damaged', t`The program headers are damaged.`)
  const cut = t`The file is truncated: the program header table extends past the end of the file.`
  const view = new BinaryView(readWhole(source, at, count * entry, cut), header.little)
  return Array.from({ length: count }, (_, index) => segmentAt(view, index * entry, wide))
}

function segmentAt(view: BinaryView, from: number, wide: boolean): ElfSegment {
  return wide
    ? {
        type: view.u32(from),
        offset: view.u64(from + 8),
        address: view.u64(from + 16),
        size: view.u64(from + 32),
        alignment: view.u64(from + 48),
      }
    : {
        type: view.u32(from),
        offset: view.u32(from + 4),
        address: view.u32(from + 8),
        size: view.u32(from + 16),
        alignment: view.u32(from + 28),
      }
}
