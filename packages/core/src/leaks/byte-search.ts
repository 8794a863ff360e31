const PIECE = 4
const HASH_BITS = 16
/** Knuth's multiplier, which spreads 32-bit numbers evenly. */
const SPREAD = 0x9e3779b1

/**
 * Searches for several needles at once. The search reads a piece of four bytes per step. The steps are so short that every needle contains
 * at least one whole piece. Needles are compared only near a matching piece.
 */
export class ByteSearch {
  readonly #needles: readonly Buffer[]
  readonly #longest: number
  readonly #step: number
  /** All pieces of the needles, and a table that rules out most other pieces. */
  readonly #pieces = new Set<number>()
  readonly #mayBePiece = new Uint8Array(2 ** HASH_BITS)

  /** @param needles texts of at least four bytes each. */
  constructor(needles: readonly Buffer[]) {
    const lengths = needles.map(({ length }) => length)
    this.#needles = needles
    this.#longest = Math.max(...lengths)
    this.#step = Math.min(...lengths) - PIECE + 1
    for (const needle of needles)
      for (let at = 0; at + PIECE <= needle.length; at++) {
        const piece = pieceAt(needle, at)
        this.#pieces.add(piece)
        this.#mayBePiece[hash(piece)] = 1
      }
  }

  find(bytes: Buffer): { needle: number; offset: number } | undefined {
    for (let at = 0; at + PIECE <= bytes.length; at += this.#step) {
      const piece = pieceAt(bytes, at)
      if (this.#mayBePiece[hash(piece)] === 0 || !this.#pieces.has(piece)) continue
      const from = Math.max(0, at - this.#longest)
      const found = this.#firstIn(bytes.subarray(from, at + this.#longest))
      if (found) return { needle: found.needle, offset: from + found.offset }
    }
    return undefined
  }

  #firstIn(bytes: Buffer): { needle: number; offset: number } | undefined {
    const found = this.#needles
      .map((it, needle) => ({ needle, offset: bytes.indexOf(it) }))
      .filter(({ offset }) => offset !== -1)
    return found.sort((a, b) => a.offset - b.offset)[0]
  }
}

function pieceAt(bytes: Buffer, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  )
}

function hash(piece: number): number {
  return Math.imul(piece, SPREAD) >>> (32 - HASH_BITS)
}
