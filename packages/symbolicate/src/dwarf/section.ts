import { BinaryError, type BinarySource } from '@symup/core/resolving'
import { Cursor, outside } from './cursor.ts'

const MAX_TEXT = 64 * 1024
const TEXT_STEP = 256
const PAGE = 4 * 1024
const PAGES_AHEAD = 16
const PAGES_KEPT = 2048
const WINDOW = 16 * 1024
/** Buffers of more are not kept. */
const MAX_SPARE = 16 * 1024 * 1024
/** Where large parts are read to, one after another: fresh memory for each would cost more than reading does. */
let spare: Buffer | undefined

/**
 * Bounds what one question may read, in bytes. Entries of debug information may point to the same lists and tables again and again, so
 * the size of the file bounds nothing by itself.
 */
export class WorkLimit {
  #left = 0
  #limit = 64 * 1024 * 1024

  /** Of a sound section a few times its size is read at most. */
  allowFor(section: { size: number }): void {
    this.#limit += 8 * section.size
  }

  restart(): void {
    this.#left = this.#limit
  }

  /** @throws BinaryError when there is nothing left. */
  spend(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw new BinaryError('damaged', 'its debug information runs in circles')
  }
}

/** One section of an object file, read where it is needed. */
export class Section {
  readonly size: number
  readonly little: boolean
  readonly #work: WorkLimit
  readonly #source: BinarySource
  readonly #offset: number
  #window: Cursor | undefined
  #windowAt = 0
  #windowBuffer: Buffer | undefined

  constructor(source: BinarySource, offset: number, size: number, little: boolean, work: WorkLimit) {
    this.#work = work
    this.#source = source
    this.#offset = offset
    this.size = size
    this.little = little
    work.allowFor(this)
  }

  /**
   * @param into as {@link BinarySource.read} has it.
   * @throws BinaryError when the section does not hold that much.
   */
  bytes(at: number, length: number, into?: Buffer): Buffer {
    this.#check(at, length)
    this.#work.spend(length)
    const bytes = this.#source.read(this.#offset + at, length, into)
    if (bytes.length < length) throw outside()
    return bytes
  }

  /** An offset that a file gives may lie behind the section, and what is left of that then is less than nothing. */
  #check(at: number, length: number): void {
    if (!(at >= 0 && length >= 0 && at + length <= this.size)) throw outside()
  }

  /** Bytes that last as long as `use` takes, for what is gone over once. @throws BinaryError as {@link bytes}, and what `use` throws. */
  borrow<T>(at: number, length: number, use: (bytes: Buffer) => T): T {
    if (length > MAX_SPARE) return use(this.bytes(at, length))
    this.#check(at, length)
    let buffer = spare
    spare = undefined
    if (!buffer || buffer.length < length)
      buffer = Buffer.allocUnsafeSlow(Math.max(WINDOW, 2 ** Math.ceil(Math.log2(length))))
    try {
      return use(this.bytes(at, length, buffer))
    } finally {
      spare = buffer
    }
  }

  /**
   * A cursor over at least `length` bytes, fewer at the end of the section; until the next such question. What is near the last one is not read again.
   * @throws BinaryError when it is outside the section.
   */
  near(at: number, length: number): Cursor {
    const window = this.#window
    const end = Math.min(at + length, this.size)
    if (window && at >= this.#windowAt && at <= end && end <= this.#windowAt + window.bytes.length) {
      this.#work.spend(length)
      window.at = at - this.#windowAt
      return window
    }
    if (!(at >= 0 && at <= this.size)) throw outside()
    const wanted = Math.min(Math.max(length, WINDOW), this.size - at)
    this.#windowBuffer ??= Buffer.allocUnsafeSlow(WINDOW)
    const bytes = this.bytes(at, wanted, wanted <= WINDOW ? this.#windowBuffer : undefined)
    this.#windowAt = at
    this.#window = new Cursor(bytes, this.little)
    return this.#window
  }

  /** A cursor over up to `length` bytes, fewer at the end of the section. */
  cursor(at: number, length: number): Cursor {
    if (!(at >= 0 && at <= this.size)) throw outside()
    return new Cursor(this.bytes(at, Math.min(length, this.size - at)), this.little)
  }

  /** A part of it, whose offsets count from its own start. @throws BinaryError when the section does not hold that much. */
  part(offset: number, size: number): Section {
    if (!(offset >= 0 && offset + size <= this.size)) throw outside()
    return new Section(this.#source, this.#offset + offset, size, this.little, this.#work)
  }

  text(at: number): string {
    if (!(at >= 0 && at < this.size)) throw outside()
    for (let length = TEXT_STEP; ; length *= 16) {
      const bytes = this.bytes(at, Math.min(length, this.size - at))
      const end = bytes.indexOf(0)
      if (end !== -1) return bytes.toString('utf8', 0, end)
      if (length >= MAX_TEXT || bytes.length < length) return bytes.toString('utf8')
    }
  }
}

/**
 * Serves small reads from pages of 4 KiB, of which at most 8 MiB are kept; large reads go straight through. What is read in sequence is read
 * 64 KiB at a time.
 */
export function paged(source: BinarySource): BinarySource {
  const pages = new Map<number, Buffer>()
  let lastIndex = -1
  let lastPage: Buffer = Buffer.alloc(0)
  const pageAt = (index: number): Buffer => {
    if (index === lastIndex) return lastPage
    const isNext = index === lastIndex + 1
    lastIndex = index
    const kept = pages.get(index)
    if (kept) {
      pages.delete(index)
      pages.set(index, kept)
      lastPage = kept
      return kept
    }
    const count = isNext ? PAGES_AHEAD : 1
    const read = source.read(index * PAGE, count * PAGE)
    for (let nth = 0; nth < count; nth++) {
      if (!pages.has(index + nth)) pages.set(index + nth, read.subarray(nth * PAGE, (nth + 1) * PAGE))
      if (pages.size > PAGES_KEPT) pages.delete(pages.keys().next().value as number)
    }
    lastPage = read.subarray(0, PAGE)
    return lastPage
  }
  return {
    size: source.size,
    read(position, length, into) {
      const first = Math.floor(position / PAGE)
      const inPage = position - first * PAGE
      if (inPage + length <= PAGE) return pageAt(first).subarray(inPage, inPage + length)
      return source.read(position, length, into)
    },
    close: source.close,
  }
}
