import { closeSync, openSync, writeSync } from 'node:fs'
import { Readable } from 'node:stream'
import { createDeflateRaw } from 'node:zlib'
import { readPieces } from '../../files/read-pieces.ts'
import { t } from '../../text.ts'
import { crc32 } from '../crc32.ts'

export interface ZipInput {
  /** The entry's relative path, with `/` as the separator. */
  name: string
  /** The path of the file, or a function that returns its bytes. */
  content: string | (() => AsyncIterable<Buffer>)
}

const LEVEL = 6
/** 1980-01-01, the earliest date that the format allows. A fixed date makes archives reproducible. */
const DATE = 0x21
const VERSION = 20
const MADE_ON_UNIX = (3 << 8) | VERSION
const UTF8_NAMES = 0x800
const DEFLATE = 8
const REGULAR_FILE = 0o100644

/**
 * Writes a zip archive. With the same version of zlib, the same files in the same order produce the same bytes. Memory use does not depend
 * on the file sizes.
 * @param comment the archive's comment, at most 65,535 bytes.
 * @throws RangeError if the limits of zip without zip64 (65,535 entries, 4 GB) are exceeded; any read or write error.
 */
export async function writeZip(path: string, inputs: readonly ZipInput[], comment = ''): Promise<void> {
  if (inputs.length > 0xffff) throw new RangeError(t`A zip archive can contain at most 65535 entries.`)
  const file = openSync(path, 'w')
  try {
    const directory: Buffer[] = []
    let position = 0
    for (const input of inputs) {
      const entry = await write(file, position, input)
      directory.push(directoryHeader(entry, position))
      position += LOCAL_HEADER_BYTES + entry.name.length + entry.compressedBytes
      if (position > 0xffffffff) throw new RangeError(t`A zip archive can be at most 4 GB in size.`)
    }
    const headers = Buffer.concat(directory)
    const end = trailer({ entries: inputs.length, bytes: headers.length, position }, Buffer.from(comment))
    writeFully(file, position, Buffer.concat([headers, end]))
  } finally {
    closeSync(file)
  }
}

const LOCAL_HEADER_BYTES = 30

interface Entry {
  name: Buffer
  crc: number
  bytes: number
  compressedBytes: number
}

async function write(file: number, position: number, { name, content }: ZipInput): Promise<Entry> {
  const entry = { name: Buffer.from(name), crc: 0, bytes: 0, compressedBytes: 0 }
  const start = position + LOCAL_HEADER_BYTES + entry.name.length
  const counted = async function* () {
    for await (const piece of typeof content === 'string' ? readPieces(content) : content()) {
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
      writeFully(file, start + entry.compressedBytes, piece)
      entry.compressedBytes += piece.length
    }
  } finally {
    source.destroy()
  }
  // The local header contains sizes that are known only after compression.
  writeFully(file, position, localHeader(entry))
  return entry
}

/** Writes synchronously, because for thousands of small files, the promises would take longer than the writes themselves. */
function writeFully(file: number, position: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done)
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

function trailer(directory: { entries: number; bytes: number; position: number }, comment: Buffer): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.entries, 8)
  end.writeUInt16LE(directory.entries, 10)
  end.writeUInt32LE(directory.bytes, 12)
  end.writeUInt32LE(directory.position, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([end, comment])
}
