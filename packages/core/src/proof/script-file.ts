import { isAscii } from 'node:buffer'
import { firstAbove } from '../first-above.ts'
import { type ByteSource, readPieces } from '../formats/source-map/bytes.ts'

const NEWLINE = 0x0a
/** Browsers strip the byte order mark, so columns do not include it. Source: https://encoding.spec.whatwg.org/#utf-8-decode */
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
/** The interval, in bytes, at which the number of preceding UTF-16 code units is cached. */
const STEP = 1024

const OTHERS = /[^\0-\x7f]/g
/** U+2028 and U+2029 are line terminators and therefore also end a line comment. */
const LINE_ENDS = '\u2028\u2029'

function asByte(unit: string): string {
  return LINE_ENDS.includes(unit) ? '\r' : /\s/.test(unit) ? '\xa0' : '\x80'
}

/**
 * A generated file, which is read in parts so that memory use does not depend on its size. Offsets are in bytes and exclude a byte order
 * mark. Columns are in UTF-16 code units, as in source maps.
 */
export class ScriptFile {
  readonly bytes: ByteSource
  /** The offsets at which lines start. A line ends with `\n`. */
  readonly lineStarts: readonly number[]
  /**
   * The number of UTF-16 code units before each multiple of {@link STEP}. Undefined for ASCII files, in which columns are equal to byte
   * offsets.
   */
  readonly #units: Float64Array | undefined
  /** The cached number of code units before the line that was last requested. Counting again might require reading distant bytes. */
  #known = { line: 0, units: 0 }

  /** @throws a file system error if the file cannot be read. */
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
    this.#units = hasOnlyAscii ? undefined : unitsBySteps(this.bytes)
  }

  /**
   * Returns a range of bytes as text with one character per byte. Only ASCII text can be searched for in the result, and indexes in the
   * result are offsets.
   */
  latin1(start: number, end: number): string {
    return this.bytes.read(start, end - start).toString('latin1')
  }

  /**
   * Returns the text between two columns of a line, with one character per UTF-16 code unit. The text does not extend past the end of the
   * line.
   */
  text(line: number, from: number, to: number): string {
    const start = this.offsetOf(line, from)
    if (!this.#units) return this.latin1(start, Math.min(start + to - from, this.lineEnd(line)))
    // A column may point to the second half of a surrogate pair, so the whole pair is read.
    const before = from - this.units(this.lineStarts[line] ?? start, start)
    return this.bytes
      .read(start, this.offsetOf(line, to + 1) - start)
      .toString('utf8')
      .slice(before, before + to - from)
  }

  /**
   * Copies the text between two columns as one byte per UTF-16 code unit. Non-ASCII characters become whitespace or bytes that no name
   * contains.
   * @returns the number of copied code units.
   */
  copyText(target: Buffer, line: number, from: number, to: number): number {
    if (!this.#units) {
      const start = this.offsetOf(line, from)
      const end = Math.min(start + to - from, this.lineEnd(line))
      return end <= start ? 0 : this.bytes.read(start, end - start).copy(target, 0, 0, end - start)
    }
    return target.write(this.text(line, from, to).replace(OTHERS, asByte), 'latin1')
  }

  /** Returns the offset of the `\n` that ends a line, or the end of the file. */
  lineEnd(line: number): number {
    const next = this.lineStarts[line + 1]
    return next === undefined ? this.bytes.size : next - 1
  }

  units(start: number, end: number): number {
    const units = this.#units
    return units ? this.#unitsBefore(units, end) - this.#unitsBefore(units, start) : end - start
  }

  /** Returns the offset of a position, or the end of the line if the line is shorter. */
  offsetOf(line: number, column: number): number {
    const start = this.lineStarts[line]
    if (start === undefined) return this.bytes.size
    const end = this.lineEnd(line)
    if (!this.#units) return Math.min(start + column, end)
    if (column === Number.POSITIVE_INFINITY) return end
    if (this.#known.line !== line) this.#known = { line, units: this.#unitsBefore(this.#units, start) }
    const units = this.#known.units + column
    const before = this.#units
    const step = firstAbove(before.length, (at) => (before[at] as number) > units) - 1
    const bytes = this.bytes.read(step * STEP, STEP)
    return Math.min(step * STEP + indexOfUnit(bytes, units - (before[step] as number)), end)
  }

  #unitsBefore(units: Float64Array, offset: number): number {
    const step = Math.floor(offset / STEP)
    return (units[step] as number) + unitsOf(this.bytes.read(step * STEP, offset - step * STEP))
  }
}

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

function unitsBySteps(bytes: ByteSource): Float64Array {
  const units = new Float64Array(Math.floor(bytes.size / STEP) + 1)
  for (let step = 1; step < units.length; step++)
    units[step] = (units[step - 1] as number) + unitsOf(bytes.read((step - 1) * STEP, STEP))
  return units
}

/** Returns the offset of the character that contains a code unit, or the number of bytes if the text has fewer code units. */
function indexOfUnit(bytes: Buffer, unit: number): number {
  if (isAscii(bytes)) return Math.min(unit, bytes.length)
  let left = unit
  for (let at = 0; at < bytes.length; at++) {
    const width = widthOf(bytes[at] as number)
    if (left < width) return at
    left -= width
  }
  return bytes.length
}

function unitsOf(bytes: Buffer): number {
  if (isAscii(bytes)) return bytes.length
  let units = 0
  for (let at = 0; at < bytes.length; at++) units += widthOf(bytes[at] as number)
  return units
}

/** Returns the number of UTF-16 code units for the character that starts with the given byte, or 0 if no character starts with it. */
function widthOf(byte: number): number {
  if ((byte & 0xc0) === 0x80) return 0
  return byte >= 0xf0 ? 2 : 1
}
