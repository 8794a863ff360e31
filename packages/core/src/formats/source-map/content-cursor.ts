import type { ByteRange, ByteSource } from './bytes.ts'
import { kernel } from './kernel.ts'

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
    const piece = kernel().within(this.ahead(Math.max(0, column - this.column) * ESCAPE_BYTES + after))
    const { run, results } = kernel()
    const end = piece.byteOffset + piece.length
    const first = Math.max(0, column - before - this.column)
    const begin = run.passColumns(piece.byteOffset, end, true, first)
    const passed = this.column + (results[0] as number)
    const at = run.passColumns(begin, end, true, Math.max(0, column - passed))
    if (passed + (results[0] as number) < column) return undefined
    const from = begin - piece.byteOffset
    return { text: piece.toString('latin1', from, at - piece.byteOffset + after), at: at - begin }
  }

  /** Bytes from here on, as they stand in the map; at most so many, valid until the next move. */
  ahead(length: number): Buffer {
    return this.#bytes.read(this.offset, Math.min(length, this.#end - this.offset))
  }

  #read(): Buffer {
    return kernel().within(this.ahead(PIECE_BYTES))
  }

  #passLines(piece: Buffer, line: number): void {
    const { run, results } = kernel()
    const { byteOffset, length } = piece
    const next = run.passLines(byteOffset, byteOffset + length, this.#isLast(length), line - this.line)
    const passed = results[0] as number
    if (passed > 0) this.column = 0
    this.line += passed
    this.offset += next - byteOffset
  }

  /** @returns whether the line ends before the column. */
  #passColumns(piece: Buffer, column: number): boolean {
    const { run, results } = kernel()
    const { byteOffset, length } = piece
    const next = run.passColumns(byteOffset, byteOffset + length, this.#isLast(length), column - this.column)
    this.column += results[0] as number
    this.offset += next - byteOffset
    return results[1] === 1
  }

  /** Whether the text ends with so many bytes from here on. */
  #isLast(length: number): boolean {
    return this.offset + length >= this.#end
  }
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
