const [NEWLINE, SPACE] = [0x0a, 0x20]
/** By byte: the value of a hexadecimal digit, otherwise -1. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(digit) ? -1 : digit
})

/** Parses records in place, because a function may have millions and creating strings would be slow. */
export class Records {
  readonly bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Moves to the next line. @returns whether there is one. */
  nextLine(): boolean {
    const { bytes } = this
    let at = this.at
    while (at < bytes.length && bytes[at] !== NEWLINE) at++
    this.at = at + 1
    return at + 1 < bytes.length
  }

  /** Moves past a space. @returns whether there was one. */
  space(): boolean {
    if (this.bytes[this.at] !== SPACE) return false
    this.at++
    return true
  }

  /** Moves to the next field of the line. @returns whether there is one. */
  nextField(): boolean {
    const { bytes } = this
    let at = this.at
    while (at < bytes.length && bytes[at] !== SPACE && bytes[at] !== NEWLINE) at++
    this.at = at
    return this.space()
  }

  /** Parses hexadecimal digits; -1 if there are none. */
  hex(): number {
    const { bytes } = this
    let at = this.at
    let value = 0
    for (; at < bytes.length; at++) {
      const digit = DIGITS[bytes[at] as number] as number
      if (digit < 0) break
      value = value * 16 + digit
    }
    if (at === this.at) return -1
    this.at = at
    return value
  }

  /** Parses an address and a size. @returns whether the range contains the address; undefined if there is no range. */
  hasInRange(address: number): boolean | undefined {
    const low = this.hex()
    if (low < 0 || !this.space()) return undefined
    const size = this.hex()
    return size < 0 ? undefined : address >= low && address < low + size
  }
}
