import { firstAbove } from './line-program.ts'

const CHUNK = 512

interface Chunk {
  starts: number[]
  ends: number[]
  owners: number[]
}

/**
 * Which of many nested address ranges an address is in. A range that starts inside another splits it, as in LLVM's `updateAddressDieMap`,
 * whose answers this repeats in every case, broken nesting included. Sorted chunks: inserting into one array would take quadratic time.
 */
export class RangeMap {
  readonly #chunks: Chunk[] = [{ starts: [], ends: [], owners: [] }]
  size = 0

  /** To be called for the outer range before the inner one. */
  add(low: number, high: number, owner: number): void {
    const below = this.#floor(low)
    if (below) {
      const { chunk, index } = below
      const start = chunk.starts[index] as number
      const end = chunk.ends[index] as number
      if (low < end) {
        const outer = chunk.owners[index] as number
        if (low > start) chunk.ends[index] = low
        if (high < end) this.#set(high, end, outer)
      }
    }
    this.#set(low, high, owner)
  }

  /** @returns the owner of the range that starts last at or before the address, when it reaches the address. */
  at(address: number): number | undefined {
    const below = this.#floor(address)
    return below && address < (below.chunk.ends[below.index] as number) ? below.chunk.owners[below.index] : undefined
  }

  #floor(address: number): { chunk: Chunk; index: number } | undefined {
    const chunk = this.#chunks[this.#chunkFor(address)] as Chunk
    const index = firstAbove(chunk.starts.length, (at) => (chunk.starts[at] as number) > address) - 1
    return index >= 0 ? { chunk, index } : undefined
  }

  /** The last chunk that starts at or before the address. */
  #chunkFor(address: number): number {
    const above = firstAbove(this.#chunks.length, (at) => (this.#chunks[at]?.starts[0] ?? 0) > address)
    return Math.max(0, above - 1)
  }

  #set(start: number, end: number, owner: number): void {
    const place = this.#chunkFor(start)
    const { starts, ends, owners } = this.#chunks[place] as Chunk
    const at = firstAbove(starts.length, (index) => (starts[index] as number) >= start)
    const isThere = starts[at] === start
    starts.splice(at, isThere ? 1 : 0, start)
    ends.splice(at, isThere ? 1 : 0, end)
    owners.splice(at, isThere ? 1 : 0, owner)
    if (!isThere) this.size++
    if (starts.length <= CHUNK) return
    // Entries mostly come in order: the left part stays full.
    const cut = at === starts.length - 1 ? CHUNK : CHUNK / 2
    const rest = { starts: starts.splice(cut), ends: ends.splice(cut), owners: owners.splice(cut) }
    this.#chunks.splice(place + 1, 0, rest)
  }
}
