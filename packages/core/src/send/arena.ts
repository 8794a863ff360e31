import { freeMemory } from '../transport/free-memory.ts'

/** A free range of the memory. */
interface Range {
  from: number
  to: number
}

/**
 * Memory that is given out in ranges, at the lowest place that is large enough, and taken back. Whoever finds no room waits for it. Buffers that are
 * allocated and freed one by one leave gaps in the process's heap, which then grows, and each fresh one costs a page fault each 4 KB. What was
 * never given out takes no memory.
 */
export class Arena {
  readonly #bytes: number
  #memory: Buffer | undefined
  /** In order, with something taken between any two. */
  readonly #free: Range[]
  /** In the order in which they came. */
  readonly #waiting: { length: number; resolve(taken: Buffer): void }[] = []

  constructor(bytes: number) {
    this.#bytes = bytes
    this.#free = [{ from: 0, to: bytes }]
  }

  /** @param length at most what the arena has. */
  take(length: number): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#waiting.push({ length, resolve })
      this.#serve()
    })
  }

  /** What it had may be overwritten from now on. */
  give({ byteOffset: from, length }: Buffer): void {
    this.#insert({ from, to: from + length })
    this.#serve()
  }

  close(): void {
    if (this.#memory) freeMemory(this.#memory)
    this.#memory = undefined
  }

  #serve(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const taken = this.#takeNow(next.length)
      if (!taken) return
      this.#waiting.shift()
      next.resolve(taken)
    }
  }

  #takeNow(length: number): Buffer | undefined {
    const nth = this.#free.findIndex(({ from, to }) => to - from >= length)
    const range = this.#free[nth]
    if (!range) return undefined
    this.#memory ??= Buffer.allocUnsafeSlow(this.#bytes)
    const taken = this.#memory.subarray(range.from, range.from + length)
    range.from += length
    if (range.from === range.to) this.#free.splice(nth, 1)
    return taken
  }

  #insert({ from, to }: Range): void {
    const following = this.#free.findIndex((range) => range.from >= to)
    const at = following === -1 ? this.#free.length : following
    const before = this.#free[at - 1]?.to === from ? this.#free[at - 1] : undefined
    const after = this.#free[at]?.from === to ? this.#free[at] : undefined
    const merged = { from: before?.from ?? from, to: after?.to ?? to }
    this.#free.splice(before ? at - 1 : at, (before ? 1 : 0) + (after ? 1 : 0), merged)
  }
}
