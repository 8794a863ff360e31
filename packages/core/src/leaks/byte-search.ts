import { kernel } from '../formats/source-map/kernel.ts'

/** Whose table the kernel has. */
let current: ByteSearch | undefined

/**
 * Finds the first of several byte strings in one pass. Looks at two bytes at a time, from the end of where the shortest could stand, and skips
 * as far as none of them can begin (S. Wu, U. Manber: A fast algorithm for multi-pattern searching, 1994).
 */
export class ByteSearch {
  readonly #needles: readonly Buffer[]
  /** Bytes of the shortest needle. */
  readonly #window: number
  /** By the last two bytes of the window: how far it can be moved; 0 where a needle may stand. */
  readonly #skips: Uint16Array

  /** @param needles of at least two bytes each. */
  constructor(needles: readonly Buffer[]) {
    this.#needles = needles
    this.#window = Math.min(...needles.map(({ length }) => length))
    const last = this.#window - 2
    this.#skips = new Uint16Array(0x10000).fill(last + 1)
    for (const needle of needles) {
      for (let at = 0; at <= last; at++) {
        const pair = ((needle[at] as number) << 8) | (needle[at + 1] as number)
        this.#skips[pair] = Math.min(this.#skips[pair] as number, last - at)
      }
    }
  }

  /** @param given in the kernel's memory; elsewhere at most 64 KiB. @returns where the first one stands, and its index. */
  find(given: Buffer): { needle: number; offset: number } | undefined {
    const { run, skips } = kernel()
    const bytes = kernel().within(given)
    if (current !== this) skips.set(this.#skips)
    current = this
    const last = this.#window - 2
    const { byteOffset } = bytes
    const end = byteOffset + bytes.length
    for (let at = byteOffset + last; ; at++) {
      at = run.findCandidate(at, end)
      if (at >= end) return undefined
      const offset = at - byteOffset - last
      const needle = this.#needles.findIndex((it) => bytes.subarray(offset, offset + it.length).equals(it))
      if (needle !== -1) return { needle, offset }
    }
  }
}
