import { BinaryError, firstAbove } from '@symup/core/resolving'

const FIELDS = 4
/** The maximum number of records, which limits the table to 256 MB. For comparison, Chromium has about a million functions. */
const MAX_RECORDS = 8_000_000

/** Records sorted by key. Each record consists of four numbers: key, size, offset and end. */
export class Columns {
  #values = new Float64Array(1024 * FIELDS)
  #count = 0
  #isSorted = true

  get weight(): number {
    return this.#values.byteLength
  }

  add(key: number, size: number, offset: number, end: number): void {
    if (!Number.isFinite(key) || !Number.isFinite(size)) return
    if (this.#count * FIELDS === this.#values.length) {
      if (this.#count >= MAX_RECORDS) throw new BinaryError('damaged', 'The file has too many records.')
      const grown = new Float64Array(Math.min(this.#values.length * 2, MAX_RECORDS * FIELDS))
      grown.set(this.#values)
      this.#values = grown
    }
    const at = this.#count++ * FIELDS
    this.#values[at] = key
    this.#values[at + 1] = size
    this.#values[at + 2] = offset
    this.#values[at + 3] = end
    if (at > 0 && key < (this.#values[at - FIELDS] as number)) this.#isSorted = false
  }

  /** Sorts the records by key without changing the order of equal keys. */
  sort(): void {
    if (this.#isSorted) return
    const old = this.#values
    const order = Uint32Array.from({ length: this.#count }, (_, index) => index)
    order.sort((a, b) => (old[a * FIELDS] as number) - (old[b * FIELDS] as number) || a - b)
    const sorted = new Float64Array(this.#count * FIELDS)
    for (const [at, from] of order.entries()) sorted.set(old.subarray(from * FIELDS, (from + 1) * FIELDS), at * FIELDS)
    this.#values = sorted
    this.#isSorted = true
  }

  /**
   * Returns the index of the last record whose key does not exceed the given key, or -1. If several records have the same key, the first
   * one is returned.
   */
  lastNotAbove(key: number): number {
    const last = firstAbove(this.#count, (index) => this.key(index) > key) - 1
    if (last < 0) return -1
    const found = this.key(last)
    return firstAbove(last, (index) => this.key(index) >= found)
  }

  key(index: number): number {
    return this.#values[index * FIELDS] as number
  }

  size(index: number): number {
    return this.#values[index * FIELDS + 1] as number
  }

  offset(index: number): number {
    return this.#values[index * FIELDS + 2] as number
  }

  end(index: number): number {
    return this.#values[index * FIELDS + 3] as number
  }
}
