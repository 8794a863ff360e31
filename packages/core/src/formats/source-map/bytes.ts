import { closeSync } from 'node:fs'
import { openRegular } from '../../files/open-regular.ts'
import { readInto } from '../../files/read-at.ts'

/** A half-open range of bytes: `end` is exclusive. */
export interface ByteRange {
  start: number
  end: number
}

export interface ByteSource {
  readonly size: number
  /**
   * Reads `length` bytes from an offset. The result is shorter at the end of the source, and for reads larger than the window. The buffer
   * is valid until the next call.
   * @throws a file system error.
   */
  read(offset: number, length: number): Buffer
}

/** Pieces of 1 MiB require few calls and still fit in the processor cache. */
const PIECE_BYTES = 1024 * 1024
/** Most maps are smaller than the window, so they are read only once. */
const WINDOW_BYTES = 4 * PIECE_BYTES

export class MemoryBytes implements ByteSource {
  readonly size: number
  readonly #bytes: Buffer

  constructor(bytes: Uint8Array) {
    this.size = bytes.length
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  read(offset: number, length: number): Buffer {
    return this.#bytes.subarray(offset, Math.max(offset, offset + length))
  }
}

/**
 * Reads a file through a window of 4 MiB, so that memory use does not depend on the file size. Reads are synchronous, because fresh build
 * output is in the page cache, and copying it is faster than a thread switch.
 */
export class FileBytes implements ByteSource {
  readonly size: number
  readonly #file: number
  readonly #memory: Buffer
  #start = 0
  #loaded = 0

  /** @throws the file system's error. */
  constructor(path: string) {
    const { file, size } = openRegular(path)
    this.size = size
    this.#file = file
    this.#memory = Buffer.allocUnsafeSlow(Math.min(WINDOW_BYTES, size))
  }

  read(offset: number, length: number): Buffer {
    const memory = this.#memory
    const wanted = Math.min(length, this.size - offset)
    if (wanted <= 0) return memory.subarray(0, 0)
    const at = offset - this.#start
    const left = this.#loaded - at
    // If only the beginning of the range is loaded, the window moves to the start of the range.
    if (at >= 0 && left > 0 && (left >= wanted || at === 0)) return memory.subarray(at, at + Math.min(wanted, left))
    this.#start = offset
    this.#loaded = readInto(this.#file, memory.subarray(0, Math.min(memory.length, this.size - offset)), offset)
    return memory.subarray(0, Math.min(wanted, this.#loaded))
  }

  close(): void {
    closeSync(this.#file)
  }
}

export function withFileBytes<T>(path: string, use: (bytes: FileBytes) => T): T {
  const file = new FileBytes(path)
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** Passes a range to the callback in pieces, each of which is valid until the next call. Stops early if the callback returns `false`. */
export function readPieces(
  bytes: ByteSource,
  { start, end }: ByteRange,
  take: (piece: Buffer, offset: number) => boolean | undefined,
): void {
  for (let at = start; at < end; ) {
    const piece = bytes.read(at, Math.min(PIECE_BYTES, end - at))
    if (piece.length === 0 || take(piece, at) === false) return
    at += piece.length
  }
}
