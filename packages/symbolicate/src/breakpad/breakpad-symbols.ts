import { BinaryError, type BinarySource } from '@symup/core/resolving'
import { demangle } from '../demangle/demangle.ts'
import type { NativeFrame, NativeSymbols } from '../dwarf/native-frame.ts'
import { Columns } from './columns.ts'

/** `MODULE <system> <architecture> <id> <name>`. */
const MODULE = /^MODULE \S+ (\S+) ([0-9A-F]{33,40}) (\S.*)$/i
const PIECE = 1024 * 1024
const NEWLINE = 10
const LETTER_I = 0x49
const MAX_LINE = 64 * 1024
/** Records of one function that are read: lines and inlined calls. */
const MAX_FUNCTION = 16 * 1024 * 1024
const MAX_INLINED = 500

/** Whether a file begins as a Breakpad symbol file does. */
export function isBreakpad(head: Buffer): boolean {
  return head.toString('latin1', 0, 7) === 'MODULE '
}

/**
 * Opens a Breakpad symbol file. It is read once, in pieces between which others get to work, and only where records stand is kept: some 40 bytes a function.
 * Source: docs/symbol_files.md of Breakpad.
 * @throws BinaryError when it is no Breakpad symbol file.
 */
export async function openBreakpad(source: BinarySource): Promise<NativeSymbols> {
  const [first = ''] = source.read(0, MAX_LINE).toString('utf8').split(/\r?\n/, 1)
  const [, arch = '', id = ''] = MODULE.exec(first) ?? []
  if (id === '') throw new BinaryError('other-format', 'it is not a Breakpad symbol file')
  const index = await readIndex(source)
  return {
    format: 'breakpad',
    arch,
    id: id.toUpperCase(),
    textAddress: 0,
    hasDebugInfo: true,
    diskBytes: 0,
    weight: Object.values(index).reduce((sum, { weight }) => sum + weight, 0),
    lookUp: (address) => lookUp(address, index, source),
    addressOf: () => undefined,
    close: source.close,
  }
}

interface Index {
  /** By address: size, where the FUNC line is, where its records end. */
  functions: Columns
  /** By address: where the PUBLIC line is. */
  publics: Columns
  /** By number: where the FILE line is. */
  files: Columns
  /** By number: where the INLINE_ORIGIN line is. */
  origins: Columns
}

async function readIndex(source: BinarySource): Promise<Index> {
  const index = { functions: new Columns(), publics: new Columns(), files: new Columns(), origins: new Columns() }
  let open: { address: number; size: number; at: number } | undefined
  const endFunction = (at: number) => {
    if (open) index.functions.add(open.address, open.size, open.at, at)
    open = undefined
  }
  for (let from = 0; from < source.size; ) {
    const piece = source.read(from, PIECE)
    const isLast = from + piece.length >= source.size
    let start = 0
    while (start < piece.length) {
      let end = piece.indexOf(NEWLINE, start)
      if (end === -1) {
        if (!isLast) break
        end = piece.length
      }
      const letter = piece[start] as number
      // Records begin with a capital, lines of a function with a digit of its address: hexadecimal, in small letters or none.
      if (letter >= 0x46 && letter <= 0x50) {
        const head = piece.toString('latin1', start, Math.min(end, start + 96))
        const at = from + start
        const [, kind, , a = '', b = ''] = /^(FUNC|PUBLIC|FILE|INLINE_ORIGIN) (m )?(\S+)(?: (\S+))?/.exec(head) ?? []
        if (kind === 'FUNC') {
          endFunction(at)
          open = { address: Number.parseInt(a, 16), size: Number.parseInt(b, 16), at }
        } else if (kind === 'PUBLIC') {
          endFunction(at)
          index.publics.add(Number.parseInt(a, 16), 0, at, 0)
        } else if (kind === 'FILE') index.files.add(Number(a), 0, at, 0)
        else if (kind === 'INLINE_ORIGIN') index.origins.add(Number(a), 0, at, 0)
      } else if (letter === 0x53) endFunction(from + start) // STACK
      start = end + 1
    }
    if (start === 0) throw new BinaryError('damaged', 'it has a line that does not end')
    from += Math.min(start, piece.length)
    await new Promise((done) => setImmediate(done))
  }
  endFunction(source.size)
  for (const columns of Object.values(index)) columns.sort()
  return index
}

function lookUp(address: number, { functions, publics, files, origins }: Index, source: BinarySource): NativeFrame[] {
  const at = functions.lastNotAbove(address)
  const start = at === -1 ? -1 : functions.key(at)
  if (at !== -1 && address < start + functions.size(at)) return framesIn(at)
  const exported = publics.lastNotAbove(address)
  if (exported === -1 || publics.key(exported) <= start) return []
  const [, name] = /^PUBLIC (?:m )?\S+ \S+ (.*)$/.exec(lineAt(source, publics.offset(exported))) ?? []
  return name === undefined ? [] : [{ function: demangle(name) }]

  function framesIn(index: number): NativeFrame[] {
    const from = functions.offset(index)
    const length = Math.min(functions.end(index) - from, MAX_FUNCTION)
    const bytes = source.read(from, length)
    const [, name = ''] = /^FUNC (?:m )?\S+ \S+ \S+ (.*)$/.exec(textFrom(bytes, 0)) ?? []
    const inlines: Inline[] = []
    let place: Place = {}
    // Of lines that are not at the address no text is made: a function may have as many as fit in it.
    for (let at = nextLine(bytes, 0); at < bytes.length; at = nextLine(bytes, at)) {
      if (bytes[at] === LETTER_I) {
        const inline = inlineAt(textFrom(bytes, at), address)
        if (inline && inlines.length < MAX_INLINED) inlines.push(inline)
      } else if (isLineOf(address, bytes, at)) {
        const [, , line, file] = textFrom(bytes, at).split(' ')
        place = { line: Number(line), file: Number(file) }
      }
    }
    inlines.sort((a, b) => b.depth - a.depth)
    const frames: NativeFrame[] = []
    for (const { line, file, origin } of inlines) {
      frames.push(frameOf(textOf(origins, origin, /^INLINE_ORIGIN \S+ (.*)$/), place))
      place = { line, ...(file !== undefined && { file }) }
    }
    frames.push(frameOf(name, place))
    return frames
  }

  function frameOf(name: string | undefined, { line, file }: { line?: number; file?: number }): NativeFrame {
    const path = file === undefined ? undefined : textOf(files, file, /^FILE \S+ (.*)$/)
    return {
      ...(name !== undefined && name !== '' && { function: demangle(name) }),
      ...(path !== undefined && { file: path }),
      ...(line !== undefined && { line }),
    }
  }

  function textOf(columns: Columns, key: number, pattern: RegExp): string | undefined {
    const index = columns.lastNotAbove(key)
    return index === -1 || columns.key(index) !== key
      ? undefined
      : pattern.exec(lineAt(source, columns.offset(index)))?.[1]
  }
}

interface Place {
  line?: number
  file?: number
}

/** A call that was inlined: where it stands, and the number of what it calls. */
interface Inline extends Place {
  depth: number
  line: number
  origin: number
}

/** `address size line file`: whether the address is in it. */
function isLineOf(address: number, bytes: Buffer, at: number): boolean {
  const low = hexAt(bytes, at)
  if (low === undefined || address < low.value) return false
  const size = hexAt(bytes, low.end + 1)
  return size !== undefined && address < low.value + size.value
}

/** Hexadecimal digits; undefined where there are none. */
function hexAt(bytes: Buffer, at: number): { value: number; end: number } | undefined {
  let value = 0
  let end = at
  for (let digit = digitOf(bytes[end]); digit >= 0; digit = digitOf(bytes[++end])) value = value * 16 + digit
  return end === at ? undefined : { value, end }
}

/** -1 for what is none. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

function nextLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(NEWLINE, at)
  return end === -1 ? bytes.length : end + 1
}

/** `INLINE depth line [file] origin (address size)+`; the file is missing in old ones, which have an even number of fields before the ranges. */
function inlineAt(record: string, address: number): Inline | undefined {
  const fields = record.split(' ').slice(1)
  const isOld = fields.length % 2 === 1
  const ranges = fields.slice(isOld ? 3 : 4)
  for (let at = 0; at + 1 < ranges.length; at += 2) {
    const low = Number.parseInt(ranges[at] as string, 16)
    if (address < low || address >= low + Number.parseInt(ranges[at + 1] as string, 16)) continue
    const [depth, line, third, fourth] = fields.map(Number)
    const origin = (isOld ? third : fourth) as number
    return { depth: depth as number, line: line as number, origin, ...(!isOld && { file: third as number }) }
  }
  return undefined
}

function lineAt(source: BinarySource, offset: number): string {
  return textFrom(source.read(offset, MAX_LINE), 0)
}

/** The line that begins there, without its end. */
function textFrom(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(NEWLINE, at)
  return bytes.toString('utf8', at, end === -1 ? bytes.length : end).replace(/\r$/, '')
}
