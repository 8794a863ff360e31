const [QUOTE, BACKSLASH, SPACE, LETTER_U] = [0x22, 0x5c, 0x20, 0x75]

/**
 * @param from an index after the opening quote, or inside the string, but not directly after an odd number of backslashes.
 * @returns the index of the closing quote, or -1 if it is not in the bytes. Escapes are counted backwards from each quote.
 */
export function stringEnd(bytes: Buffer, from: number): number {
  let begin = from
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, begin)) {
    let back = at
    while (back > begin && bytes[back - 1] === BACKSLASH) back--
    if (((at - back) & 1) === 0) return at
    begin = at + 1
  }
  return -1
}

/** The state of a string: outside an escape, after a backslash, or inside the digits of a `\u` escape (2 to 5). */
const [PLAIN, ESCAPED, FIRST_DIGIT, LAST_DIGIT] = [0, 1, 2, 5]

export interface CheckedText {
  /** The index of the closing quote, or -1 if the string continues. */
  quote: number
  state: number
}

/**
 * Validates each byte of a string.
 * @param from the index after the opening quote, or the index at which the previous call ended.
 * @param state the state from the previous call, or 0 at the start.
 * @returns undefined if the string contains a control character or an unknown escape.
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

const ESCAPES = Buffer.from('"\\/bfnrtu')

function isHexadecimal(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 32) >= 0x61 && (byte | 32) <= 0x66)
}
