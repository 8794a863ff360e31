import { closeSync, openSync, statSync } from 'node:fs'
import { type ByteSource, readInto, readPieces } from '@symup/core/resolving'
import type { WeightedCache } from './cache.ts'

/** The page size in bytes. A lookup reads one or two pages from each file. */
const PAGE_BYTES = 8 * 1024
/** The maximum size of a cached read, in pages. Larger reads bypass the cache. */
const MAX_KEPT = 4

export interface PageSource {
  size: number
  /** A key that is unique among the sources in the cache. */
  key: string
  pageBytes: number
  /**
   * Reads whole pages, starting at a page boundary. The last page can be shorter.
   * @throws if the pages cannot be read.
   */
  load(offset: number, length: number): Buffer
}

export class PagedBytes implements ByteSource {
  readonly size: number
  readonly #source: PageSource
  readonly #pages: WeightedCache<unknown>

  constructor(source: PageSource, pages: WeightedCache<unknown>) {
    this.size = source.size
    this.#source = source
    this.#pages = pages
  }

  /** @throws the error from `load` if the pages cannot be read. */
  read(offset: number, length: number): Buffer {
    const { pageBytes } = this.#source
    const end = Math.min(this.size, offset + length)
    if (end <= offset) return Buffer.alloc(0)
    const first = Math.floor(offset / pageBytes)
    const last = Math.floor((end - 1) / pageBytes)
    const start = first * pageBytes
    if (first === last) return this.#page(first).subarray(offset - start, end - start)
    if (end - offset > MAX_KEPT * pageBytes)
      return this.#load(start, (last + 1) * pageBytes - start).subarray(offset - start, end - start)
    const pages: Buffer[] = []
    for (let page = first; page <= last; page++) pages.push(this.#page(page))
    return Buffer.concat(pages).subarray(offset - start, end - start)
  }

  #page(number: number): Buffer {
    const { key, pageBytes } = this.#source
    const name = `${key}:${number}`
    const known = this.#pages.get(name) as Buffer | undefined
    if (known) return known
    const page = this.#load(number * pageBytes, pageBytes)
    this.#pages.set(name, page, page.length)
    return page
  }

  #load(offset: number, length: number): Buffer {
    return this.#source.load(offset, Math.min(length, this.size - offset))
  }
}

/**
 * A file that is reopened for each read, so that any number of files can be used at the same time. Reads are synchronous, because most of
 * them hit the operating system's page cache, which is faster than a round trip to another thread.
 */
export class PagedFile extends PagedBytes {
  /**
   * @param key identifies the file in the cache. Short keys make lookups faster.
   * @throws the file system error if the file cannot be read. Later reads can throw the same error.
   */
  constructor(path: string, pages: WeightedCache<unknown>, key = path) {
    super({ size: statSync(path).size, key, pageBytes: PAGE_BYTES, load: (...range) => load(path, ...range) }, pages)
  }
}

/** Returns the bytes in a range, or fewer bytes at the end of the source. @throws the error from the read. */
export function readRange(source: ByteSource, start: number, end: number): Buffer {
  const pieces: Buffer[] = []
  readPieces(source, { start, end }, (piece) => pieces.push(Buffer.from(piece)) > 0)
  return Buffer.concat(pieces)
}

function load(path: string, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  const file = openSync(path, 'r')
  try {
    // The file became shorter during the read, because another file replaced it.
    if (readInto(file, bytes, offset) < length) throw new Error('The file changed while it was being read.')
  } finally {
    closeSync(file)
  }
  return bytes
}
