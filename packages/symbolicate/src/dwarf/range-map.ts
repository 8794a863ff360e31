import { firstAbove } from '@symup/core/resolving'

const CHUNK = 512
const FIRST_ROOM = 8

/** Ranges sorted by start, in columns of numbers. Objects would take several times the memory. */
class Chunk {
  count = 0
  starts: Float64Array
  ends: Float64Array
  owners: Uint32Array

  constructor(room: number) {
    this.starts = new Float64Array(room)
    this.ends = new Float64Array(room)
    this.owners = new Uint32Array(room)
  }

  /** The number of ranges that start at or before an address. */
  upTo(address: number): number {
    const { starts, count } = this
    // Most ranges are added in order.
    if (count > 0 && (starts[count - 1] as number) <= address) return count
    return firstAbove(count, (at) => (starts[at] as number) > address)
  }

  insert(at: number, start: number, end: number, owner: number): void {
    if (this.count === this.starts.length) this.#grow()
    if (at < this.count) {
      this.starts.copyWithin(at + 1, at, this.count)
      this.ends.copyWithin(at + 1, at, this.count)
      this.owners.copyWithin(at + 1, at, this.count)
    }
    this.starts[at] = start
    this.ends[at] = end
    this.owners[at] = owner
    this.count++
  }

  /** Moves the ranges from `at` on to a new chunk. */
  cut(at: number): Chunk {
    const rest = new Chunk(CHUNK)
    rest.starts.set(this.starts.subarray(at, this.count))
    rest.ends.set(this.ends.subarray(at, this.count))
    rest.owners.set(this.owners.subarray(at, this.count))
    rest.count = this.count - at
    this.count = at
    return rest
  }

  #grow(): void {
    const larger = new Chunk(Math.min(this.count * 2, CHUNK))
    larger.starts.set(this.starts)
    larger.ends.set(this.ends)
    larger.owners.set(this.owners)
    this.starts = larger.starts
    this.ends = larger.ends
    this.owners = larger.owners
  }
}

/**
 * Finds the innermost of nested address ranges. A range that starts inside another one splits it, as in LLVM's
 * `updateAddressDieMap`; the results are equal even for broken nesting. Chunked, because inserting into one array would
 * take quadratic time.
 */
export class RangeMap {
  readonly #chunks = [new Chunk(FIRST_ROOM)]
  size = 0

  /** Add outer ranges before inner ones. */
  add(low: number, high: number, owner: number): void {
    const chunk = this.#chunks[this.#chunkFor(low)] as Chunk
    const below = chunk.upTo(low) - 1
    if (below >= 0) {
      const start = chunk.starts[below] as number
      const end = chunk.ends[below] as number
      if (low < end) {
        const outer = chunk.owners[below] as number
        if (low > start) chunk.ends[below] = low
        if (high < end) this.#set(high, end, outer)
      }
    }
    this.#set(low, high, owner)
  }

  /** @returns the owner of the last range that starts at or before the address, if it contains the address. */
  at(address: number): number | undefined {
    const chunk = this.#chunks[this.#chunkFor(address)] as Chunk
    const below = chunk.upTo(address) - 1
    return below >= 0 && address < (chunk.ends[below] as number) ? chunk.owners[below] : undefined
  }

  /** The last chunk that starts at or before the address. */
  #chunkFor(address: number): number {
    if (this.#chunks.length === 1) return 0
    const above = firstAbove(this.#chunks.length, (at) => ((this.#chunks[at] as Chunk).starts[0] as number) > address)
    return Math.max(0, above - 1)
  }

  #set(start: number, end: number, owner: number): void {
    const place = this.#chunkFor(start)
    const chunk = this.#chunks[place] as Chunk
    const at = chunk.upTo(start)
    if (at > 0 && chunk.starts[at - 1] === start) {
      chunk.ends[at - 1] = end
      chunk.owners[at - 1] = owner
      return
    }
    this.size++
    if (chunk.count < CHUNK) {
      chunk.insert(at, start, end, owner)
      return
    }
    // Most ranges come in order, so keep the full chunk full.
    const rest = chunk.cut(at === CHUNK ? CHUNK : CHUNK / 2)
    this.#chunks.splice(place + 1, 0, rest)
    if (at >= chunk.count) rest.insert(at - chunk.count, start, end, owner)
    else chunk.insert(at, start, end, owner)
  }
}
