/** Strings in raw JSON: where they end, and whether they are valid. */

const [QUOTE, BACKSLASH, COMMA, SPACE, LETTER_U] = [0x22, 0x5c, 0x2c, 0x20, 0x75]
/** Bytes to check one by one before calling the engine's search, which is faster only over longer distances. */
const NEAR_BYTES = 64

/**
 * @param from after the opening quote, or inside the string but not directly after an odd backslash.
 * @returns the index of the closing quote; -1 if it is not in the bytes. Escapes are counted backwards from each quote.
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

/** States of the check: outside an escape, after a backslash, or inside the digits of `\u` (2 to 5). */
const [PLAIN, ESCAPED, FIRST_DIGIT, LAST_DIGIT] = [0, 1, 2, 5]

/** The result of validating each byte of a string. */
export interface CheckedText {
  /** Index of the closing quote; -1 if the string continues. */
  quote: number
  /** The state to continue from; 0 at the start. */
  state: number
}

/**
 * Validates each byte of a string.
 * @param from after the quote, or the end of the previous call. @param state the previous call's state; 0 at the start.
 * @returns undefined if it is invalid: a control character or an unknown escape.
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

/** Characters that may follow a backslash. */
const ESCAPES = Buffer.from('"\\/bfnrtu')

function isHexadecimal(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 32) >= 0x61 && (byte | 32) <= 0x66)
}

/** Number of strings per batch. */
const MAX_TEXTS = 1024

/** Consecutive strings of a list, handled as a batch because names are many and short. */
export class TextList {
  /** Start and end offsets. */
  readonly starts = new Uint32Array(MAX_TEXTS)
  readonly ends = new Uint32Array(MAX_TEXTS)
  count = 0
  /** What follows the batch: the next text, other JSON, nothing, or a text that does not end in these bytes or is invalid. */
  next: 'text' | 'other' | 'nothing' | 'open' = 'text'

  /**
   * Passes all complete strings in the bytes.
   * @param from after the opening quote of the first string. @param shift added to all offsets. @param isStrict whether to validate each
   * byte.
   * @returns the index after the opening quote of the next or the incomplete string, or the end of the passed bytes.
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
