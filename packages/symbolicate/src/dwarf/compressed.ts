import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflate, inflateSync } from 'node:zlib'
import { BinaryError, type BinarySource, binaryOf, openBinary } from '@symup/core/resolving'
import { Decompress } from 'fzstd'

export type Compression = 'zlib' | 'zstd'

/** The maximum size of a section that is inflated in memory. Larger sections are inflated to a temporary file. */
export const KEPT_IN_MEMORY = 16 * 1024 * 1024
const STEP = 256 * 1024

/**
 * Decompresses a section. symup uses `fzstd` for zstd, because Node.js 20 does not support zstd.
 * @param declared the uncompressed size from the section's header. If the actual size differs, the section is damaged.
 * @throws BinaryError 'damaged' if the data is invalid, or the system error if the temporary file cannot be written.
 */
export async function inflateSection(
  source: BinarySource,
  offset: number,
  length: number,
  method: Compression,
  declared: number,
): Promise<BinarySource> {
  if (declared <= KEPT_IN_MEMORY && length <= KEPT_IN_MEMORY)
    return inflateSectionNow(source, offset, length, method, declared)
  const sink = fileSink()
  let inflated = 0
  const take = (chunk: Uint8Array) => {
    inflated += chunk.length
    if (inflated > declared) throw damaged()
    sink.write(chunk)
  }
  try {
    if (method === 'zlib') await inflateZlib(pieces(source, offset, length), take)
    else inflateZstd(pieces(source, offset, length), take)
    if (inflated !== declared) throw damaged()
    return sink.finish()
  } catch (error) {
    sink.discard()
    throw isOfSystem(error) ? error : damaged()
  }
}

/**
 * Returns whether the operating system reported the error, for example because the disk is full. Errors from zlib also have a `code`, but
 * no `syscall`.
 */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

const MAX_AT_ONCE = 256 * 1024 * 1024

/**
 * Decompresses a section into memory synchronously, for files that are opened during a lookup.
 * @throws BinaryError 'damaged' if the data is invalid or the section is larger than 256 MiB.
 */
export function inflateSectionNow(
  source: BinarySource,
  offset: number,
  length: number,
  method: Compression,
  declared: number,
): BinarySource {
  if (declared > MAX_AT_ONCE) throw new BinaryError('damaged', 'A compressed section is too large.')
  const packed = Buffer.concat([...pieces(source, offset, length)])
  let bytes: Buffer
  try {
    bytes =
      method === 'zlib' ? inflateSync(packed, { maxOutputLength: Math.max(1, declared) }) : unzstd(packed, declared)
  } catch {
    throw damaged()
  }
  if (bytes.length !== declared) throw damaged()
  return binaryOf(bytes)
}

/** @throws if the data is not valid zstd, or if it is larger than declared. */
function unzstd(packed: Buffer, declared: number): Buffer {
  const chunks: Buffer[] = []
  let inflated = 0
  inflateZstd([packed], (chunk) => {
    inflated += chunk.length
    if (inflated > declared) throw damaged()
    chunks.push(Buffer.from(chunk))
  })
  return Buffer.concat(chunks)
}

function damaged(): BinaryError {
  return new BinaryError('damaged', 'A compressed section cannot be decompressed.')
}

function* pieces(source: BinarySource, offset: number, length: number): Iterable<Buffer> {
  for (let done = 0; done < length; done += STEP) {
    const piece = source.read(offset + done, Math.min(STEP, length - done))
    if (piece.length === 0) throw damaged()
    // Copy the chunk, because the buffer may be reused while a stream still references it.
    yield Buffer.from(piece)
  }
}

async function inflateZlib(input: Iterable<Buffer>, take: (chunk: Uint8Array) => void): Promise<void> {
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      try {
        take(chunk)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  await pipeline(Readable.from(input), createInflate(), output)
}

function inflateZstd(input: Iterable<Buffer>, take: (chunk: Uint8Array) => void): void {
  const stream = new Decompress((chunk) => take(chunk))
  let last: Buffer | undefined
  for (const piece of input) {
    if (last) stream.push(last)
    last = piece
  }
  stream.push(last ?? new Uint8Array(0), true)
}

function fileSink() {
  const directory = mkdtempSync(join(tmpdir(), 'symup-section-'))
  const path = join(directory, 'section')
  const file = openSync(path, 'wx')
  const remove = () => rmSync(directory, { recursive: true, force: true })
  return {
    write: (chunk: Uint8Array) => writeSync(file, chunk),
    finish(): BinarySource {
      closeSync(file)
      const source = openBinary(path)
      // Delete the open file immediately, so that it does not remain if the process is killed. Windows does not allow this.
      if (process.platform !== 'win32') remove()
      const close = () => {
        source.close()
        remove()
      }
      return { ...source, close }
    },
    discard() {
      closeSync(file)
      remove()
    },
  }
}
