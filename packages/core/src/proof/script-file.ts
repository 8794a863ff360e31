import { isAscii } from 'node:buffer'
import { type ByteRange, type ByteSource, readPieces, WindowBytes } from '../formats/source-map/bytes.ts'

const NEWLINE = 0x0a
const [TAB, BLANK] = [0x09, 0x20]
const [STAR, SLASH, DELETE] = [0x2a, 0x2f, 0x7f]
/** Browsers remove it before they count columns. Source: https://encoding.spec.whatwg.org/#utf-8-decode */
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
/** Maximum bytes of a short line. */
const MAX_SHORT = 128
/** Bytes that are asked at once whether all of them are ASCII. */
const ASCII_STEP = 256

const OTHERS = /[^\0-\x7f]/g
/** These also end a line comment. */
const LINE_ENDS = '\u2028\u2029'

function asByte(unit: string): string {
  return LINE_ENDS.includes(unit) ? '\r' : /\s/.test(unit) ? '\xa0' : '\x80'
}

/**
 * A generated file, read in windows, so its size does not matter. Offsets are in bytes after a byte order mark; columns are UTF-16 code
 * units, as in source maps.
 */
export class ScriptFile {
  readonly bytes: ByteSource
  /** Start offsets of lines, which end with `\n`. */
  readonly lineStarts: readonly number[]
  /** In most files a column is an offset. */
  readonly #isAscii: boolean
  #known = { line: -1, column: 0, offset: 0 }

  /** @throws the file system's error. */
  constructor(bytes: ByteSource) {
    const isMarked = bytes.read(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    this.bytes = isMarked ? new BytesBehindMark(bytes) : bytes
    const starts = [0]
    let hasOnlyAscii = true
    readPieces(this.bytes, { start: 0, end: this.bytes.size }, (piece, offset) => {
      for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) starts.push(offset + at + 1)
      hasOnlyAscii &&= isAscii(piece)
      return true
    })
    this.lineStarts = starts
    this.#isAscii = hasOnlyAscii
  }

  /** A byte range as text, one character per byte: its ASCII parts can be searched, and indexes are offsets. */
  latin1(start: number, end: number): string {
    return this.bytes.read(start, end - start).toString('latin1')
  }

  /** The text between two columns of a line, one character per UTF-16 code unit, like `slice`. Ends with the line. */
  text(line: number, from: number, to: number): string {
    const start = this.offsetOf(line, from)
    if (this.#isAscii) return this.latin1(start, Math.min(start + to - from, this.lineEnd(line)))
    // A column may be the second half of a character, which is read whole.
    const before = from - this.#known.column
    // The next text may begin before this one's end, so that its start is what is kept.
    const { offset } = placeAmong(this.bytes, { start, end: this.lineEnd(line) }, before + to - from + 1)
    return this.bytes
      .read(start, offset - start)
      .toString('utf8')
      .slice(before, before + to - from)
  }

  /**
   * Copies the text with one byte per UTF-16 code unit. Non-ASCII characters become a byte that is in no name, or white space. @returns the
   * number of units.
   */
  copyText(target: Buffer, line: number, from: number, to: number): number {
    if (this.#isAscii) {
      const start = this.offsetOf(line, from)
      const end = Math.min(start + to - from, this.lineEnd(line))
      return end <= start ? 0 : copyBytes(this.bytes, start, end - start, target)
    }
    return target.write(this.text(line, from, to).replace(OTHERS, asByte), 'latin1')
  }

  /** Whether a line certainly begins with code, after blanks and tabs. False also means unknown. */
  beginsWithCode(line: number): boolean {
    const { bytes } = this
    const start = this.lineStarts[line] as number
    if (!(bytes instanceof WindowBytes)) return false
    let at = bytes.locate(start, Math.min(MAX_SHORT, bytes.size - start))
    const end = Math.min(at + MAX_SHORT, bytes.loaded)
    while (at < end && (bytes.memory[at] === BLANK || bytes.memory[at] === TAB)) at++
    const first = at < end ? (bytes.memory[at] as number) : BLANK
    return first > BLANK && first < DELETE && first !== SLASH && first !== STAR
  }

  /** The end of a line: its `\n`, or the end of the file. */
  lineEnd(line: number): number {
    const next = this.lineStarts[line + 1]
    return next === undefined ? this.bytes.size : next - 1
  }

  /** UTF-16 code units between two offsets. */
  units(start: number, end: number): number {
    if (this.#isAscii) return end - start
    let units = 0
    readPieces(this.bytes, { start, end }, (piece) => {
      for (let at = 0; at < piece.length; at += ASCII_STEP) {
        const step = piece.subarray(at, at + ASCII_STEP)
        units += isAscii(step) ? step.length : unitsOf(step)
      }
      return true
    })
    return units
  }

  /** The offset of a position's character, or of the line's end where it is shorter; quick where each is behind the one before. */
  offsetOf(line: number, column: number): number {
    const start = this.lineStarts[line]
    if (start === undefined) return this.bytes.size
    if (this.#isAscii) return Math.min(start + column, this.lineEnd(line))
    if (column === Number.POSITIVE_INFINITY) return this.lineEnd(line)
    const known = this.#known.line === line && this.#known.column <= column ? this.#known : { offset: start, column: 0 }
    const rest = { start: known.offset, end: this.lineEnd(line) }
    const { offset, passed } = placeAmong(this.bytes, rest, column - known.column)
    this.#known = { line, column: known.column + passed, offset }
    return offset
  }
}

/** Copying the bytes of a short line one by one is faster than creating a view. */
function copyBytes(bytes: ByteSource, start: number, length: number, target: Buffer): number {
  if (length > MAX_SHORT || !(bytes instanceof WindowBytes)) return bytes.read(start, length).copy(target)
  const from = bytes.locate(start, length)
  for (let at = 0; at < length; at++) target[at] = bytes.memory[from + at] as number
  return length
}

/** A script without its byte order mark. */
class BytesBehindMark implements ByteSource {
  readonly size: number
  readonly #bytes: ByteSource

  constructor(bytes: ByteSource) {
    this.#bytes = bytes
    this.size = bytes.size - BYTE_ORDER_MARK.length
  }

  read(offset: number, length: number): Buffer {
    return this.#bytes.read(offset + BYTE_ORDER_MARK.length, length)
  }
}

/** Where the character that is so many code units behind a range's start begins, and how many are before that. */
function placeAmong(bytes: ByteSource, { start, end }: ByteRange, units: number): { offset: number; passed: number } {
  let left = units
  let offset = end
  readPieces(bytes, { start, end }, (piece, pieceOffset) => {
    for (let at = 0; at < piece.length; at++) {
      // Nearly all of a script is ASCII, whatever stands in its texts.
      while (at < piece.length && left >= ASCII_STEP && isAscii(piece.subarray(at, at + ASCII_STEP))) {
        const passed = Math.min(ASCII_STEP, piece.length - at)
        left -= passed
        at += passed
      }
      if (at >= piece.length) break
      const byte = piece[at] as number
      if ((byte & 0xc0) === 0x80) continue
      const width = byte >= 0xf0 ? 2 : 1
      if (left < width) {
        offset = pieceOffset + at
        return false
      }
      left -= width
    }
    return true
  })
  return { offset, passed: units - left }
}

function unitsOf(bytes: Buffer): number {
  let units = 0
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
  return units
}
