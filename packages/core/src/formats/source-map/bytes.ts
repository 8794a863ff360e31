import { closeSync } from 'node:fs'
import { openRegular } from '../../files/open-regular.ts'
import { readInto } from '../../files/read-at.ts'

/** A half-open range of bytes: `end` is exclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** Random access to up to 4 GiB of bytes. */
export interface ByteSource {
  /** Bytes. */
  readonly size: number
  /**
   * Reads `length` bytes from an offset. Reads of more than 64 KiB may return more. Fewer are returned only at the end. The buffer is valid
   * until the next call.
   * @throws the file system's error.
   */
  read(offset: number, length: number): Buffer
}

/** Large enough to keep the number of calls small, and small enough for a processor's cache. */
const PIECE_BYTES = 1024 * 1024
/** The smallest piece worth a read of its own. */
const LEAST_BYTES = 64 * 1024
/** Most maps are smaller, so they are read only once. */
const WINDOW_BYTES = 4 * PIECE_BYTES

/** Reads bytes through a window of memory, so that the total size does not matter. */
export abstract class WindowBytes implements ByteSource {
  readonly size: number
  readonly memory: Buffer
  /** Offset and length of the loaded bytes. */
  #start = 0
  #loaded: number

  /** @param loaded number of leading bytes that are already in memory. Default: none. */
  constructor(size: number, memory: Buffer, loaded = 0) {
    this.#loaded = loaded
    // File sizes arrive as doubles. V8 is faster when sizes and offsets are both small integers.
    this.size = size < 2 ** 31 ? size | 0 : size
    this.memory = memory
  }

  /** @returns the number of bytes that were read into the target. */
  protected abstract fill(target: Buffer, offset: number): number

  /** Number of bytes in memory. */
  get loaded(): number {
    return this.#loaded
  }

  /** The index in the memory of the bytes at an offset, valid until the next call. Loads as many bytes as {@link ByteSource.read}. */
  locate(offset: number, length: number): number {
    const from = offset - this.#start
    const left = this.#loaded - from
    // Reuse the loaded bytes, unless they contain only the beginning of a range that fits in the window.
    if (from >= 0 && left > 0 && (left >= length || from === 0)) return from
    this.#loaded = this.fill(this.memory.subarray(0, Math.min(this.memory.length, this.size - offset)), offset)
    this.#start = offset
    return 0
  }

  /** Number of loaded bytes from an offset on. */
  ahead(offset: number): number {
    return offset < this.#start ? 0 : Math.max(0, this.#start + this.#loaded - offset)
  }

  read(offset: number, length: number): Buffer {
    const wanted = Math.min(length, this.size - offset)
    if (wanted <= 0) return this.memory.subarray(0, 0)
    const from = this.locate(offset, wanted)
    return this.memory.subarray(from, Math.min(from + wanted, this.#loaded))
  }
}

/** Bytes that are in memory already. All of them form the window. */
export class MemoryBytes extends WindowBytes {
  constructor(bytes: Uint8Array) {
    super(bytes.length, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length)
  }

  override locate(offset: number): number {
    return offset
  }

  protected fill(): number {
    return this.size
  }
}

/**
 * Reads one file after another into the same memory, through a window of 4 MiB. Synchronous: fresh build output is in the page cache, and
 * copying it is faster than a thread switch.
 */
export class FileBytes extends WindowBytes {
  readonly #file: number

  /**
   * @param memory the buffer to read into. Several files may use it, one at a time. Default: a buffer of the required size.
   * @throws the file system's error.
   */
  constructor(path: string, memory?: Buffer) {
    const { file, size } = openRegular(path)
    super(size, memory ?? Buffer.allocUnsafeSlow(Math.min(WINDOW_BYTES, size)))
    this.#file = file
  }

  static memory(): Buffer {
    return Buffer.allocUnsafeSlow(WINDOW_BYTES)
  }

  protected fill(target: Buffer, offset: number): number {
    return readInto(this.#file, target, offset)
  }

  close(): void {
    closeSync(this.#file)
  }
}

/**
 * Opens a file for the duration of `use`.
 * @param memory the buffer to read into; see {@link FileBytes}.
 * @throws the file system's error, and errors of `use`.
 */
export function withFileBytes<T>(path: string, memory: Buffer | undefined, use: (bytes: FileBytes) => T): T {
  const file = new FileBytes(path, memory)
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** Passes a range to the callback in pieces, each valid until the next one. Stops early if the callback returns `false`. */
export function readPieces(
  bytes: ByteSource,
  { start, end }: ByteRange,
  take: (piece: Buffer, offset: number) => boolean | undefined,
): void {
  for (let at = start; at < end; ) {
    // Use the loaded bytes first, unless there are too few to be worth a call.
    const ahead = bytes instanceof WindowBytes ? bytes.ahead(at) : 0
    const piece = bytes.read(at, Math.min(ahead >= LEAST_BYTES ? ahead : PIECE_BYTES, PIECE_BYTES, end - at))
    if (piece.length === 0 || take(piece, at) === false) return
    at += piece.length
  }
}
