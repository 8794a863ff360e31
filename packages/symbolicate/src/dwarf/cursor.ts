import { BinaryError } from '@symup/core/resolving'

/** Reads DWARF numbers sequentially. Reading beyond the end throws a BinaryError. */
export class Cursor {
  readonly bytes: Buffer
  readonly little: boolean
  at: number

  constructor(bytes: Buffer, little: boolean, at = 0) {
    this.bytes = bytes
    this.little = little
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length
  }

  skip(count: number): void {
    this.at += count
    if (!(this.at <= this.bytes.length)) throw outside()
  }

  u8(): number {
    const value = this.bytes[this.at++]
    if (value === undefined) throw outside()
    return value
  }

  // Hand-written, because Buffer's methods inline to several times as much code.
  u16(): number {
    const { bytes } = this
    const at = this.#take(2)
    const first = bytes[at] as number
    const second = bytes[at + 1] as number
    return this.little ? (second << 8) | first : (first << 8) | second
  }

  u24(): number {
    const first = this.u8()
    const rest = this.u16()
    return this.little ? (rest << 8) | first : (first << 16) | rest
  }

  u32(): number {
    const { bytes } = this
    const at = this.#take(4)
    const first = bytes[at] as number
    const second = bytes[at + 1] as number
    const third = bytes[at + 2] as number
    const fourth = bytes[at + 3] as number
    return this.little
      ? ((fourth << 24) | (third << 16) | (second << 8) | first) >>> 0
      : ((first << 24) | (second << 16) | (third << 8) | fourth) >>> 0
  }

  /** Exact to 2^53. Larger values are an "all ones" marker, which stays larger than any address. */
  u64(): number {
    const first = this.u32()
    const second = this.u32()
    return this.little ? second * 2 ** 32 + first : first * 2 ** 32 + second
  }

  /** A number of 1, 2, 4 or 8 bytes. */
  sized(bytes: number): number {
    if (bytes === 8) return this.u64()
    if (bytes === 4) return this.u32()
    return bytes === 2 ? this.u16() : this.u8()
  }

  uleb(): number {
    const { bytes } = this
    const byte = bytes[this.at] as number
    // Most have one byte, and most others up to four.
    if (byte < 0x80) {
      this.at++
      return byte
    }
    let value = 0
    let { at } = this
    for (let shift = 0; shift < 28; shift += 7) {
      const next = bytes[at++] as number
      value |= (next & 0x7f) << shift
      if (next < 0x80) {
        this.at = at
        return value
      }
    }
    return this.#longUleb()
  }

  #longUleb(): number {
    let value = 0
    let factor = 1
    for (;;) {
      const byte = this.u8()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
      factor *= 128
    }
  }

  sleb(): number {
    let value = 0
    let factor = 1
    for (;;) {
      const byte = this.u8()
      value += (byte & 0x7f) * factor
      factor *= 128
      if (byte < 0x80) return byte & 0x40 ? value - factor : value
    }
  }

  skipLeb(): void {
    while (this.u8() >= 0x80);
  }

  text(): string {
    const start = this.at
    this.skipText()
    return this.bytes.toString('utf8', start, this.at - 1)
  }

  skipText(): void {
    const end = this.bytes.indexOf(0, this.at)
    if (end === -1) throw outside()
    this.at = end + 1
  }

  #take(count: number): number {
    const at = this.at
    this.skip(count)
    return at
  }
}

export function outside(): BinaryError {
  return new BinaryError('damaged', 'its debug information points outside itself')
}
