import { BinaryError } from '@symup/core/resolving'

/**
 * Reads DWARF numbers sequentially.
 * @throws BinaryError if a read would go past the end.
 */
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

  u16(): number {
    const at = this.#take(2)
    return this.little ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at)
  }

  u24(): number {
    const first = this.u8()
    const rest = this.u16()
    return this.little ? (rest << 8) | first : (first << 16) | rest
  }

  u32(): number {
    const at = this.#take(4)
    return this.little ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at)
  }

  /**
   * Reads a 64-bit number. Numbers up to 2^53 are exact. Larger numbers are usually all-ones markers, so the loss of precision is harmless.
   */
  u64(): number {
    const first = this.u32()
    const second = this.u32()
    return this.little ? second * 2 ** 32 + first : first * 2 ** 32 + second
  }

  sized(bytes: number): number {
    if (bytes === 8) return this.u64()
    if (bytes === 4) return this.u32()
    return bytes === 2 ? this.u16() : this.u8()
  }

  uleb(): number {
    const first = this.bytes[this.at] as number
    // Most LEB128 numbers fit in one byte.
    if (first < 0x80) {
      this.at++
      return first
    }
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
  return new BinaryError('damaged', 'The debug information contains an offset that is out of range.')
}
