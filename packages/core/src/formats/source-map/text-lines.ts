/** Lines and columns of raw JSON text, with characters or escapes as line ends. */

/** The line ends of JavaScript (ECMA-262, 12.3), or only the line feeds, which Rollup counts. */
export type LineEnds = 'language' | 'feeds'

const BACKSLASH = 0x5c
const [LETTER_N, LETTER_R, LETTER_U] = [0x6e, 0x72, 0x75]
const [LINE_FEED, RETURN] = [0x0a, 0x0d]
/** The first byte of U+2028 and U+2029, which JSON need not escape. */
const SEPARATOR = 0xe2
/** Bytes of the longest escape, `\u000a`. */
export const ESCAPE_BYTES = 6
/** Bytes needed to detect a line end: `\u000d` is one unless `\u000a` follows. */
const LINE_END_BYTES = 2 * ESCAPE_BYTES

/** The end position and the distance covered. One object is reused for millions of calls. */
export interface Passed {
  readonly ends: LineEnds
  count: number
  /** Whether the line ends there. */
  endsLine: boolean
}

/**
 * Passes a number of lines.
 * @param isLast whether the text ends with these bytes; otherwise an incomplete escape at the end is left.
 * @returns the start of the next line; if there are too few lines, the index to continue from.
 */
export function passLines(
  bytes: Buffer,
  { from, end, isLast }: { from: number; end: number; isLast: boolean },
  lines: number,
  passed: Passed,
): number {
  const stop = isLast ? end : Math.max(from, end - LINE_END_BYTES + 1)
  let count = 0
  let at = from
  while (at < stop && count < lines) {
    const byte = bytes[at]
    if (byte !== BACKSLASH && byte !== SEPARATOR) {
      at++
      continue
    }
    const newline = newlineBytes(bytes, at, end, passed.ends)
    if (newline > 0) count++
    at += newline > 0 ? newline : byte === BACKSLASH ? 2 : 1
  }
  passed.count = count
  return Math.min(at, end)
}

/**
 * Passes a number of columns (UTF-16 code units) within a line. An escape is one column; a surrogate pair is passed
 * whole.
 * @param isLast as in {@link passLines}.
 * @returns the index after them, or the end of the line or of the bytes.
 */
export function passColumns(
  bytes: Buffer,
  { from, end, isLast }: { from: number; end: number; isLast: boolean },
  columns: number,
  passed: Passed,
): number {
  const stop = isLast ? end : Math.max(from, end - LINE_END_BYTES + 1)
  let count = 0
  let at = from
  passed.endsLine = false
  while (at < stop && count < columns) {
    const byte = bytes[at] as number
    if (byte === BACKSLASH) {
      if (newlineBytes(bytes, at, end, passed.ends) > 0) {
        passed.endsLine = true
        break
      }
      at += bytes[at + 1] === LETTER_U ? ESCAPE_BYTES : 2
    } else if (byte < 0xc0) at++
    else if (byte < 0xe0) at += 2
    else if (byte < 0xf0) {
      if (byte === SEPARATOR && newlineBytes(bytes, at, end, passed.ends) > 0) {
        passed.endsLine = true
        break
      }
      at += 3
    } else {
      at += 4
      count++
    }
    count++
  }
  passed.count = count
  return at
}

/** Length in bytes of the line end at an index; 0 if there is none. In CR LF, only LF ends the line. */
function newlineBytes(bytes: Buffer, at: number, end: number, ends: LineEnds): number {
  const unit = escapedUnit(bytes, at, end)
  const length = bytes[at + 1] === LETTER_U ? ESCAPE_BYTES : 2
  if (unit === LINE_FEED) return length
  if (ends === 'feeds') return 0
  if (bytes[at] === SEPARATOR)
    return at + 3 <= end && bytes[at + 1] === 0x80 && ((bytes[at + 2] as number) & 0xfe) === 0xa8 ? 3 : 0
  if (unit === 0x2028 || unit === 0x2029) return length
  return unit === RETURN && escapedUnit(bytes, at + length, end) !== LINE_FEED ? length : 0
}

/** The character of the escape at an index, if it may end a line. */
function escapedUnit(bytes: Buffer, at: number, end: number): number | undefined {
  if (bytes[at] !== BACKSLASH || at + 2 > end) return undefined
  const letter = bytes[at + 1]
  if (letter === LETTER_N) return LINE_FEED
  if (letter === LETTER_R) return RETURN
  if (letter !== LETTER_U || at + ESCAPE_BYTES > end) return undefined
  return Number.parseInt(bytes.toString('latin1', at + 2, at + ESCAPE_BYTES), 16)
}
