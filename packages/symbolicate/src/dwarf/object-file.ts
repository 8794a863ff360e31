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
} from '@symup/core/resolving'
import type { Companions } from './companions.ts'
import { inflateSection, KEPT_IN_MEMORY } from './compressed.ts'
import { compressionOf, debugSection } from './elf-sections.ts'
import type { HiddenNames } from './hidden-names.ts'
import { inflateMiniDebugInfo } from './mini-debug-info.ts'
import { paged, Section, WorkLimit } from './section.ts'
import { findSupplement, supplementLink } from './supplement.ts'
import { type ElfSymbolPlace, NO_SYMBOLS, readElfSymbols, readMachOSymbols, type SymbolTable } from './symbol-table.ts'
import type { CodeRange, DwarfSections } from './unit.ts'
import { wasmSymbols } from './wasm-symbols.ts'

export interface ObjectFile {
  format: 'elf' | 'mach-o' | 'wasm'
  /** A build id in lower case, or a UUID. */
  id?: string
  /**
   * The link address of the code. For WebAssembly, this is the negated offset of the code section, because offsets in WebAssembly stacks
   * are relative to the start of the file.
   */
  textAddress: number
  /** A missing file that contains some of the names in the debug information. */
  missingNames?: string
  /** Undefined if the file has no debug information. */
  dwarf?: DwarfSections
  inflated: Inflated
  symbols(): SymbolTable
  close(): void
}

interface Inflated {
  memory: number
  disk: number
}

interface SliceChoice {
  uuid?: string
  arch?: string
}

export interface OpenChoice extends SliceChoice {
  hiddenNames?: HiddenNames
  /**
   * The files that contain parts of the binary's debug information.
   * @default none
   */
  companions?: Companions
}

const SYMBOL_TABLE = 2
/** Flags of sections that are loaded into memory and of sections that contain code. */
const LOADED = 2
const EXECUTABLE = 4
/** The type of the section that contains the exported symbols. Even stripped libraries have this section. */
const EXPORTED_SYMBOLS = 11
const MAX_INFLATED_BYTES = 4 * 1024 * 1024 * 1024

/** Section names without the prefix `.debug_` or `__debug_`. Mach-O limits section names to 16 characters. */
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
} as const satisfies Partial<Record<keyof DwarfSections, string>>

type Finder = (name: string) => Promise<Section | undefined>

/** @throws BinaryError if the file is not ELF, WebAssembly or Mach-O, or if it is truncated or damaged. */
export async function openObjectFile(file: BinarySource, choice: OpenChoice = {}): Promise<ObjectFile> {
  const source = paged(file)
  const magic = source.read(0, 4)
  if (magic.length === 4 && magic.readUInt32BE(0) === 0x7f454c46) return openElf(source, choice.companions)
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
    ...(layout.buildId !== undefined && { id: layout.buildId }),
    textAddress: -(layout.code?.offset ?? 0),
    inflated: { memory: 0, disk: 0 },
    // A WebAssembly code section starts with the number of functions, so no function starts at 0.
    ...(dwarf && { dwarf: layout.code ? { ...dwarf, code: { from: 1, to: layout.code.size } } : dwarf }),
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

async function openElf(source: BinarySource, companions: Companions | undefined): Promise<ObjectFile> {
  const layout = readElfLayout(source)
  const { buildId } = describeElf(source)
  const opened: BinarySource[] = []
  const close = () => {
    for (const other of opened) other.close()
    source.close()
  }
  let dwarf: DwarfSections | undefined
  let mini: ElfSymbolPlace | undefined
  let missingNames: string | undefined
  const symbols = once(() => elfSymbols(source, layout, mini))
  const inflated = { memory: 0, disk: 0 }
  try {
    const work = new WorkLimit()
    dwarf = await elfDwarf(source, layout, work, opened, inflated)
    const code = codeOf(layout)
    if (dwarf && code) dwarf.code = code.from > 0 ? code : { ...code, isEnd: (address) => isEnd(symbols(), address) }
    const link = dwarf && supplementLink(source, layout)
    if (dwarf && link) {
      const found = companions && findSupplement(link, companions)
      if (found) opened.push(found)
      const supplement =
        found && (await unlessDamaged(elfDwarf(paged(found), readElfLayout(found), work, opened, inflated)))
      if (supplement) dwarf.supplement = supplement
      else missingNames = link.name
    }
    const packed = layout.sections.find(({ name }) => name === '.gnu_debugdata')
    if (packed && !layout.sections.some(({ type, size }) => type === SYMBOL_TABLE && size > 0))
      mini = await unlessDamaged(inflateMiniDebugInfo(source, packed).then(placeInMini))
    inflated.memory += mini?.source.size ?? 0
  } catch (error) {
    for (const other of opened) other.close()
    throw error
  }
  return {
    format: 'elf',
    ...(buildId !== undefined && { id: buildId }),
    textAddress: 0,
    inflated,
    ...(dwarf && { dwarf }),
    ...(missingNames !== undefined && { missingNames }),
    symbols,
    close,
  }
}

/**
 * Returns the range from the first to the last section that contains code. Unlinked files have no range, because all of their sections
 * start at 0.
 */
function codeOf({ sections, segments }: ElfLayout): CodeRange | undefined {
  const code = sections.filter(({ flags, size }) => flags & EXECUTABLE && size > 0)
  if (segments.length === 0 || code.length === 0) return undefined
  return {
    from: Math.min(...code.map(({ address }) => address)),
    to: Math.max(...code.map(({ address, size }) => address + size)),
  }
}

function isEnd(symbols: SymbolTable, address: number): boolean {
  const last = symbols.at(address - 1)
  return last !== undefined && last.name !== symbols.at(address)?.name
}

async function unlessDamaged<T>(opening: Promise<T>): Promise<T | undefined> {
  try {
    return await opening
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return undefined
  }
}

function elfDwarf(
  source: BinarySource,
  layout: ElfLayout,
  work: WorkLimit,
  opened: BinarySource[],
  inflated: Inflated,
): Promise<DwarfSections | undefined> {
  return readDwarf(work, async (name) => {
    const section = debugSection(layout, name)
    if (!section) return undefined
    const packed = compressionOf(source, section, layout)
    if (!packed) return new Section(source, section.offset, section.size, layout.little, work)
    inflated[packed.declared <= KEPT_IN_MEMORY ? 'memory' : 'disk'] += packed.declared
    if (inflated.memory + inflated.disk > MAX_INFLATED_BYTES)
      throw new BinaryError('damaged', 'The compressed sections are too large.')
    const { headerBytes, method, declared } = packed
    const at = section.offset + headerBytes
    const bytes = await inflateSection(source, at, section.size - headerBytes, method, declared)
    opened.push(bytes)
    return new Section(paged(bytes), 0, bytes.size, layout.little, work)
  })
}

/** @param mini the content of `.gnu_debugdata`, which contains functions that a stripped library does not export. */
function elfSymbols(source: BinarySource, layout: ElfLayout, mini: ElfSymbolPlace | undefined): SymbolTable {
  const places = [
    symbolPlace(source, layout, SYMBOL_TABLE) ?? symbolPlace(source, layout, EXPORTED_SYMBOLS),
    mini,
  ].filter((place) => place !== undefined)
  return readElfSymbols(places)
}

function placeInMini(mini: BinarySource): ElfSymbolPlace | undefined {
  return symbolPlace(mini, readElfLayout(mini), SYMBOL_TABLE)
}

function symbolPlace(
  source: BinarySource,
  { sections, bits, little, machine }: ElfLayout,
  wanted: number,
): ElfSymbolPlace | undefined {
  const table = sections.find(({ type, size }) => type === wanted && size > 0)
  const names = table && sections[table.link]
  if (!table || !names) return undefined
  const { offset, size } = table
  const unloaded = new Set(sections.flatMap(({ flags }, index) => (flags & LOADED ? [] : [index])))
  return { source, offset, size, namesOffset: names.offset, namesSize: names.size, bits, little, machine, unloaded }
}

async function openMachO(source: BinarySource, { uuid, arch, hiddenNames }: OpenChoice): Promise<ObjectFile> {
  const slices = describeMachO(source)
  const slice =
    slices.find((it) => uuid !== undefined && it.uuid === uuid) ??
    (uuid === undefined ? slices.find((it) => arch === undefined || it.arch === arch) : undefined)
  if (!slice) throw new BinaryError('other-format', `The file does not contain the architecture ${uuid ?? arch}.`)
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
    ...(slice.uuid !== undefined && { id: slice.uuid }),
    textAddress: slice.textAddress,
    inflated: { memory: 0, disk: 0 },
    ...(dwarf && { dwarf: { ...dwarf, ...(hiddenNames && { hiddenNames }) } }),
    symbols: once(() => machOSymbols(source, slice, hiddenNames)),
    close: source.close,
  }
}

function machOSymbols(
  source: BinarySource,
  { symbolTable: table, offset, bits, endian }: MachOSlice,
  hiddenNames: HiddenNames | undefined,
): SymbolTable {
  if (!table) return NO_SYMBOLS
  return readMachOSymbols({
    source,
    offset: offset + table.offset,
    count: table.count,
    namesOffset: offset + table.stringsOffset,
    namesSize: table.stringsSize,
    bits,
    little: endian === 'little',
    ...(hiddenNames && { hiddenNames }),
  })
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
