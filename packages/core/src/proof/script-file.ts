import { isAscii } from 'node:buffer'
import { firstAbove } from '../first-above.ts'

const NEWLINE = 0x0a
/** Browsers strip the byte order mark, so columns do not include it. Source: https://encoding.spec.whatwg.org/#utf-8-decode */
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

const OTHERS = /[^\0-\x7f]/g
/** U+2028 and U+2029 are line terminators and therefore also end a line comment. */
const LINE_ENDS = '\u2028\u2029'

function asByte(unit: string): string {
  return LINE_ENDS.includes(unit) ? '\r' : /\s/.test(unit) ? '\xa0' : '\x80'
}

/** A generated file. Offsets are in bytes and exclude a byte order mark. Columns are in UTF-16 code units, as in source maps. */
export class ScriptFile {
  readonly bytes: Buffer
  /** The offsets at which lines start. A line ends with `\n`. */
  readonly lineStarts: readonly number[]
  /**
   * The offset of each UTF-16 code unit, or of the character that contains it. Undefined for ASCII files, in which columns are equal to
   * byte offsets.
   */
  readonly #offsets: Uint32Array | undefined

  constructor(content: Uint8Array) {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
    const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    this.bytes = isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes
    const starts = [0]
    for (let at = this.bytes.indexOf(NEWLINE); at !== -1; at = this.bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1)
    this.lineStarts = starts
    this.#offsets = isAscii(this.bytes) ? undefined : offsetsOfUnits(this.bytes)
  }

  /**
   * Returns a range of bytes as text with one character per byte. Only ASCII text can be searched for in the result, and indexes in the
   * result are offsets.
   */
  latin1(start: number, end: number): string {
    return this.bytes.toString('latin1', start, end)
  }

  /**
   * Returns the text between two columns of a line, with one character per UTF-16 code unit. The text does not extend past the end of the
   * line.
   */
  text(line: number, from: number, to: number): string {
    const start = this.offsetOf(line, from)
    if (!this.#offsets) return this.latin1(start, Math.min(start + to - from, this.lineEnd(line)))
    // A column may point to the second half of a surrogate pair, so the whole pair is read.
    const before = from - (unitAt(this.#offsets, start) - unitAt(this.#offsets, this.lineStarts[line] ?? start))
    return this.bytes.toString('utf8', start, this.offsetOf(line, to + 1)).slice(before, before + to - from)
  }

  /**
   * Copies the text between two columns as one byte per UTF-16 code unit. Non-ASCII characters become whitespace or bytes that no name
   * contains.
   * @returns the number of copied code units.
   */
  copyText(target: Buffer, line: number, from: number, to: number): number {
    if (this.#offsets) return target.write(this.text(line, from, to).replace(OTHERS, asByte), 'latin1')
    const start = this.offsetOf(line, from)
    const end = Math.min(start + to - from, this.lineEnd(line))
    return end <= start ? 0 : this.bytes.copy(target, 0, start, end)
  }

  /** Returns the offset of the `\n` that ends a line, or the end of the file. */
  lineEnd(line: number): number {
    const next = this.lineStarts[line + 1]
    return next === undefined ? this.bytes.length : next - 1
  }

  /** Returns the offset of a position, or the end of the line if the line is shorter. */
  offsetOf(line: number, column: number): number {
    const start = this.lineStarts[line]
    if (start === undefined) return this.bytes.length
    const end = this.lineEnd(line)
    if (!this.#offsets || column === Number.POSITIVE_INFINITY) return Math.min(start + column, end)
    return Math.min(this.#offsets[unitAt(this.#offsets, start) + column] ?? end, end)
  }
}

function offsetsOfUnits(bytes: Buffer): Uint32Array {
  const offsets = new Uint32Array(bytes.length + 1)
  let units = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    // The byte continues a character.
    if ((byte & 0xc0) === 0x80) continue
    offsets[units++] = at
    if (byte >= 0xf0) offsets[units++] = at
  }
  offsets[units] = bytes.length
  return offsets.subarray(0, units + 1)
}

/** Returns the index of the first code unit at or after an offset. */
function unitAt(offsets: Uint32Array, offset: number): number {
  return firstAbove(offsets.length, (unit) => (offsets[unit] as number) >= offset)
}
