import { t } from '../../text.ts'
import { BinaryError, type BinarySource, BinaryView, withBinary } from '../binary.ts'
import { COMPRESSED, type ElfLayout, type ElfSection, readElfLayout, SECTION, SEGMENT } from './elf-layout.ts'

/**
 * The properties of an ELF file that symup needs. Only the headers and notes are read, which take up a few KB regardless of the file size.
 */
export interface ElfFile {
  /** The protocol's name for the architecture (`arm`, `arm64`, `x86`, `x64`), or a name such as `riscv64`, `mips` or `machine-<number>`. */
  arch: string
  /** The GNU build id in lower-case hexadecimal, of any length. */
  buildId?: string
  /** Whether the file has `.symtab`, which contains function names. */
  hasSymbolTable: boolean
  /** Whether the file has `.dynsym`, which contains the names of exported functions. */
  hasDynamicSymbols: boolean
  /** Whether the file has `.debug_info`, which contains information about files, lines and inlined calls. */
  hasDebugInfo: boolean
  /** Whether the debug information for functions is in separate `.dwo` files or in one `.dwp` file. */
  hasSplitDebugInfo: boolean
  /** Whether the file has neither symbols nor debug information and therefore cannot resolve any frame. */
  stripped: boolean
}

/** Architectures, keyed by `e_machine`. Source: the registry in the System V ABI. */
const MACHINES: Readonly<Record<number, string>> = {
  3: 'x86',
  8: 'mips',
  20: 'ppc',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  258: 'loongarch64',
}
const RISCV = 243

const NT_GNU_BUILD_ID = 3
const MAX_NOTE_BYTES = 64 * 1024
/**
 * The maximum number of note sections and segments to read. Libraries have only a few of them, but a malicious file may contain thousands
 * that share the same bytes.
 */
const MAX_NOTES = 16

/** @throws BinaryError if the file is not an ELF file, is truncated or is damaged; a file system error if it cannot be read. */
export async function readElf(path: string): Promise<ElfFile> {
  return withBinary(path, describeElf)
}

export function describeElf(source: BinarySource): ElfFile {
  const layout = readElfLayout(source)
  refuseTruncated(source, layout)
  const debugInfo = layout.sections.find(
    ({ name, type, size }) =>
      (name === '.debug_info' || name === '.zdebug_info') && type !== SECTION.noBits && size > 0,
  )
  const hasSymbolTable = layout.sections.some(({ type, size }) => type === SECTION.symbolTable && size > 0)
  const hasMiniDebugInfo = layout.sections.some(({ name, size }) => name === '.gnu_debugdata' && size > 0)
  const buildId = findBuildId(source, layout)
  return {
    arch: archOf(layout),
    ...(buildId !== undefined && { buildId }),
    hasSymbolTable,
    hasDynamicSymbols: layout.sections.some(({ type, size }) => type === SECTION.dynamicSymbols && size > 0),
    hasDebugInfo: debugInfo !== undefined,
    hasSplitDebugInfo: debugInfo !== undefined && !isCompressed(debugInfo) && isSplit(source, layout, debugInfo),
    stripped: !hasSymbolTable && !hasMiniDebugInfo && !debugInfo,
  }
}

function archOf({ machine, bits }: ElfLayout): string {
  if (machine === RISCV) return `riscv${bits}`
  return MACHINES[machine] ?? `machine-${machine}`
}

/** Rejects truncated libraries, which may still have intact headers. */
function refuseTruncated(source: BinarySource, { sections, segments }: ElfLayout): void {
  for (const { name, type, offset, size } of sections) {
    if (type !== SECTION.noBits && type !== 0 && offset + size > source.size) {
      throw new BinaryError(
        'truncated',
        t`The file is truncated: section ${name || t`(no name)`} extends past the end of the file.`,
      )
    }
  }
  // The segments of a separate debug file are empty, so segments are checked only in files without section headers.
  if (sections.length > 0) return
  for (const { type, offset, size } of segments) {
    if (type === SEGMENT.load && offset + size > source.size) {
      throw new BinaryError('truncated', t`The file is truncated: a segment extends past the end of the file.`)
    }
  }
}

/**
 * Searches `.note.gnu.build-id` first, then the other note sections, and finally the segments, which exist even in files without section
 * headers.
 */
function findBuildId(source: BinarySource, { sections, segments, little }: ElfLayout): string | undefined {
  const isNamed = ({ name }: ElfSection) => name === '.note.gnu.build-id'
  const notes = sections.filter((section) => section.type === SECTION.note)
  const places = [
    ...notes.filter(isNamed),
    ...notes.filter((section) => !isNamed(section)),
    ...segments.filter(({ type }) => type === SEGMENT.note),
  ]
  for (const { offset, size, alignment } of places.slice(0, MAX_NOTES)) {
    const bytes = source.read(offset, Math.min(size, MAX_NOTE_BYTES))
    const id = buildIdIn(new BinaryView(bytes, little), alignment === 8 ? 8 : 4)
    if (id !== undefined) return id
  }
  return undefined
}

function buildIdIn(notes: BinaryView, alignment: number): string | undefined {
  const { bytes } = notes
  const aligned = (at: number) => Math.ceil(at / alignment) * alignment
  for (let at = 0; at + 12 <= bytes.length; ) {
    const nameBytes = notes.u32(at)
    const idAt = aligned(at + 12 + nameBytes)
    const idBytes = notes.u32(at + 4)
    const isBuildId = notes.u32(at + 8) === NT_GNU_BUILD_ID && bytes.toString('latin1', at + 12, at + 16) === 'GNU\0'
    if (isBuildId && nameBytes === 4 && idBytes > 0 && idAt + idBytes <= bytes.length) {
      return bytes.toString('hex', idAt, idAt + idBytes)
    }
    at = aligned(idAt + idBytes)
  }
  return undefined
}

const SKELETON_UNIT = 4
/** The LEB128 encoding of `DW_AT_GNU_dwo_name`, an attribute of split DWARF 4 units. */
const SPLIT_NAME = Buffer.from([0xb0, 0x42])
const FIRST_ABBREVIATION_BYTES = 256

/** Only the first unit is checked, because all units in a library are normally compiled with the same options. */
function isSplit(source: BinarySource, { sections, little }: ElfLayout, { offset, size }: ElfSection): boolean {
  const head = new BinaryView(source.read(offset, Math.min(size, 8)), little)
  if (head.bytes.length < 8 || head.u32(0) === 0xffffffff) return false
  if (head.u16(4) >= 5) return head.u8(6) === SKELETON_UNIT
  const shapes = sections.find(({ name }) => name === '.debug_abbrev')
  return (
    shapes !== undefined &&
    source.read(shapes.offset, Math.min(shapes.size, FIRST_ABBREVIATION_BYTES)).includes(SPLIT_NAME)
  )
}

/** Section names that begin with `.zdebug_` mark the older GNU compression format. */
function isCompressed({ name, flags }: ElfSection): boolean {
  return name.startsWith('.zdebug') || (flags & COMPRESSED) !== 0
}
