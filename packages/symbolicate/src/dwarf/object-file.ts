import {
  BinaryError,
  type BinarySource,
  describeElf,
  describeMachO,
  type ElfLayout,
  isWasm,
  type MachOSlice,
  readElfLayout,
  readWasmLayout,
} from '@symup/core/internal'
import { inflateSection } from './compressed.ts'
import { compressionOf, debugSection } from './elf-sections.ts'
import { paged, Section, WorkLimit } from './section.ts'
import { NO_SYMBOLS, readElfSymbols, readMachOSymbols, type SymbolTable } from './symbol-table.ts'
import type { DwarfSections } from './unit.ts'
import { wasmSymbols } from './wasm-symbols.ts'

/** A native file with what resolving needs: sections of DWARF, symbols, and its id. */
export interface ObjectFile {
  format: 'elf' | 'mach-o' | 'wasm'
  arch: string
  /** Build-id in lower case, or UUID. */
  id?: string
  /**
   * Address that the code is linked at: an image's load address less this is its slide. Of a WebAssembly module, whose stacks count from the start of the file,
   * the negative of where its code begins.
   */
  textAddress: number
  /** Absent without debug information. */
  dwarf?: DwarfSections
  /** Read when first asked for. */
  symbols(): SymbolTable
  close(): void
}

/** Which architecture of a fat file is meant. */
export interface SliceChoice {
  uuid?: string
  arch?: string
}

const MAX_INFLATED_BYTES = 4 * 1024 * 1024 * 1024

/** Names of the sections without the `.debug_` or `__debug_` before them; Mach-O has room for 16 characters in all. */
const NAMES = {
  info: 'info',
  abbrev: 'abbrev',
  line: 'line',
  str: 'str',
  lineStr: 'line_str',
  strOffsets: 'str_offsets',
  addr: 'addr',
  ranges: 'ranges',
  rangeLists: 'rnglists',
  aranges: 'aranges',
} as const satisfies Partial<Record<keyof DwarfSections, string>>

type Finder = (name: string) => Promise<Section | undefined>

/** @throws BinaryError when it is neither ELF nor Mach-O, cut short or damaged. */
export async function openObjectFile(file: BinarySource, choice: SliceChoice = {}): Promise<ObjectFile> {
  const source = paged(file)
  const magic = source.read(0, 4)
  if (magic.length === 4 && magic.readUInt32BE(0) === 0x7f454c46) return openElf(source)
  if (isWasm(magic)) return openWasm(source)
  return openMachO(source, choice)
}

async function openWasm(source: BinarySource): Promise<ObjectFile> {
  const layout = readWasmLayout(source)
  const work = new WorkLimit()
  const dwarf = await readDwarf(work, async (name) => {
    const section = layout.custom.get(`.debug_${name}`)
    return section && section.size > 0 ? new Section(source, section.offset, section.size, true, work) : undefined
  })
  return {
    format: 'wasm',
    arch: 'wasm',
    ...(layout.buildId !== undefined && { id: layout.buildId }),
    textAddress: -(layout.code?.offset ?? 0),
    ...(dwarf && { dwarf }),
    symbols: once(() => wasmSymbols(source, layout)),
    close: source.close,
  }
}

async function readDwarf(work: WorkLimit, find: Finder): Promise<DwarfSections | undefined> {
  const found = new Map<string, Section>()
  for (const [key, name] of Object.entries(NAMES)) {
    const section = await find(name)
    if (section) found.set(key, section)
  }
  const info = found.get('info')
  const abbrev = found.get('abbrev')
  return info && abbrev ? { ...Object.fromEntries(found), info, abbrev, work } : undefined
}

async function openElf(source: BinarySource): Promise<ObjectFile> {
  const layout = readElfLayout(source)
  const { arch, buildId } = describeElf(source)
  const inflated: BinarySource[] = []
  const budget = { left: MAX_INFLATED_BYTES }
  const close = () => {
    for (const section of inflated) section.close()
    source.close()
  }
  let dwarf: DwarfSections | undefined
  try {
    const work = new WorkLimit()
    dwarf = await readDwarf(work, async (name) => {
      const section = debugSection(layout, name)
      if (!section) return undefined
      const packed = compressionOf(source, section, layout)
      if (!packed) return new Section(source, section.offset, section.size, layout.little, work)
      budget.left -= packed.declared
      if (budget.left < 0) throw new BinaryError('damaged', 'its compressed sections are too large')
      const { headerBytes, method, declared } = packed
      const at = section.offset + headerBytes
      const bytes = await inflateSection(source, at, section.size - headerBytes, method, declared)
      inflated.push(bytes)
      return new Section(paged(bytes), 0, bytes.size, layout.little, work)
    })
  } catch (error) {
    for (const section of inflated) section.close()
    throw error
  }
  const symbols = once(() => elfSymbols(source, layout))
  return {
    format: 'elf',
    arch,
    ...(buildId !== undefined && { id: buildId }),
    textAddress: 0,
    ...(dwarf && { dwarf }),
    symbols,
    close,
  }
}

function elfSymbols(source: BinarySource, { sections, bits, little, machine }: ElfLayout): SymbolTable {
  const ofType = (wanted: number) => sections.find(({ type, size }) => type === wanted && size > 0)
  // A stripped library still exports names.
  const table = ofType(2) ?? ofType(11)
  const names = table && sections[table.link]
  if (!table || !names) return NO_SYMBOLS
  const { offset, size } = table
  return readElfSymbols({
    source,
    offset,
    size,
    namesOffset: names.offset,
    namesSize: names.size,
    bits,
    little,
    machine,
  })
}

async function openMachO(source: BinarySource, { uuid, arch }: SliceChoice): Promise<ObjectFile> {
  const slices = describeMachO(source)
  const slice =
    slices.find((it) => uuid !== undefined && it.uuid === uuid) ??
    (uuid === undefined ? slices.find((it) => arch === undefined || it.arch === arch) : undefined)
  if (!slice) throw new BinaryError('other-format', `it has no architecture ${uuid ?? arch}`)
  const little = slice.endian === 'little'
  const work = new WorkLimit()
  const dwarf = await readDwarf(work, async (name) => {
    const section = slice.sections.find((it) => it.segment === '__DWARF' && it.name === `__debug_${name}`.slice(0, 16))
    return section && section.size > 0
      ? new Section(source, slice.offset + section.offset, section.size, little, work)
      : undefined
  })
  return {
    format: 'mach-o',
    arch: slice.arch,
    ...(slice.uuid !== undefined && { id: slice.uuid }),
    textAddress: slice.textAddress,
    ...(dwarf && { dwarf }),
    symbols: once(() => machOSymbols(source, slice)),
    close: source.close,
  }
}

function machOSymbols(source: BinarySource, { symbolTable: table, offset, bits, endian }: MachOSlice): SymbolTable {
  if (!table) return NO_SYMBOLS
  return readMachOSymbols({
    source,
    offset: offset + table.offset,
    count: table.count,
    namesOffset: offset + table.stringsOffset,
    namesSize: table.stringsSize,
    bits,
    little: endian === 'little',
  })
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
