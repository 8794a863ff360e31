import type { SymbolUpload } from '../model/plan.ts'
import type { HeldParts } from '../model/wire.ts'
import { freeMemory } from '../transport/free-memory.ts'
import { type Compression, compressStream, compressWhole } from './compress.ts'
import type { Deflater } from './deflater.ts'
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
 * @param deflaterFor gzip of a level, or of the default. @param hashes as for {@link openSource}. @param onRead called when its files have been read, and are not needed to
 * send it.
 */
export async function requestBody(
  upload: SymbolUpload,
  compression: Compression,
  deflaterFor: (level: number | undefined) => Deflater,
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
  const gzipped = () => gzip(source.read, deflaterFor(compression.level))
  if (length > WHOLE_BYTES) {
    const chunks = encoding === 'gzip' ? gzipped() : compressStream(source.read, compression)
    return { headers, chunks, length, close }
  }
  try {
    const chunks = encoding === 'gzip' ? await all(gzipped()) : await whole(source, compression)
    onRead?.()
    return { headers, chunks, length, close: () => undefined }
  } finally {
    close()
  }
}

/** As one piece: each is a turn of the event loop and a call of the system. */
async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const found: Buffer[] = []
  for await (const chunk of chunks) found.push(chunk)
  const joined = Buffer.allocUnsafeSlow(found.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of found) {
    at += chunk.copy(joined, at)
    freeMemory(chunk)
  }
  return [joined]
}

async function whole(source: BodySource, compression: Compression): Promise<Buffer[]> {
  const bytes = Buffer.allocUnsafeSlow(source.length)
  source.read(bytes)
  const chunks = await compressWhole(bytes, compression)
  // Not after a failure, when another thread may still read it.
  freeMemory(bytes)
  return chunks
}

async function* copied({ read, length }: BodySource, onRead?: () => void): AsyncGenerator<Buffer> {
  for (let left = length; left > 0; ) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(COPY_BYTES, left))
    left -= read(chunk)
    if (left === 0) onRead?.()
    yield chunk
  }
}
