const DIGITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((letter, at) => [letter, at]),
)

export class VlqNumbers {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Returns 0 at the end of the text. */
  unsigned(): number {
    let value = 0
    for (let weight = 1; weight < 2 ** 40; weight *= 32) {
      const digit = DIGITS.get(this.#text[this.#at++] as string) ?? 0
      value += (digit & 31) * weight
      if (!(digit & 32)) break
    }
    return value
  }

  signed(): number {
    const value = this.unsigned()
    return value % 2 === 1 ? -(value - 1) / 2 : value / 2
  }
}
