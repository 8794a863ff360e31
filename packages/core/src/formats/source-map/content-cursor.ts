import { type ByteRange, type ByteSource, WindowBytes } from './bytes.ts'
import { ESCAPE_BYTES, passColumns, passLines } from './text-lines.ts'

const PIECE_BYTES = 64 * 1024

/**
 * Goes to positions in a source's text as it stands in a map, escapes and all, without resolving them: a byte is looked at once, nothing is kept.
 * Lines end with `\n`; columns are UTF-16 code units; both 0-based.
 */
export class ContentCursor {
  readonly #bytes: ByteSource
  readonly #passed = { count: 0, endsLine: false }
  readonly #start: number
  readonly #end: number
  /** The loaded bytes: a section of this memory. */
  #memory: Buffer = EMPTY
  #from = 0
  #to = 0
  /** Offset into the map's bytes. */
  offset: number
  line = 0
  column = 0

  constructor(bytes: ByteSource, { start, end }: ByteRange) {
    this.#bytes = bytes
    this.#start = start
    this.#end = end
    this.offset = start
  }

  /** Moves to a line whose start is known, in bytes from the start of the text. */
  jump(line: number, begin: number): void {
    if (line <= this.line) return
    this.line = line
    this.column = 0
    this.offset = this.#start + begin
  }

  /**
   * Moves forward to a line's start. On the line itself the cursor stays.
   * @returns false if the text has no such line.
   * @throws the file system's error.
   */
  toLine(line: number): boolean {
    while (this.line < line) {
      if (!this.#reach(PIECE_BYTES)) return false
      const next = passLines(this.#memory, this.#stretch(this.#isLast()), line - this.line, this.#passed)
      const { count } = this.#passed
      if (count > 0) this.column = 0
      this.line += count
      this.offset += next - this.#from
    }
    return true
  }

  /** Moves forward to a column of the current line, or to its end if the line is shorter. */
  toColumn(column: number): void {
    while (this.column < column) {
      if (!this.#reach(PIECE_BYTES)) return
      const next = passColumns(this.#memory, this.#stretch(this.#isLast()), column - this.column, this.#passed)
      this.column += this.#passed.count
      this.offset += next - this.#from
      if (this.#passed.endsLine) return
    }
  }

  /**
   * Raw text around a column of the current line, one byte per character. It starts `before` columns earlier or at the cursor, which does
   * not move, and ends `after` bytes later.
   * @returns the text and the column's index in it; undefined if the line is shorter.
   */
  around(column: number, before: number, after: number): { text: string; at: number } | undefined {
    if (!this.#reach(Math.max(0, column - this.column) * ESCAPE_BYTES + after))
      return column > this.column ? undefined : { text: '', at: 0 }
    const stretch = this.#stretch(true)
    const begin = passColumns(this.#memory, stretch, Math.max(0, column - before - this.column), this.#passed)
    const passed = this.column + this.#passed.count
    stretch.from = begin
    const at = passColumns(this.#memory, stretch, Math.max(0, column - passed), this.#passed)
    if (passed + this.#passed.count < column) return undefined
    return { text: this.#memory.toString('latin1', begin, Math.min(this.#to, at + after)), at: at - begin }
  }

  /** Raw bytes from the cursor on, at most `length`. Valid until the next move. */
  ahead(length: number): Buffer {
    return this.#bytes.read(this.offset, Math.min(length, this.#end - this.offset))
  }

  /** Loads at most `length` bytes from the cursor on. @returns whether there are any. */
  #reach(length: number): boolean {
    const wanted = Math.min(length, this.#end - this.offset)
    if (wanted <= 0) return false
    const bytes = this.#bytes
    if (bytes instanceof WindowBytes) {
      this.#memory = bytes.memory
      this.#from = bytes.locate(this.offset, wanted)
      this.#to = Math.min(this.#from + wanted, bytes.loaded)
    } else {
      this.#memory = bytes.read(this.offset, wanted)
      this.#from = 0
      this.#to = this.#memory.length
    }
    return this.#to > this.#from
  }

  #stretch(isLast: boolean) {
    return { from: this.#from, end: this.#to, isLast }
  }

  /** Whether the loaded bytes include the end of the text. */
  #isLast(): boolean {
    return this.offset + this.#to - this.#from >= this.#end
  }
}

const EMPTY = Buffer.alloc(0)

/** Whether the character at an index of a raw text is the letter of an escape, such as the `n` of `\\n`. */
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
