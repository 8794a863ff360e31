const [MINUS, PLUS, DOT, ZERO, NINE, LETTER_E] = [0x2d, 0x2b, 0x2e, 0x30, 0x39, 0x65]

type Part = 'minus' | 'zero' | 'digits' | 'dot' | 'fraction' | 'e' | 'sign' | 'exponent'

const isDigit = (byte: number) => byte >= ZERO && byte <= NINE

/** Validates a JSON number byte by byte. Source: RFC 8259, section 6. */
export class JsonNumber {
  #part: Part = 'minus'

  /** @returns whether a number can begin with this byte. */
  begin(byte: number): boolean {
    if (byte !== MINUS && !isDigit(byte)) return false
    this.#part = byte === MINUS ? 'minus' : byte === ZERO ? 'zero' : 'digits'
    return true
  }

  /** @returns whether the byte continues the number. */
  take(byte: number): boolean {
    const part = this.#part
    if (isDigit(byte) && part !== 'zero') {
      if (part === 'minus') this.#part = byte === ZERO ? 'zero' : 'digits'
      else if (part === 'dot') this.#part = 'fraction'
      else if (part === 'e' || part === 'sign') this.#part = 'exponent'
    } else if (byte === DOT && (part === 'zero' || part === 'digits')) this.#part = 'dot'
    else if ((byte | 32) === LETTER_E && (part === 'zero' || part === 'digits' || part === 'fraction')) this.#part = 'e'
    else if ((byte === PLUS || byte === MINUS) && part === 'e') this.#part = 'sign'
    else return false
    return true
  }

  get isWhole(): boolean {
    const part = this.#part
    return part !== 'minus' && part !== 'dot' && part !== 'e' && part !== 'sign'
  }
}
