const [NEWLINE, SPACE] = [0x0a, 0x20]
/** By byte: the value of a hexadecimal digit, -1 of what is none. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(digit) ? -1 : digit
})

/** Reads records where they stand: of millions that a function may have, no text is made. */
export class Records {
  readonly bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Goes to the start of the next line. @returns whether there is one. */
  nextLine(): boolean {
    const { bytes } = this
    let at = this.at
    while (at < bytes.length && bytes[at] !== NEWLINE) at++
    this.at = at + 1
    return at + 1 < bytes.length
  }

  /** Goes behind the space that stands here. @returns whether there is one. */
  space(): boolean {
    if (this.bytes[this.at] !== SPACE) return false
    this.at++
    return true
  }

  /** Goes to the next field of the line. @returns whether there is one. */
  nextField(): boolean {
    const { bytes } = this
    let at = this.at
    while (at < bytes.length && bytes[at] !== SPACE && bytes[at] !== NEWLINE) at++
    this.at = at
    return this.space()
  }

  /** Reads hexadecimal digits; -1 where there are none. */
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

  /** Reads an address and a size. @returns whether they are of a range that has the address; undefined where they are not there. */
  hasInRange(address: number): boolean | undefined {
    const low = this.hex()
    if (low < 0 || !this.space()) return undefined
    const size = this.hex()
    return size < 0 ? undefined : address >= low && address < low + size
  }
}
