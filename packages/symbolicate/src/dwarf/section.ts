import { BinaryError, type BinarySource } from '@symup/core/resolving'
import { WeightedCache } from '../cache.ts'
import { PagedBytes } from '../paged-file.ts'
import { Cursor, outside } from './cursor.ts'

const MAX_TEXT = 64 * 1024
const TEXT_STEP = 256
const PAGE = 16 * 1024
const KEPT_BYTES = 8 * 1024 * 1024

/**
 * Limits the number of bytes that a request can read. The file size is not a sufficient limit, because entries can refer to the same tables
 * repeatedly.
 */
export class WorkLimit {
  #left = 0
  #limit = 64 * 1024 * 1024

  /** Raises the limit far enough to read each valid section several times. */
  allowFor(section: { size: number }): void {
    this.#limit += 8 * section.size
  }

  restart(): void {
    this.#left = this.#limit
  }

  /** @throws BinaryError if the limit is exceeded. */
  spend(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw new BinaryError('damaged', 'The debug information contains a cycle.')
  }
}

export class Section {
  readonly size: number
  readonly little: boolean
  readonly #work: WorkLimit
  readonly #source: BinarySource
  readonly #offset: number

  constructor(source: BinarySource, offset: number, size: number, little: boolean, work: WorkLimit) {
    this.#work = work
    this.#source = source
    this.#offset = offset
    this.size = size
    this.little = little
    work.allowFor(this)
  }

  /** @throws BinaryError if the section is too short. */
  bytes(at: number, length: number): Buffer {
    // The remaining length is negative if an offset is past the end of the section.
    if (!(at >= 0 && length >= 0 && at + length <= this.size)) throw outside()
    this.#work.spend(length)
    const bytes = this.#source.read(this.#offset + at, length)
    if (bytes.length < length) throw outside()
    return bytes
  }

  cursor(at: number, length: number): Cursor {
    if (!(at >= 0 && at <= this.size)) throw outside()
    return new Cursor(this.bytes(at, Math.min(length, this.size - at)), this.little)
  }

  /** Returns a part of the section. Offsets in the part are relative to its start. @throws BinaryError if the section is too short. */
  part(offset: number, size: number): Section {
    if (!(offset >= 0 && offset + size <= this.size)) throw outside()
    return new Section(this.#source, this.#offset + offset, size, this.little, this.#work)
  }

  text(at: number): string {
    if (!(at >= 0 && at < this.size)) throw outside()
    return readTerminated((length) => this.bytes(at, Math.min(length, this.size - at)))
  }
}

/** Reads a text that ends with a zero, or the first 64 KiB of a longer text. */
export function readTerminated(read: (length: number) => Buffer): string {
  for (let length = TEXT_STEP; ; length *= 16) {
    const bytes = read(length)
    const end = bytes.indexOf(0)
    if (end !== -1) return bytes.toString('utf8', 0, end)
    if (length >= MAX_TEXT || bytes.length < length) return bytes.toString('utf8')
  }
}

/** Serves small reads from cached pages (at most 8 MiB in total). Large reads bypass the cache. */
export function paged(source: BinarySource): BinarySource {
  const { size, close } = source
  const load = (position: number, length: number) => source.read(position, length)
  const bytes = new PagedBytes({ size, key: '', pageBytes: PAGE, load }, new WeightedCache(KEPT_BYTES))
  return { size, read: (position, length) => bytes.read(position, length), close }
}
