import { isInWord } from '../javascript/characters.ts'
import { type ByteRange, type ByteSource, WindowBytes } from './bytes.ts'
import { BACKSLASH, type Passed, passColumns, passLines } from './text-lines.ts'

/** Instead of a word: any name must begin there. */
export const ANY_NAME = ''
/** Positions per batch. */
export const MAX_POSITIONS = 512

/** Whether the word is at its position, and the byte offset of its line in the text (0 if unknown). */
export interface WordThere {
  isThere: boolean
  lineBegin: number
}

interface Wanted {
  line: number
  column: number
  word: string | undefined
}

/** Checks whether expected words are at their positions in a source's text. Most are, and then nothing else needs to be read. */
export class WordsAt {
  readonly #wanted: Wanted[] = []

  /**
   * @param word one byte per character; undefined to check nothing, {@link ANY_NAME} for the start of any name.
   * @returns false if the batch is full.
   */
  add(line: number, column: number, word: string | undefined): boolean {
    if (this.#wanted.length === MAX_POSITIONS) return false
    this.#wanted.push({ line, column, word })
    return true
  }

  /**
   * Checks all positions added since the last call, which must be in ascending order.
   * @param range of the text; undefined if the map has none.
   * @returns one result per position; undefined if the text does not fit in memory at once.
   */
  find(bytes: ByteSource, range: ByteRange | undefined): WordThere[] | undefined {
    const wanted = this.#wanted.splice(0)
    if (!range || !(bytes instanceof WindowBytes)) return undefined
    const length = range.end - range.start
    const from = bytes.locate(range.start, length)
    if (bytes.loaded - from < length) return undefined
    return findWords(bytes.memory, from, from + length, wanted)
  }
}

/** @param from start of the text. */
function findWords(text: Buffer, from: number, end: number, wanted: readonly Wanted[]): WordThere[] {
  const passed: Passed = { count: 0, endsLine: false }
  let [line, column, at, lineBegin] = [0, 0, from, from]
  return wanted.map((one) => {
    if (line < one.line) {
      at = passLines(text, { from: at, end, isLast: true }, one.line - line, passed)
      line += passed.count
      column = 0
      lineBegin = at
    }
    // The text has no such line.
    if (line < one.line) return { isThere: false, lineBegin: 0 }
    // The previous position may be inside a character of two columns.
    if (one.column > column) {
      at = passColumns(text, { from: at, end, isLast: true }, one.column - column, passed)
      column += passed.count
    }
    const isThere = column >= one.column && stands(text, at, { from, end }, one)
    return { isThere, lineBegin: lineBegin - from }
  })
}

function stands(text: Buffer, at: number, range: { from: number; end: number }, { column, word }: Wanted): boolean {
  if (word === undefined) return false
  if (word === ANY_NAME) return beginsName(text, at, range, column)
  if (at + word.length > range.end) return false
  for (let index = 0; index < word.length; index++) if (text[at + index] !== word.charCodeAt(index)) return false
  return true
}

/** The letter of a preceding escape, such as a tab's, is not part of a name. */
function beginsName(text: Buffer, at: number, { from, end }: { from: number; end: number }, column: number): boolean {
  if (at >= end || !isInWord(text[at])) return false
  if (column === 0 || at === from || !isInWord(text[at - 1])) return true
  let back = at - 1
  while (back > from && text[back - 1] === BACKSLASH) back--
  return ((at - 1 - back) & 1) === 1
}
