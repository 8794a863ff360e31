import { closeSync, openSync, readSync, writevSync } from 'node:fs'
import { Readable } from 'node:stream'
import { constants, createDeflateRaw } from 'node:zlib'
import { openRegular } from '../../files/open-regular.ts'
import { readPieces } from '../../files/read-pieces.ts'
import { t } from '../../text.ts'
import { crc32 } from '../crc32.ts'

/** A file to add to an archive. */
export interface ZipInput {
  /** `/`-separated, relative. */
  name: string
  /** Path of the file, or a function that returns its bytes. */
  content: string | (() => AsyncIterable<Buffer>)
}

/** Entries up to this size are compressed in one call of the thread pool, several at a time; larger ones piece by piece. */
const WHOLE_ENTRY_BYTES = 1024 * 1024
const ENTRIES_IN_FLIGHT = 3
const LEVEL = 6
/** Output chunk size for entries that are compressed in one call. */
const CHUNK_BYTES = 64 * 1024
/** 1980-01-01, the format's earliest date. A fixed date makes archives reproducible. */
const DATE = 0x21
const VERSION = 20
const MADE_ON_UNIX = (3 << 8) | VERSION
const UTF8_NAMES = 0x800
const DEFLATE = 8
const REGULAR_FILE = 0o100644

/**
 * Writes a zip. The same files in the same order give the same bytes with the same zlib. Memory does not grow with the files.
 * @param comment at most 65,535 bytes.
 * @throws RangeError beyond the limits of zip without zip64 (65,535 entries, 4 GB), and errors of reading and writing.
 */
export async function writeZip(path: string, inputs: readonly ZipInput[], comment = ''): Promise<void> {
  if (inputs.length > 0xffff) throw new RangeError(t`a zip holds at most 65535 entries`)
  const file = openSync(path, 'w')
  const ahead: Promise<Prepared>[] = []
  const lanes = Array.from({ length: ENTRIES_IN_FLIGHT }, () => new Lane())
  try {
    const directory: Buffer[] = []
    let position = 0
    for (let next = 0; next < inputs.length || ahead.length > 0; ) {
      while (ahead.length < ENTRIES_IN_FLIGHT && next < inputs.length) {
        const preparing = prepare(inputs[next] as ZipInput, lanes[next % ENTRIES_IN_FLIGHT] as Lane)
        next++
        // The promise is awaited below, in order.
        preparing.catch(() => undefined)
        ahead.push(preparing)
      }
      const entry = await write(file, position, await (ahead.shift() as Promise<Prepared>))
      directory.push(directoryHeader(entry, position))
      position += LOCAL_HEADER_BYTES + entry.name.length + entry.compressedBytes
      if (position > 0xffffffff) throw new RangeError(t`a zip holds at most 4 GB`)
    }
    writeFully(file, position, [Buffer.concat(directory), trailer(directory, position, Buffer.from(comment))])
  } finally {
    await Promise.allSettled(ahead)
    for (const lane of lanes) lane.close()
    closeSync(file)
  }
}

const LOCAL_HEADER_BYTES = 30

/** The header fields of an entry. */
interface Entry {
  name: Buffer
  crc: number
  bytes: number
  compressedBytes: number
}

type Prepared = { name: Buffer } & (
  | { whole: Buffer[]; bytes: number; crc: number }
  /** Too large to hold in memory. */
  | { pieces: AsyncIterable<Buffer> }
)

/** Buffer and deflate stream that entries share one after another. For small files, creating them costs more than the compression. */
class Lane {
  /** Holds the bytes of a file. */
  buffer: Buffer = Buffer.alloc(0)
  readonly #stream = createDeflateRaw({ level: LEVEL, chunkSize: CHUNK_BYTES })
  #chunks: Buffer[] = []

  constructor() {
    this.#stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
  }

  /** Only one call at a time. */
  async deflate(content: Buffer): Promise<Buffer[]> {
    this.#chunks = []
    this.#stream.write(content)
    await new Promise<void>((done) => this.#stream.flush(constants.Z_FINISH, done))
    this.#stream.reset()
    return this.#chunks
  }

  close(): void {
    this.#stream.close()
  }
}

async function prepare({ name, content }: ZipInput, lane: Lane): Promise<Prepared> {
  if (typeof content === 'string') {
    const whole = readWhole(content, lane)
    return whole ? deflated(name, whole, lane) : { name: Buffer.from(name), pieces: readPieces(content) }
  }
  const pieces = content()[Symbol.asyncIterator]()
  const held: Buffer[] = []
  for (let bytes = 0; bytes <= WHOLE_ENTRY_BYTES; ) {
    const { value, done } = await pieces.next()
    if (done) return deflated(name, Buffer.concat(held), lane)
    held.push(value)
    bytes += value.length
  }
  return { name: Buffer.from(name), pieces: resumed(held, pieces) }
}

/**
 * Without promises, which cost more than the reading for thousands of small files.
 * @returns undefined if the file is too large.
 */
function readWhole(path: string, lane: Lane): Buffer | undefined {
  const { file, size } = openRegular(path)
  try {
    if (size > WHOLE_ENTRY_BYTES) return undefined
    if (lane.buffer.length < size) lane.buffer = Buffer.allocUnsafeSlow(Math.min(2 * size, WHOLE_ENTRY_BYTES))
    return lane.buffer.subarray(0, readSync(file, lane.buffer, 0, size, 0))
  } catch (error) {
    throw Object.assign(error as Error, { path })
  } finally {
    closeSync(file)
  }
}

async function deflated(name: string, content: Buffer, lane: Lane): Promise<Prepared> {
  const whole = await lane.deflate(content)
  return { name: Buffer.from(name), whole, bytes: content.length, crc: crc32(content) }
}

async function* resumed(held: Buffer[], rest: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  yield* held
  yield* { [Symbol.asyncIterator]: () => rest }
}

async function write(file: number, position: number, prepared: Prepared): Promise<Entry> {
  const { name } = prepared
  if ('whole' in prepared) {
    const { whole, bytes, crc } = prepared
    const entry = { name, crc, bytes, compressedBytes: bytesOf(whole) }
    writeFully(file, position, [localHeader(entry), ...whole])
    return entry
  }
  const entry = { name, crc: 0, bytes: 0, compressedBytes: 0 }
  const start = position + LOCAL_HEADER_BYTES + name.length
  const counted = async function* () {
    for await (const piece of prepared.pieces) {
      entry.crc = crc32(piece, entry.crc)
      entry.bytes += piece.length
      yield piece
    }
  }
  const source = Readable.from(counted(), { objectMode: false })
  const deflate = createDeflateRaw({ level: LEVEL })
  source.on('error', (error) => deflate.destroy(error))
  try {
    for await (const piece of source.pipe(deflate)) {
      writeFully(file, start + entry.compressedBytes, [piece])
      entry.compressedBytes += piece.length
    }
  } finally {
    source.destroy()
  }
  // The sizes are known now.
  writeFully(file, position, [localHeader(entry)])
  return entry
}

/** Without promises, like {@link readWhole}. */
function writeFully(file: number, position: number, chunks: Buffer[]): void {
  let left = chunks
  for (let at = position; left.length > 0; ) {
    const written = writevSync(file, left, at)
    at += written
    left = without(left, written)
  }
}

function without(chunks: Buffer[], bytes: number): Buffer[] {
  let skip = bytes
  return chunks.flatMap((chunk) => {
    const left = chunk.subarray(Math.min(skip, chunk.length))
    skip -= chunk.length - left.length
    return left.length > 0 ? [left] : []
  })
}

function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(LOCAL_HEADER_BYTES)
  header.writeUInt32LE(0x04034b50, 0)
  writeFields(header, 4, entry)
  return Buffer.concat([header, entry.name])
}

function directoryHeader(entry: Entry, position: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(MADE_ON_UNIX, 4)
  writeFields(header, 6, entry)
  header.writeUInt32LE((REGULAR_FILE << 16) >>> 0, 38)
  header.writeUInt32LE(position, 42)
  return Buffer.concat([header, entry.name])
}

/** Fields that both headers have. */
function writeFields(header: Buffer, at: number, { name, crc, bytes, compressedBytes }: Entry): void {
  header.writeUInt16LE(VERSION, at)
  header.writeUInt16LE(UTF8_NAMES, at + 2)
  header.writeUInt16LE(DEFLATE, at + 4)
  header.writeUInt16LE(DATE, at + 8)
  header.writeUInt32LE(crc, at + 10)
  header.writeUInt32LE(compressedBytes, at + 14)
  header.writeUInt32LE(bytes, at + 18)
  header.writeUInt16LE(name.length, at + 22)
}

function trailer(directory: Buffer[], position: number, comment: Buffer): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(bytesOf(directory), 12)
  end.writeUInt32LE(position, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([end, comment])
}

function bytesOf(chunks: Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}
