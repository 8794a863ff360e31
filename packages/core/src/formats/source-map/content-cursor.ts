import type { ByteRange, ByteSource } from './bytes.ts'
import { ESCAPE_BYTES, type LineEnds, type Passed, passColumns, passLines } from './text-lines.ts'

const PIECE_BYTES = 64 * 1024

/**
 * Moves through a source's text in the raw JSON of a map without resolving escapes. Reads each byte once and keeps
 * nothing. Lines and columns are 0-based; columns are UTF-16 code units.
 */
export class ContentCursor {
  readonly #bytes: ByteSource
  readonly #passed: Passed
  readonly #end: number
  /** The loaded bytes from the cursor on. */
  #loaded: Buffer = EMPTY
  /** Offset into the map's bytes. */
  offset: number
  line = 0
  column = 0

  constructor(bytes: ByteSource, { start, end }: ByteRange, ends: LineEnds = 'language') {
    this.#bytes = bytes
    this.#passed = { ends, count: 0, endsLine: false }
    this.#end = end
    this.offset = start
  }

  /**
   * Moves forward to the start of a line. Does nothing on that line.
   * @returns false if the text has no such line.
   * @throws the file system's error.
   */
  toLine(line: number): boolean {
    while (this.line < line) {
      if (!this.#reach(PIECE_BYTES)) return false
      const next = passLines(this.#loaded, this.#stretch(this.#isLast()), line - this.line, this.#passed)
      const { count } = this.#passed
      if (count > 0) this.column = 0
      this.line += count
      this.offset += next
    }
    return true
  }

  /** Moves forward to a column of the current line, or to its end if the line is shorter. */
  toColumn(column: number): void {
    while (this.column < column) {
      if (!this.#reach(PIECE_BYTES)) return
      const next = passColumns(this.#loaded, this.#stretch(this.#isLast()), column - this.column, this.#passed)
      this.column += this.#passed.count
      this.offset += next
      if (this.#passed.endsLine) return
    }
  }

  /**
   * Raw text around a column of the current line, one byte per character. It starts up to `before` columns earlier and
   * ends `after` bytes later. The cursor does not move.
   * @returns the text and the column's index in it; undefined if the line is shorter.
   */
  around(column: number, before: number, after: number): { text: string; at: number } | undefined {
    if (!this.#reach(Math.max(0, column - this.column) * ESCAPE_BYTES + after))
      return column > this.column ? undefined : { text: '', at: 0 }
    const stretch = this.#stretch(true)
    const begin = passColumns(this.#loaded, stretch, Math.max(0, column - before - this.column), this.#passed)
    const passed = this.column + this.#passed.count
    stretch.from = begin
    const at = passColumns(this.#loaded, stretch, Math.max(0, column - passed), this.#passed)
    if (passed + this.#passed.count < column) return undefined
    return { text: this.#loaded.toString('latin1', begin, at + after), at: at - begin }
  }

  /** Raw bytes from the cursor on, at most `length`. Valid until the next move. */
  ahead(length: number): Buffer {
    return this.#bytes.read(this.offset, Math.min(length, this.#end - this.offset))
  }

  /** Loads at most `length` bytes from the cursor on. @returns whether there are any. */
  #reach(length: number): boolean {
    const wanted = Math.min(length, this.#end - this.offset)
    if (wanted <= 0) return false
    this.#loaded = this.#bytes.read(this.offset, wanted)
    return this.#loaded.length > 0
  }

  #stretch(isLast: boolean) {
    return { from: 0, end: this.#loaded.length, isLast }
  }

  /** Whether the loaded bytes include the end of the text. */
  #isLast(): boolean {
    return this.offset + this.#loaded.length >= this.#end
  }
}

const EMPTY = Buffer.alloc(0)

/** Whether the character at an index of a raw text is the letter of an escape, such as the `n` of `\\n`. */
export function isEscaped(text: string, at: number): boolean {
  let back = at
  while (back > 0 && text[back - 1] === '\\') back--
  return (at - back) % 2 === 1
}

/** Escapes and characters that end a line, or any other escape. */
const LINE_END = /\\(?:(n|u000a|u202[89]|(?:r|u000d)(?!\\n|\\u000a))|[\s\S])|(\xe2\x80[\xa8\xa9])/giy
const NEXT_END = new RegExp(LINE_END.source, 'gi')

/** Whether a line of a raw text ends at an index. */
export function endsLine(text: string, at: number): boolean {
  LINE_END.lastIndex = at
  const [, escaped, separator] = LINE_END.exec(text) ?? []
  return (escaped ?? separator) !== undefined
}

/** Index of the escape that ends the line, or the text's length if there is none. */
export function lineEnd(text: string, from: number): number {
  NEXT_END.lastIndex = from
  for (let found = NEXT_END.exec(text); found; found = NEXT_END.exec(text)) if (found[1] ?? found[2]) return found.index
  return text.length
}
