import type { ByteRange, ByteSource } from './bytes.ts'

const [BACKSLASH, LETTER_N, LETTER_U] = [0x5c, 0x6e, 0x75]
/** Bytes of the longest escape, `\u000a`. */
const ESCAPE_BYTES = 6
const PIECE_BYTES = 64 * 1024

/**
 * Goes to positions in a source's text as it stands in a map, escapes and all, without resolving them: a byte is looked at once, nothing is kept.
 * Lines end with `\n`; columns are UTF-16 code units; both 0-based.
 */
export class ContentCursor {
  readonly #bytes: ByteSource
  readonly #end: number
  /** Offset into the map's bytes. */
  offset: number
  line = 0
  column = 0

  constructor(bytes: ByteSource, { start, end }: ByteRange) {
    this.#bytes = bytes
    this.#end = end
    this.offset = start
  }

  /**
   * Moves on to a line's begin; on the line itself, the cursor stays.
   * @returns false when the text has no such line.
   * @throws the file system's error.
   */
  toLine(line: number): boolean {
    while (this.line < line) {
      const piece = this.#read()
      if (piece.length === 0) return false
      this.#passLines(piece, line)
    }
    return true
  }

  /** Moves on to a column of the current line, or to the line's end where it is shorter. */
  toColumn(column: number): void {
    while (this.column < column) {
      const piece = this.#read()
      if (piece.length === 0 || this.#passColumns(piece, column)) return
    }
  }

  /**
   * Text around a column of the current line, as it stands in the map, each byte a character: from `before` columns before it on, or from the cursor, which stays, up
   * to `after` bytes behind it.
   * @returns it with the column's index in it; undefined where the line is shorter.
   */
  around(column: number, before: number, after: number): { text: string; at: number } | undefined {
    const piece = this.ahead(Math.max(0, column - this.column) * ESCAPE_BYTES + after)
    let begin = -1
    let at = 0
    for (let passed = this.column; ; passed++) {
      if (begin === -1 && passed >= column - before) begin = at
      if (passed >= column) break
      if (at >= piece.length) return undefined
      const byte = piece[at] as number
      if (byte === BACKSLASH) {
        if (isNewline(piece, at)) return undefined
        at += piece[at + 1] === LETTER_U ? ESCAPE_BYTES : 2
      } else if (byte < 0xc0) at++
      else if (byte < 0xe0) at += 2
      else if (byte < 0xf0) at += 3
      else {
        at += 4
        passed++
      }
    }
    return { text: piece.toString('latin1', begin, Math.min(piece.length, at + after)), at: at - begin }
  }

  /** Bytes from here on, as they stand in the map; at most so many, valid until the next move. */
  ahead(length: number): Buffer {
    return this.#bytes.read(this.offset, Math.min(length, this.#end - this.offset))
  }

  #read(): Buffer {
    return this.ahead(PIECE_BYTES)
  }

  #passLines(piece: Buffer, line: number): void {
    const last = this.offset + piece.length < this.#end ? piece.length - ESCAPE_BYTES : piece.length - 1
    let at = 0
    while (this.line < line) {
      const next = behindNewline(piece, at, last)
      at = next < 0 ? ~next : next
      if (next < 0) break
      this.line++
      this.column = 0
    }
    this.offset += at
  }

  /** @returns whether the line ends before the column. */
  #passColumns(piece: Buffer, column: number): boolean {
    const last = this.offset + piece.length < this.#end ? piece.length - ESCAPE_BYTES : piece.length - 1
    let at = 0
    let isEnd = false
    for (; at <= last && this.column < column; this.column++) {
      const byte = piece[at] as number
      if (byte === BACKSLASH) {
        isEnd = isNewline(piece, at)
        if (isEnd) break
        at += piece[at + 1] === LETTER_U ? ESCAPE_BYTES : 2
      } else if (byte < 0xc0) at++
      else if (byte < 0xe0) at += 2
      else if (byte < 0xf0) at += 3
      else {
        // Two code units.
        at += 4
        this.column++
      }
    }
    this.offset += at
    return isEnd
  }
}

/** Index behind the next newline; where there is none up to `last`, the complement of the index from which to go on. */
function behindNewline(piece: Buffer, from: number, last: number): number {
  let at = from
  for (; at <= last; at++) {
    if (piece[at] !== BACKSLASH) continue
    if (isNewline(piece, at)) return at + (piece[at + 1] === LETTER_N ? 2 : ESCAPE_BYTES)
    at++
  }
  return ~at
}

/** Whether a line ends with the escape at an index: `\n`, or `\u000a`. */
function isNewline(piece: Buffer, at: number): boolean {
  const next = piece[at + 1]
  if (next === LETTER_N) return true
  return next === LETTER_U && piece.toString('latin1', at + 2, at + ESCAPE_BYTES).toLowerCase() === '000a'
}

/** Whether the character at an index of a text, as it stands in a map, is the letter of an escape, such as the `n` of `\\n`. */
export function isEscaped(text: string, at: number): boolean {
  let back = at
  while (back > 0 && text[back - 1] === '\\') back--
  return (at - back) % 2 === 1
}

/** Whether a line of a text, as it stands in a map, ends at an index. */
export function endsLine(text: string, at: number): boolean {
  if (text[at] !== '\\') return false
  return (
    text[at + 1] === 'n' || (text[at + 1] === 'u' && text.slice(at + 2, at + ESCAPE_BYTES).toLowerCase() === '000a')
  )
}

/** Index of the escape with which the line ends; the text's length where none does. */
export function lineEnd(text: string, from: number): number {
  for (let at = text.indexOf('\\', from); at !== -1; at = text.indexOf('\\', at + 2)) if (endsLine(text, at)) return at
  return text.length
}
