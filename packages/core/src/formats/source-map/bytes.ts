import { closeSync } from 'node:fs'
import { openRegular } from '../../files/open-regular.ts'
import { readInto } from '../../files/read-at.ts'

/** A half-open range of bytes: `end` is the offset behind the last one. */
export interface ByteRange {
  start: number
  end: number
}

/** Bytes that can be read anywhere, of up to 4 GiB. */
export interface ByteSource {
  /** Bytes. */
  readonly size: number
  /**
   * Bytes from an offset on: `length` of them, or of more than 64 KiB at least so many; fewer only at the end. They are valid until the next call.
   * @throws the file system's error.
   */
  read(offset: number, length: number): Buffer
}

/** Large enough that the calls do not count, small enough to stay in a processor's cache. */
const PIECE_BYTES = 1024 * 1024
/** What of a piece is read by itself. */
const LEAST_BYTES = 64 * 1024
/** Most maps are smaller and are read once, whatever is looked up in them. */
const WINDOW_BYTES = 4 * PIECE_BYTES

/** Bytes that are looked at through a window of memory, so that their size does not matter. */
export abstract class WindowBytes implements ByteSource {
  readonly size: number
  readonly memory: Buffer
  /** Offset of what is loaded, and how many bytes that are. */
  #start = 0
  #loaded: number

  /** @param loaded bytes of the beginning that are in the memory. Default: none. */
  constructor(size: number, memory: Buffer, loaded = 0) {
    this.#loaded = loaded
    // A file's size comes as a double, which V8 keeps apart from the whole numbers that offsets are.
    this.size = size < 2 ** 31 ? size | 0 : size
    this.memory = memory
  }

  /** @returns how many bytes from an offset on are in the target. */
  protected abstract fill(target: Buffer, offset: number): number

  /** Bytes that are in the memory. */
  get loaded(): number {
    return this.#loaded
  }

  /** The index in the memory, until the next call, of bytes from an offset on: of so many, or as many as {@link ByteSource.read} would give. */
  locate(offset: number, length: number): number {
    const from = offset - this.#start
    const left = this.#loaded - from
    // What is loaded serves unless it holds only the beginning of something that a whole window would hold.
    if (from >= 0 && left > 0 && (left >= length || from === 0)) return from
    this.#loaded = this.fill(this.memory.subarray(0, Math.min(this.memory.length, this.size - offset)), offset)
    this.#start = offset
    return 0
  }

  /** Bytes from an offset on that are loaded. */
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

/** Bytes that are in memory already: all of them are the window. */
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
 * Reads one file after another into the same memory: a window of 4 MiB at a time.
 * Synchronous: what a build has just written is in the page cache, from where a copy is quicker than the way to another thread.
 */
export class FileBytes extends WindowBytes {
  readonly #file: number

  /**
   * @param memory what is read into; one may serve several files, one after the other. Default: as much as this one needs.
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
 * Opens a file for as long as something is done with it.
 * @param memory what is read into; see {@link FileBytes}.
 * @throws the file system's error, and what is thrown by `use`.
 */
export function withFileBytes<T>(path: string, memory: Buffer | undefined, use: (bytes: FileBytes) => T): T {
  const file = new FileBytes(path, memory)
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** Passes a range in pieces, each valid until the next; ends early where a piece is answered with `false`. */
export function readPieces(
  bytes: ByteSource,
  { start, end }: ByteRange,
  take: (piece: Buffer, offset: number) => boolean | undefined,
): void {
  for (let at = start; at < end; ) {
    // What is loaded already is not loaded again, unless it is hardly worth a call.
    const ahead = bytes instanceof WindowBytes ? bytes.ahead(at) : 0
    const piece = bytes.read(at, Math.min(ahead >= LEAST_BYTES ? ahead : PIECE_BYTES, PIECE_BYTES, end - at))
    if (piece.length === 0 || take(piece, at) === false) return
    at += piece.length
  }
}
