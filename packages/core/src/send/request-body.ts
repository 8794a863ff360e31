import type { SymbolUpload } from '../model/plan.ts'
import type { HeldParts } from '../model/wire.ts'
import { freeMemory } from '../transport/free-memory.ts'
import { type Compression, compressStream, compressWhole } from './compress.ts'
import { gzipBlocks, gzipWhole } from './gzip.ts'
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

/** Bodies up to this size are compressed as one buffer; larger ones in blocks, so that memory does not grow with them. */
export const WHOLE_BYTES = 4 * 1024 * 1024
const COPY_BYTES = 256 * 1024

/**
 * Opens one artifact as `multipart/form-data` and compresses the whole body, unless the artifact is compressed already.
 * A small body is read and compressed before this returns, so that no connection waits for it. Throws `UnreadableFile`.
 * @param hashes as for {@link openSource}.
 */
export async function requestBody(
  upload: SymbolUpload,
  compression: Compression,
  held: HeldParts = {},
  hashes = false,
): Promise<RequestBody> {
  const source = openSource(upload, await multipart(upload, held), hashes)
  const { contentType, length, close } = source
  const { encoding } = compression
  if (upload.encoding === 'identity' || encoding === 'identity') {
    const headers = { 'Content-Type': contentType, 'Content-Length': String(length) }
    return { headers, chunks: copied(source), length, close }
  }
  const headers = { 'Content-Type': contentType, 'Content-Encoding': encoding }
  if (length > WHOLE_BYTES) {
    const chunks = encoding === 'gzip' ? gzipBlocks(source.read, compression) : compressStream(source.read, compression)
    return { headers, chunks, length, close }
  }
  const whole = Buffer.allocUnsafeSlow(length)
  try {
    source.read(whole)
    const chunks = await (encoding === 'gzip' ? gzipWhole : compressWhole)(whole, compression)
    // Not after a failure, when another thread may still read it.
    freeMemory(whole)
    return { headers, chunks, length, close: () => undefined }
  } finally {
    close()
  }
}

async function* copied(source: BodySource): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk = Buffer.allocUnsafeSlow(COPY_BYTES)
    const count = source.read(chunk)
    if (count === 0) return
    yield chunk.subarray(0, count)
  }
}
