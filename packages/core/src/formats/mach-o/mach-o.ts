import { t } from '../../text.ts'
import { BinaryError, type BinarySource, BinaryView, readWhole, withBinary } from '../binary.ts'

/** One architecture of a Mach-O file. Only the header and the load commands are read. */
export interface MachOSlice {
  /**
   * Apple's name for the architecture, such as `arm64`, `arm64e`, `x86_64` or `armv7`, or `cpu-<type>-<subtype>` if the name is unknown.
   */
  arch: string
  /** The UUID in upper case with dashes, as in crash reports and `event.uuids`. */
  uuid?: string
  bits: 32 | 64
  endian: 'little' | 'big'
  /** Whether the slice has `__debug_info`, which contains information about files, lines and inlined calls. */
  hasDwarf: boolean
  /** The link address of the code. The slide of a running image is its load address minus its link address. */
  textAddress: number
  sections: MachOSection[]
  symbolTable?: MachOSymbolTable
  /** The slice's offset in the file, in bytes. */
  offset: number
  size: number
}

interface MachOSection {
  segment: string
  name: string
  address: number
  size: number
  /** The section's offset in the slice, in bytes. */
  offset: number
}

/** The contents of `LC_SYMTAB`. Offsets in the symbol table are relative to the slice. */
interface MachOSymbolTable {
  offset: number
  count: number
  stringsOffset: number
  stringsSize: number
}

const FAT = 0xcafebabe
const FAT_64 = 0xcafebabf
const THIN: Readonly<Record<number, { bits: 32 | 64; little: boolean }>> = {
  4277009102: { bits: 32, little: false },
  3472551422: { bits: 32, little: true },
  4277009103: { bits: 64, little: false },
  3489328638: { bits: 64, little: true },
}
/**
 * Java class files start with the same magic number as fat files. The version of a class file, which is at least 45, is at the same offset
 * as the slice count of a fat file.
 */
const MAX_SLICES = 44
/** The maximum total size of the load commands in all slices. The total is limited, because slices in a malicious file may share bytes. */
const MAX_COMMAND_BYTES = 8 * 1024 * 1024
/**
 * The maximum total number of load commands in all slices. An app has about a hundred load commands per slice, because each linked library
 * needs one.
 */
const MAX_COMMANDS = 4096
/** The maximum number of sections. Symbols in a Mach-O file can refer to at most 255 sections. */
const MAX_SECTIONS = 1024
const MAX_ALL_SECTIONS = 2048

const LC_SEGMENT = 0x1
const LC_SYMTAB = 0x2
const LC_SEGMENT_64 = 0x19
const LC_UUID = 0x1b

const CPU_64 = 0x01000000
const CPU_64_32 = 0x02000000
const SUBTYPE_MASK = 0x00ffffff
const ARM: Readonly<Record<number, string>> = { 6: 'armv6', 9: 'armv7', 10: 'armv7f', 11: 'armv7s', 12: 'armv7k' }

/** @throws BinaryError if the file is not a Mach-O file, is truncated or is damaged; a file system error if it cannot be read. */
export async function readMachO(path: string): Promise<MachOSlice[]> {
  return withBinary(path, describeMachO)
}

export function describeMachO(source: BinarySource): MachOSlice[] {
  const head = source.read(0, 8)
  if (head.length === 0) throw new BinaryError('empty', t`The file is empty.`)
  if (head.length < 8) throw new BinaryError('other-format', t`The file is not a Mach-O file.`)
  const claims: Claims = { bytes: 0, commands: 0, sections: 0 }
  const magic = head.readUInt32BE(0)
  const count = head.readUInt32BE(4)
  if (magic !== FAT && magic !== FAT_64) return [readSlice(source, 0, source.size, claims)]
  if (count === 0 || count > MAX_SLICES) throw new BinaryError('other-format', t`The file is not a Mach-O file.`)
  const wide = magic === FAT_64
  const entry = wide ? 32 : 20
  const cut = t`The file is truncated: the list of architectures extends past the end of the file.`
  const table = new BinaryView(readWhole(source, 8, count * entry, cut), false)
  return Array.from({ length: count }, (_, index) => {
    const at = index * entry + 8
    const offset = wide ? table.u64(at) : table.u32(at)
    const size = wide ? table.u64(at + 8) : table.u32(at + 4)
    if (offset + size > source.size)
      throw new BinaryError(
        'truncated',
        t`The file is truncated: the slice for an architecture extends past the end of the file.`,
      )
    return readSlice(source, offset, size, claims)
  })
}

type Claims = Record<'bytes' | 'commands' | 'sections', number>

function readSlice(source: BinarySource, offset: number, size: number, claims: Claims): MachOSlice {
  const head = source.read(offset, 32)
  const form = head.length >= 4 ? THIN[head.readUInt32BE(0)] : undefined
  if (!form) throw new BinaryError('other-format', t`The file is not a Mach-O file.`)
  if (head.length < 28) throw new BinaryError('truncated', t`The file is truncated: its header is incomplete.`)
  const { bits, little } = form
  const header = new BinaryView(head, little)
  const commandCount = header.u32(16)
  const commandBytes = header.u32(20)
  claims.bytes += commandBytes
  claims.commands += commandCount
  if (claims.bytes > MAX_COMMAND_BYTES)
    throw new BinaryError('damaged', t`The header declares too many bytes of load commands: ${claims.bytes}.`)
  if (claims.commands > MAX_COMMANDS)
    throw new BinaryError('damaged', t`The header declares too many load commands: ${claims.commands}.`)
  const start = offset + (bits === 64 ? 32 : 28)
  const cut = t`The file is truncated: the list of load commands extends past the end of the file.`
  const commands = new BinaryView(readWhole(source, start, commandBytes, cut), little)

  const slice: MachOSlice = {
    arch: archName(header.u32(4), header.u32(8) & SUBTYPE_MASK),
    bits,
    endian: little ? 'little' : 'big',
    hasDwarf: false,
    textAddress: 0,
    sections: [],
    offset,
    size,
  }
  for (let at = 0, index = 0; index < commandCount && at + 8 <= commandBytes; index++) {
    const kind = commands.u32(at)
    const length = commands.u32(at + 4)
    if (length < 8 || at + length > commandBytes) throw new BinaryError('damaged', t`The load commands are damaged.`)
    takeCommand(slice, kind, new BinaryView(commands.bytes.subarray(at, at + length), little))
    at += length
  }
  claims.sections += slice.sections.length
  if (claims.sections > MAX_ALL_SECTIONS)
    throw new BinaryError('damaged', t`The header declares too many sections: ${claims.sections}.`)
  slice.hasDwarf = slice.sections.some(
    ({ segment, name, size }) => segment === '__DWARF' && name === '__debug_info' && size > 0,
  )
  refuseTruncated(slice)
  return slice
}

function takeCommand(slice: MachOSlice, kind: number, command: BinaryView): void {
  if (kind === LC_UUID) {
    const hex = command.bytes.toString('hex', 8, 24).toUpperCase()
    if (hex.length === 32 && /[^0]/.test(hex))
      slice.uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  } else if (kind === LC_SYMTAB) {
    slice.symbolTable = {
      offset: command.u32(8),
      count: command.u32(12),
      stringsOffset: command.u32(16),
      stringsSize: command.u32(20),
    }
  } else if (kind === LC_SEGMENT || kind === LC_SEGMENT_64) {
    takeSegment(slice, command, kind === LC_SEGMENT_64)
  }
}

function takeSegment(slice: MachOSlice, command: BinaryView, wide: boolean): void {
  const word = (at: number) => (wide ? command.u64(at) : command.u32(at))
  if (fixedText(command, 8) === '__TEXT') slice.textAddress = word(24)
  const count = command.u32(wide ? 64 : 48)
  const entry = wide ? 80 : 68
  const first = wide ? 72 : 56
  const total = slice.sections.length + count
  if (total > MAX_SECTIONS) throw new BinaryError('damaged', t`The header declares too many sections: ${total}.`)
  if (first + count * entry > command.bytes.length)
    throw new BinaryError('damaged', t`The list of sections is damaged.`)
  for (let index = 0; index < count; index++) {
    const at = first + index * entry
    slice.sections.push({
      name: fixedText(command, at),
      segment: fixedText(command, at + 16),
      address: word(at + 32),
      size: word(at + (wide ? 40 : 36)),
      offset: command.u32(at + (wide ? 48 : 40)),
    })
  }
}

function fixedText(view: BinaryView, at: number): string {
  return view.bytes.toString('latin1', at, at + 16).replace(/\0.*$/s, '')
}

/**
 * Checks only the sections that are used to resolve addresses. In a dSYM, the offsets of code sections still refer to the original binary.
 */
function refuseTruncated({ sections, size }: MachOSlice): void {
  for (const { segment, name, offset, size: bytes } of sections) {
    if (segment === '__DWARF' && offset + bytes > size) {
      throw new BinaryError('truncated', t`The file is truncated: section ${name} extends past the end of the file.`)
    }
  }
}

function archName(cpu: number, subtype: number): string {
  const family = cpu & ~(CPU_64 | CPU_64_32)
  if (family === 12) {
    if (cpu & CPU_64) return subtype === 2 ? 'arm64e' : 'arm64'
    return cpu & CPU_64_32 ? 'arm64_32' : (ARM[subtype] ?? 'arm')
  }
  if (family === 7) return cpu & CPU_64 ? (subtype === 8 ? 'x86_64h' : 'x86_64') : 'i386'
  if (family === 18) return cpu & CPU_64 ? 'ppc64' : 'ppc'
  return `cpu-${cpu}-${subtype}`
}
