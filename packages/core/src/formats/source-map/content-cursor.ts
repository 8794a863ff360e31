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

  /** Another cursor at the same place. */
  copy(): ContentCursor {
    const copy = new ContentCursor(this.#bytes, { start: this.offset, end: this.#end })
    copy.line = this.line
    copy.column = this.column
    return copy
  }

  /** Bytes from here on, as they stand in the map; at most so many, valid until the next move. */
  ahead(length: number): Buffer {
    return this.#bytes.read(this.offset, Math.min(length, this.#end - this.offset))
  }

  #read(): Buffer {
    const piece = this.ahead(PIECE_BYTES)
    // An escape must be whole.
    if (piece.length < ESCAPE_BYTES && this.offset + piece.length < this.#end) return this.ahead(ESCAPE_BYTES)
    return piece
  }

  #passLines(piece: Buffer, line: number): void {
    const last = this.offset + piece.length < this.#end ? piece.length - ESCAPE_BYTES : piece.length - 1
    let at = 0
    let found = this.line
    for (; at <= last; at++) {
      if (piece[at] !== BACKSLASH) continue
      if (isNewline(piece, at)) {
        found++
        this.column = 0
        at += piece[at + 1] === LETTER_N ? 1 : ESCAPE_BYTES - 1
        if (found < line) continue
        at++
        break
      }
      at++
    }
    this.line = found
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

/** Whether the byte at an index is the letter of an escape, such as the `n` of `\\n`. */
export function isEscaped(piece: Buffer, at: number): boolean {
  let back = at
  while (back > 0 && piece[back - 1] === BACKSLASH) back--
  return (at - back) % 2 === 1
}

/** Whether a line ends with the escape at an index: `\n`, or `\u000a`. */
export function isNewline(piece: Buffer, at: number): boolean {
  const next = piece[at + 1]
  if (next === LETTER_N) return true
  return next === LETTER_U && piece.toString('latin1', at + 2, at + ESCAPE_BYTES).toLowerCase() === '000a'
}
