/** Lines and columns of a text as it stands in JSON: a line ends with the escape `\n`, or with its number in hexadecimal. */

export const BACKSLASH = 0x5c
const [LETTER_A, LETTER_N, LETTER_U, ZERO] = [0x61, 0x6e, 0x75, 0x30]
/** Bytes of the longest escape, `\u000a`. */
export const ESCAPE_BYTES = 6

/** Where a pass ended, and how far it went. One object is reused for millions of calls. */
export interface Passed {
  count: number
  /** Whether the line ends there. */
  endsLine: boolean
}

/**
 * Passes a number of lines.
 * @param isLast whether the text ends with the bytes; otherwise an incomplete escape at the end is left.
 * @returns the start of the line after them; if there are fewer, the index to continue from.
 */
export function passLines(
  bytes: Buffer,
  { from, end, isLast }: { from: number; end: number; isLast: boolean },
  lines: number,
  passed: Passed,
): number {
  const stop = isLast ? end : Math.max(from, end - ESCAPE_BYTES + 1)
  let count = 0
  let at = from
  while (at < stop && count < lines) {
    if (bytes[at] !== BACKSLASH) {
      at++
      continue
    }
    const newline = newlineBytes(bytes, at, end)
    if (newline > 0) count++
    at += newline > 0 ? newline : 2
  }
  passed.count = count
  return Math.min(at, end)
}

/**
 * Passes a number of columns (UTF-16 code units) of a line. An escape is one column; a character of two columns is passed whole.
 * @param isLast as in {@link passLines}.
 * @returns the index after them, or the end of the line or of the bytes.
 */
export function passColumns(
  bytes: Buffer,
  { from, end, isLast }: { from: number; end: number; isLast: boolean },
  columns: number,
  passed: Passed,
): number {
  const stop = isLast ? end : Math.max(from, end - ESCAPE_BYTES + 1)
  let count = 0
  let at = from
  passed.endsLine = false
  while (at < stop && count < columns) {
    const byte = bytes[at] as number
    if (byte === BACKSLASH) {
      if (newlineBytes(bytes, at, end) > 0) {
        passed.endsLine = true
        break
      }
      at += bytes[at + 1] === LETTER_U ? ESCAPE_BYTES : 2
    } else if (byte < 0xc0) at++
    else if (byte < 0xe0) at += 2
    else if (byte < 0xf0) at += 3
    else {
      at += 4
      count++
    }
    count++
  }
  passed.count = count
  return at
}

/** Bytes of the escape at an index when a line ends with it; else 0. */
function newlineBytes(bytes: Buffer, at: number, end: number): number {
  const letter = bytes[at + 1]
  if (letter === LETTER_N) return 2
  if (letter !== LETTER_U || at + ESCAPE_BYTES > end) return 0
  const isNewline =
    bytes[at + 2] === ZERO &&
    bytes[at + 3] === ZERO &&
    bytes[at + 4] === ZERO &&
    ((bytes[at + 5] as number) | 0x20) === LETTER_A
  return isNewline ? ESCAPE_BYTES : 0
}
