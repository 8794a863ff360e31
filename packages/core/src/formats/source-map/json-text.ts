/** Texts of JSON, as bytes: where they end, and whether they are JSON. */

const [QUOTE, BACKSLASH, COMMA, SPACE, LETTER_U] = [0x22, 0x5c, 0x2c, 0x20, 0x75]
/** Bytes that are looked at one by one before the search of the engine, which is faster only where it goes far. */
const NEAR_BYTES = 64

/**
 * @param from behind the quote with which the text begins, or amid it but not behind an odd backslash.
 * @returns the index of the quote that ends it; -1 where it is not among the bytes. Escapes are counted backwards from each quote.
 */
export function stringEnd(bytes: Buffer, from: number): number {
  let begin = from
  for (let at = nextQuote(bytes, from); at !== -1; at = nextQuote(bytes, begin)) {
    let back = at
    while (back > begin && bytes[back - 1] === BACKSLASH) back--
    if (((at - back) & 1) === 0) return at
    begin = at + 1
  }
  return -1
}

function nextQuote(bytes: Buffer, from: number): number {
  const near = Math.min(bytes.length, from + NEAR_BYTES)
  for (let at = from; at < near; at++) if (bytes[at] === QUOTE) return at
  return near === bytes.length ? -1 : bytes.indexOf(QUOTE, near)
}

/** Where checking stands in a text: not in an escape; behind its backslash; amid the digits of `\u`, counted from 2 to 5. */
const [PLAIN, ESCAPED, FIRST_DIGIT, LAST_DIGIT] = [0, 1, 2, 5]

/** How a look at each byte of a text ended. */
export interface CheckedText {
  /** Index of the quote that ends it; -1 where it goes on. */
  quote: number
  /** Where checking stands, to go on from there; 0 at the start. */
  state: number
}

/**
 * The same with a look at each byte.
 * @param from behind the quote, or where the last call ended. @param state how it ended; 0 at the start.
 * @returns undefined where it is no JSON: it has a control character or an unknown escape.
 */
export function checkString(bytes: Buffer, from: number, state: number): CheckedText | undefined {
  let now = state
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (now === PLAIN) {
      if (byte === QUOTE) return { quote: at, state: PLAIN }
      if (byte === BACKSLASH) now = ESCAPED
      else if (byte < SPACE) return undefined
    } else if (now === ESCAPED) {
      if (!ESCAPES.includes(byte)) return undefined
      now = byte === LETTER_U ? FIRST_DIGIT : PLAIN
    } else {
      if (!isHexadecimal(byte)) return undefined
      now = now === LAST_DIGIT ? PLAIN : now + 1
    }
  }
  return { quote: -1, state: now }
}

/** What may follow a backslash. */
const ESCAPES = Buffer.from('"\\/bfnrtu')

function isHexadecimal(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 32) >= 0x61 && (byte | 32) <= 0x66)
}

/** Texts that are passed at once. */
const MAX_TEXTS = 1024

/** Texts of a list that follow each other: names are many and short. */
export class TextList {
  /** Begin and end of each. */
  readonly starts = new Uint32Array(MAX_TEXTS)
  readonly ends = new Uint32Array(MAX_TEXTS)
  count = 0
  /** How the list goes on: with the next text, with something else, not at all; or the text does not end among the bytes, or is no JSON. */
  next: 'text' | 'other' | 'nothing' | 'open' = 'text'

  /**
   * Passes those that stand among the bytes as a whole.
   * @param from behind the quote with which the first one begins. @param shift is added to all begins and ends. @param isStrict whether each byte is looked at.
   * @returns the index behind the quote of the next text or of that which does not end, or behind what was passed.
   */
  pass(bytes: Buffer, from: number, shift: number, isStrict: boolean): number {
    this.count = 0
    let at = from
    while (this.count < MAX_TEXTS) {
      const quote = isStrict ? (checkString(bytes, at, PLAIN)?.quote ?? -1) : stringEnd(bytes, at)
      if (quote === -1) {
        this.next = 'open'
        return at
      }
      this.starts[this.count] = at + shift
      this.ends[this.count++] = quote + shift
      if (bytes[quote + 1] !== COMMA) {
        this.next = 'nothing'
        return quote + 1
      }
      if (bytes[quote + 2] === QUOTE) at = quote + 3
      else if (bytes[quote + 2] === SPACE && bytes[quote + 3] === QUOTE) at = quote + 4
      else {
        this.next = 'other'
        return quote + 2
      }
    }
    this.next = 'text'
    return at
  }
}
