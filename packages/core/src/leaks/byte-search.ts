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

  /** @returns where the first one stands, and its index. */
  find(bytes: Buffer): { needle: number; offset: number } | undefined {
    const last = this.#window - 2
    for (let at = last; at + 1 < bytes.length; ) {
      const skip = this.#skips[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] as number
      if (skip > 0) {
        at += skip
        continue
      }
      const offset = at - last
      const needle = this.#needles.findIndex((it) => bytes.subarray(offset, offset + it.length).equals(it))
      if (needle !== -1) return { needle, offset }
      at++
    }
    return undefined
  }
}
