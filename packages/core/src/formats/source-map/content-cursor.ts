import { type ByteRange, type ByteSource, WindowBytes } from './bytes.ts'
import { kernel, MAX_POSITIONS, POSITION, WORDS_BYTES } from './kernel.ts'

/** Bytes of the longest escape, `\u000a`. */
const ESCAPE_BYTES = 6
const PIECE_BYTES = 64 * 1024

/**
 * Goes to positions in a source's text as it stands in a map, escapes and all, without resolving them: a byte is looked at once, nothing is kept.
 * Lines end with `\n`; columns are UTF-16 code units; both 0-based.
 */
export class ContentCursor {
  readonly #kernel = kernel()
  readonly #bytes: ByteSource
  /** The same where the kernel need not be given a copy. */
  readonly #window: WindowBytes | undefined
  readonly #start: number
  readonly #end: number
  /** Addresses of what the kernel has from here on. */
  #from = 0
  #to = 0
  /** Offset into the map's bytes. */
  offset: number
  line = 0
  column = 0

  constructor(bytes: ByteSource, { start, end }: ByteRange) {
    this.#bytes = bytes
    if (bytes instanceof WindowBytes && this.#kernel.holds(bytes.memory)) this.#window = bytes
    this.#start = start
    this.#end = end
    this.offset = start
  }

  /** Moves on to a line of which somebody knows where it begins, in bytes from the text's start. */
  jump(line: number, begin: number): void {
    if (line <= this.line) return
    this.line = line
    this.column = 0
    this.offset = this.#start + begin
  }

  /**
   * Moves on to a line's start; on the line itself, the cursor stays.
   * @returns false when the text has no such line.
   * @throws the file system's error.
   */
  toLine(line: number): boolean {
    while (this.line < line) {
      if (!this.#reach(PIECE_BYTES)) return false
      const { run, results } = this.#kernel
      const next = run.passLines(this.#from, this.#to, this.#isLast(), line - this.line)
      const passed = results[0] as number
      if (passed > 0) this.column = 0
      this.line += passed
      this.offset += next - this.#from
    }
    return true
  }

  /** Moves on to a column of the current line, or to the line's end where it is shorter. */
  toColumn(column: number): void {
    while (this.column < column) {
      if (!this.#reach(PIECE_BYTES)) return
      const { run, results } = this.#kernel
      const next = run.passColumns(this.#from, this.#to, this.#isLast(), column - this.column)
      this.column += results[0] as number
      this.offset += next - this.#from
      if (results[1] === 1) return
    }
  }

  /**
   * Text around a column of the current line, as it stands in the map, each byte a character: from `before` columns before it on, or from the cursor, which stays, up
   * to `after` bytes behind it.
   * @returns it with the column's index in it; undefined where the line is shorter.
   */
  around(column: number, before: number, after: number): { text: string; at: number } | undefined {
    if (!this.#reach(Math.max(0, column - this.column) * ESCAPE_BYTES + after))
      return column > this.column ? undefined : { text: '', at: 0 }
    const { run, results } = this.#kernel
    const begin = run.passColumns(this.#from, this.#to, true, Math.max(0, column - before - this.column))
    const passed = this.column + (results[0] as number)
    const at = run.passColumns(begin, this.#to, true, Math.max(0, column - passed))
    if (passed + (results[0] as number) < column) return undefined
    return { text: this.#kernel.latin1(begin, Math.min(this.#to, at + after)), at: at - begin }
  }

  /** Bytes from here on, as they stand in the map; at most so many, valid until the next move. */
  ahead(length: number): Buffer {
    return this.#bytes.read(this.offset, Math.min(length, this.#end - this.offset))
  }

  /** Gives the kernel at most so many bytes from here on. @returns whether there are any. */
  #reach(length: number): boolean {
    const wanted = Math.min(length, this.#end - this.offset)
    if (wanted <= 0) return false
    if (this.#window) {
      const at = this.#window.locate(this.offset, wanted)
      this.#from = this.#window.memory.byteOffset + at
      this.#to = this.#from + Math.min(wanted, this.#window.loaded - at)
    } else {
      const piece = this.#kernel.within(this.#bytes.read(this.offset, wanted))
      this.#from = piece.byteOffset
      this.#to = piece.byteOffset + piece.length
    }
    return this.#to > this.#from
  }

  /** Whether the text ends with what the kernel has. */
  #isLast(): boolean {
    return this.offset + this.#to - this.#from >= this.#end
  }
}

/** In place of a word: any name must begin there. */
export const ANY_NAME = ''
/** The same as the kernel has it, in place of a word's bytes. */
const NAME_BYTES = 0xffffffff

/** Positions in a source's text, and the words that must stand there: most do, and nothing else need be known of these. */
export class WordsAt {
  readonly #kernel = kernel()
  #count = 0
  #bytes = 0

  /**
   * @param word each character a byte; undefined where nothing is looked for, {@link ANY_NAME} for the start of any name.
   * @returns false where there is no room for it before the others are found.
   */
  add(line: number, column: number, word: string | undefined): boolean {
    const { positions, words } = this.#kernel
    const length = word === undefined || word.length > WORDS_BYTES ? 0 : word.length
    if (this.#count === MAX_POSITIONS || this.#bytes + length > WORDS_BYTES) return false
    const at = POSITION * this.#count++
    positions[at] = line
    positions[at + 1] = column
    positions[at + 2] = this.#bytes
    positions[at + 3] = word === ANY_NAME ? NAME_BYTES : length
    for (let index = 0; index < length; index++) words[this.#bytes++] = (word as string).charCodeAt(index)
    return true
  }

  /**
   * Looks for all that were added since the last time, which were in ascending order.
   * @param range of the text; undefined where the map has none.
   * @returns {@link POSITION} numbers for each, of which the first is 1 where its word stands there, and the second says where its line begins, in bytes of the text; valid
   * until the next one is added. Of a text that is not in the kernel's memory, and of a line that it does not have, both are 0.
   */
  find(bytes: ByteSource, range: ByteRange | undefined): Uint32Array {
    const { run, positions } = this.#kernel
    const text = range && this.#textAt(bytes, range)
    if (text) run.findWords(text.from, text.to, this.#count)
    else positions.fill(0, 0, POSITION * this.#count)
    this.#count = 0
    this.#bytes = 0
    return positions
  }

  /** Addresses of a text; undefined where not all of it is in the kernel's memory. */
  #textAt(bytes: ByteSource, { start, end }: ByteRange): { from: number; to: number } | undefined {
    if (!(bytes instanceof WindowBytes && this.#kernel.holds(bytes.memory))) return undefined
    const at = bytes.locate(start, end - start)
    const from = bytes.memory.byteOffset + at
    return bytes.loaded - at < end - start ? undefined : { from, to: from + end - start }
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
