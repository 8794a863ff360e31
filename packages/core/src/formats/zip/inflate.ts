import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { readAt } from '../../files/read-at.ts'
import { t } from '../../text.ts'
import { crc32 } from '../crc32.ts'
import { overlap, type ZipEntry, ZipError } from './zip-entry.ts'

const LOCAL_HEADER_BYTES = 30
const LOCAL_HEADER_SIGNATURE = 0x04034b50
const READ_BYTES = 256 * 1024

/** Inflates an entry. The actual bytes are counted, because the size in the directory may be wrong. */
export async function inflateEntry(
  file: FileHandle,
  entry: ZipEntry,
  limit: number,
  onChunk?: (chunk: Buffer) => void | Promise<void>,
): Promise<number> {
  const { name, declaredBytes, crc32: declaredCrc } = entry
  let [bytes, crc] = [0, 0]
  await inflateByPieces(file, await dataStart(file, entry), entry, async (chunk) => {
    bytes += chunk.length
    if (bytes > limit) throw tooLarge(entry, limit)
    crc = crc32(chunk, crc)
    await onChunk?.(chunk)
  })
  if (bytes !== declaredBytes) {
    const message = t`The archive entry ${name} decompresses to ${bytes} bytes, but the archive declares ${declaredBytes} bytes.`
    throw new ZipError('damaged', message, name)
  }
  if (crc !== declaredCrc)
    throw new ZipError('damaged', t`The content of the archive entry ${name} does not match its checksum.`, name)
  return bytes
}

function tooLarge({ name }: ZipEntry, limit: number): ZipError {
  return new ZipError(
    'entry-too-large',
    t`The archive entry ${name} is larger than ${limit} bytes when decompressed.`,
    name,
  )
}

/**
 * Returns the offset where an entry's data starts. The local header must be read, because its extra fields may be longer or shorter than
 * those in the directory.
 */
async function dataStart(file: FileHandle, entry: ZipEntry): Promise<number> {
  const header = await readExactly(file, entry.offset, LOCAL_HEADER_BYTES, entry)
  if (header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) {
    throw new ZipError('damaged', t`The local header of the archive entry ${entry.name} is missing.`, entry.name)
  }
  const start = entry.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  // If the lengths in the local header differ from those in the directory, the data may overlap the next entry.
  if (start + entry.compressedBytes > entry.end) throw overlap(entry, false)
  return start
}

async function inflateByPieces(
  file: FileHandle,
  start: number,
  entry: ZipEntry,
  take: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const pieces = readPieces(file, start, entry)
  if (entry.method === 'stored') {
    for await (const chunk of pieces) await take(chunk)
    return
  }
  const source = Readable.from(pieces, { objectMode: false })
  const inflate = createInflateRaw({ chunkSize: READ_BYTES })
  source.on('error', (error) => inflate.destroy(error))
  try {
    // If the receiver throws, leaving the loop destroys the inflater. With `pipeline`, an AbortError would be thrown.
    for await (const chunk of source.pipe(inflate)) await take(chunk)
  } catch (error) {
    // zlib's errors have codes such as Z_DATA_ERROR. Errors without a Z_ code come from the receiver.
    throw String((error as NodeJS.ErrnoException).code).startsWith('Z_') ? broken(entry) : error
  } finally {
    source.destroy()
  }
}

async function* readPieces(file: FileHandle, start: number, entry: ZipEntry): AsyncIterable<Buffer> {
  for (let done = 0; done < entry.compressedBytes; done += READ_BYTES) {
    yield await readExactly(file, start + done, Math.min(READ_BYTES, entry.compressedBytes - done), entry)
  }
}

async function readExactly(file: FileHandle, position: number, length: number, entry: ZipEntry): Promise<Buffer> {
  const bytes = await readAt(file, position, length)
  if (bytes.length === length) return bytes
  throw new ZipError('damaged', t`The archive entry ${entry.name} extends past the end of the file.`, entry.name)
}

function broken({ name }: ZipEntry): ZipError {
  return new ZipError('damaged', t`The archive entry ${name} cannot be decompressed because its data is damaged.`, name)
}
