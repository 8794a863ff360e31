import { BinaryError, type BinarySource } from '@symup/core/resolving'
import { demangle } from '@symup/demangle'
import type { NativeFrame, NativeSymbols } from '../dwarf/native-frame.ts'
import { Columns } from './columns.ts'

/** A module record: `MODULE <system> <architecture> <id> <name>`. */
const MODULE = /^MODULE \S+ (\S+) ([0-9A-F]{33,40}) (\S.*)$/i
const PIECE = 1024 * 1024
const NEWLINE = 10
const MAX_LINE = 64 * 1024
/** The maximum number of bytes to read for the line and inline records of one function. */
const MAX_FUNCTION = 2 * 1024 * 1024
const MAX_INLINED = 500

export function isBreakpad(head: Buffer): boolean {
  return head.toString('latin1', 0, 7) === 'MODULE '
}

/**
 * Opens a Breakpad symbol file. The file is read once, in chunks, so that other work can run in between. Only the positions of the records
 * are kept in memory, which takes about 40 bytes per function. Source: docs/symbol_files.md in the Breakpad repository.
 * @throws BinaryError if the source is not a Breakpad symbol file.
 */
export async function openBreakpad(source: BinarySource): Promise<NativeSymbols> {
  const [first = ''] = source.read(0, MAX_LINE).toString('utf8').split(/\r?\n/, 1)
  const [, arch = '', id = ''] = MODULE.exec(first) ?? []
  if (id === '') throw new BinaryError('other-format', 'The file is not a Breakpad symbol file.')
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
  /** The size of each function, the position of its FUNC line, and the end of its records, keyed by address. */
  functions: Columns
  publics: Columns
  files: Columns
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
      // Breakpad records begin with an upper-case letter, except line records, which begin with a lower-case hexadecimal digit.
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
      } else if (letter === 0x53) endFunction(from + start) // A STACK record
      start = end + 1
    }
    if (start === 0) throw new BinaryError('damaged', 'The file contains an incomplete line.')
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
    const [head = '', ...records] = source.read(from, length).toString('utf8').split(/\r?\n/)
    const [, name = ''] = /^FUNC (?:m )?\S+ \S+ \S+ (.*)$/.exec(head) ?? []
    const { inlines, place: innermost } = recordsAt(address, records)
    let place = innermost
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

interface Inline extends Place {
  depth: number
  line: number
  origin: number
}

function recordsAt(address: number, records: readonly string[]): { inlines: Inline[]; place: Place } {
  const inlines: Inline[] = []
  let place: Place = {}
  for (const record of records) {
    const fields = record.split(' ')
    if (fields[0] === 'INLINE') {
      const inline = inlines.length < MAX_INLINED ? inlineAt(fields, address) : undefined
      if (inline) inlines.push(inline)
      // A line record: `address size line file`.
    } else if (isIn(address, fields[0], fields[1])) place = { line: Number(fields[2]), file: Number(fields[3]) }
  }
  return { inlines, place }
}

/**
 * Parses `INLINE depth line [file] origin (address size)+`. In older files, `file` is missing and the number of fields is therefore even.
 */
function inlineAt(fields: readonly string[], address: number): Inline | undefined {
  const isOld = fields.length % 2 === 0
  const ranges = fields.slice(isOld ? 4 : 5)
  if (!ranges.some((low, at) => at % 2 === 0 && isIn(address, low, ranges[at + 1]))) return undefined
  const [depth, line, third, fourth] = fields.slice(1, 5).map(Number)
  const origin = (isOld ? third : fourth) as number
  return { depth: depth as number, line: line as number, origin, ...(!isOld && { file: third as number }) }
}

function isIn(address: number, low = '', size = ''): boolean {
  const start = Number.parseInt(low, 16)
  return address >= start && address < start + Number.parseInt(size, 16)
}

function lineAt(source: BinarySource, offset: number): string {
  const bytes = source.read(offset, MAX_LINE)
  const end = bytes.indexOf(NEWLINE)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end).replace(/\r$/, '')
}
