import { closeSync, fstatSync, openSync } from 'node:fs'
import { type ByteSource, readInto } from '@symup/core/internal'
import type { WeightedCache } from './cache.ts'

/** A look-up takes a page or two of each file. */
const PAGE_BYTES = 8 * 1024
/** What is longer is read once, as it is, and not kept. */
const MAX_KEPT = 4 * PAGE_BYTES

/**
 * A file of which only the pages that are looked at are read and kept. It is opened for each read, so that any number of them can be kept. Reads at once: what
 * is asked twice is in the page cache, from where a few kilobytes come sooner than the answer of another thread.
 */
export class PagedFile implements ByteSource {
  readonly size: number
  readonly #path: string
  readonly #pages: WeightedCache<unknown>

  /**
   * @param pages where pages are kept; other files have other caches, or other paths.
   * @throws the file system's error, as every read does.
   */
  constructor(path: string, pages: WeightedCache<unknown>) {
    this.#path = path
    this.#pages = pages
    const file = openSync(path, 'r')
    try {
      this.size = fstatSync(file).size
    } finally {
      closeSync(file)
    }
  }

  read(offset: number, length: number): Buffer {
    const end = Math.min(this.size, offset + length)
    if (end <= offset) return Buffer.alloc(0)
    const first = Math.floor(offset / PAGE_BYTES)
    const last = Math.floor((end - 1) / PAGE_BYTES)
    const start = first * PAGE_BYTES
    if (first === last) return this.#page(first).subarray(offset - start, end - start)
    if (end - offset > MAX_KEPT) return this.#load(offset, end - offset)
    const pages: Buffer[] = []
    for (let page = first; page <= last; page++) pages.push(this.#page(page))
    return Buffer.concat(pages).subarray(offset - start, end - start)
  }

  #page(number: number): Buffer {
    const key = `${this.#path}:${number}`
    const known = this.#pages.get(key) as Buffer | undefined
    if (known) return known
    const start = number * PAGE_BYTES
    const page = this.#load(start, Math.min(PAGE_BYTES, this.size - start))
    this.#pages.set(key, page, page.length)
    return page
  }

  #load(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(length)
    const file = openSync(this.#path, 'r')
    try {
      // A file that became shorter is another one.
      if (readInto(file, bytes, offset) < length) throw new Error('a file changed while it was read')
    } finally {
      closeSync(file)
    }
    return bytes
  }
}
