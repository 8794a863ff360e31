import type { SymbolUpload } from '../model/plan.ts'
import type { HeldParts } from '../model/wire.ts'
import { freeMemory } from '../transport/free-memory.ts'
import { type Compression, compressStream, joined } from './compress.ts'
import type { Encoders } from './encoders.ts'
import { gzip } from './gzip.ts'
import { multipart } from './multipart.ts'
import { type BodySource, openSource } from './source.ts'

/** A request body that can be sent once. */
export interface RequestBody {
  headers: Record<string, string>
  /** Pieces for the network, in order, none sharing memory with another. Fails with `UnreadableFile`. */
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>
  /** Bytes before compression. */
  length: number
  /** Closes the files; needed even when the body was sent to its end. */
  close(): void
}

/** Bodies up to this size are compressed before they are sent; larger ones while they are, so that memory does not grow with them. */
export const WHOLE_BYTES = 4 * 1024 * 1024
const COPY_BYTES = 256 * 1024

/**
 * Opens one artifact as `multipart/form-data` and compresses the whole body, unless the artifact is compressed already.
 * A small body is read and compressed before this returns, so that no connection waits for it. Throws `UnreadableFile`.
 * @param hashes as for {@link openSource}. @param onRead called when its files have been read, and are not needed to
 * send it.
 */
export async function requestBody(
  upload: SymbolUpload,
  compression: Compression,
  encoders: Encoders,
  { held = {}, hashes = false, onRead }: { held?: HeldParts; hashes?: boolean; onRead?: (() => void) | undefined } = {},
): Promise<RequestBody> {
  const source = openSource(upload, multipart(upload, held), hashes)
  const { contentType, length, close } = source
  const { encoding } = compression
  if (upload.encoding === 'identity' || encoding === 'identity') {
    const headers = { 'Content-Type': contentType, 'Content-Length': String(length) }
    return { headers, chunks: copied(source, onRead), length, close }
  }
  const headers = { 'Content-Type': contentType, 'Content-Encoding': encoding }
  const gzipped = () => gzip(source.read, encoders.deflater(compression.level))
  if (length > WHOLE_BYTES) {
    const chunks = encoding === 'gzip' ? gzipped() : compressStream(source.read, compression)
    return { headers, chunks, length, close }
  }
  try {
    const compressed =
      encoding === 'gzip'
        ? await all(gzipped())
        : await whole(source, (bytes) => encoders.compressors.whole(bytes, compression))
    onRead?.()
    // As one piece: each is a turn of the event loop and a call of the system.
    return { headers, chunks: [compressed], length, close: () => undefined }
  } finally {
    close()
  }
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const found: Buffer[] = []
  for await (const chunk of chunks) found.push(chunk)
  return joined(found)
}

async function whole(source: BodySource, compress: (bytes: Buffer) => Promise<Buffer>): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(source.length)
  source.read(bytes)
  const compressed = await compress(bytes)
  // Not after a failure, when another thread may still read it.
  freeMemory(bytes)
  return compressed
}

async function* copied({ read, length }: BodySource, onRead?: () => void): AsyncGenerator<Buffer> {
  for (let left = length; left > 0; ) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(COPY_BYTES, left))
    left -= read(chunk)
    if (left === 0) onRead?.()
    yield chunk
  }
}
