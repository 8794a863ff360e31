/** A position in a generated file. */
export interface GeneratedPosition {
  /** 0-based. */
  line: number
  /** 0-based, in UTF-16 code units. */
  column: number
}

/** Value of each character as a digit; 255 for what is none. One entry for every character there is: no check of the index. */
const DIGITS = new Uint8Array(0x10000).fill(255)
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  DIGITS[character.charCodeAt(0)] = value
}
const COMMA = 44
const SEMICOLON = 59
/** Bits of a number in each digit; the sixth says whether it goes on. */
const BITS = 5
const LOW_BITS = 31
const CONTINUES = 32
/** Behind all lines; still a small integer, as V8 calls it, like all the others. */
const NO_LINE = 2 ** 30 - 1
/** A mapping has up to five numbers; those beyond are passed over. */
const LAST_FIELD = 4

/**
 * Walks the `mappings` of a source map once, in their order, without keeping them: memory does not grow with the map. All numbers are 0-based.
 * Written as one loop over the characters, without callbacks: V8 compiles that soonest, which counts for as much as its speed.
 */
export class MappingWalk {
  /** Where the current mapping begins in the generated file; line -1 before the first. */
  line = -1
  column = 0
  /** Index into `sources`; -1 when the mapping says that the code has no source. */
  source = -1
  originalLine = 0
  originalColumn = 0
  /** Where the next one begins. */
  #nextLine = -1
  #nextColumn = 0
  readonly #mappings: string
  readonly #deltas = new Int32Array(LAST_FIELD + 1)
  /** Numbers read of the next mapping, all of them: the walk rests where a mapping ends. */
  #fields = 0
  #at = 0
  #lastSource = 0

  constructor(mappings: string) {
    this.#mappings = mappings
  }

  /**
   * Moves on to the last mapping that begins at or before a position.
   * @throws RangeError where the text is no Base64 VLQ.
   */
  seek(untilLine: number, untilColumn: number): void {
    const mappings = this.#mappings
    const deltas = this.#deltas
    const { length } = mappings
    // In locals until the walk rests: this loop is most of what a proof costs.
    let fields = this.#fields
    let line = Math.max(0, this.#nextLine)
    // Of the last mapping on this line: what the next one is counted from.
    let column = this.line === line ? this.column : 0
    let lastSource = this.#lastSource
    let { line: foundLine, column: foundColumn, source, originalLine, originalColumn } = this
    let value = 0
    let shift = 0
    let at = this.#at
    for (; at <= length; at++) {
      const code = at < length ? mappings.charCodeAt(at) : SEMICOLON
      const digit = DIGITS[code] as number
      if (digit < 64) {
        if (shift > 30) throw notANumber(at)
        value |= (digit & LOW_BITS) << shift
        if (digit & CONTINUES) {
          shift += BITS
          continue
        }
        deltas[Math.min(fields++, LAST_FIELD)] = value & 1 ? -(value >>> 1) : value >>> 1
        value = 0
        shift = 0
        continue
      }
      if ((code !== COMMA && code !== SEMICOLON) || shift > 0) throw notANumber(at)
      if (fields > 0) {
        if (fields === 2 || fields === 3) throw new RangeError(`mappings have ${fields} numbers before ${at}`)
        const begin = column + (deltas[0] as number)
        if (line > untilLine || (line === untilLine && begin > untilColumn)) {
          this.#fields = fields
          this.#nextLine = line
          this.#nextColumn = begin
          break
        }
        column = begin
        foundLine = line
        foundColumn = begin
        if (fields === 1) source = -1
        else {
          lastSource += deltas[1] as number
          source = lastSource
          originalLine += deltas[2] as number
          originalColumn += deltas[3] as number
        }
        fields = 0
      }
      if (code === SEMICOLON) {
        line++
        column = 0
      }
    }
    this.line = foundLine
    this.column = foundColumn
    this.source = source
    this.originalLine = originalLine
    this.originalColumn = originalColumn
    this.#lastSource = lastSource
    this.#at = at
    if (at <= length) return
    this.#fields = 0
    this.#nextLine = NO_LINE
  }

  /**
   * Moves on to the next mapping; of several at one position to the last.
   * @returns false when there is none.
   * @throws RangeError as {@link seek}.
   */
  next(): boolean {
    if (this.#nextLine === -1) this.seek(-1, 0)
    if (this.#nextLine === NO_LINE) return false
    this.seek(this.#nextLine, this.#nextColumn)
    return true
  }
}

function notANumber(at: number): RangeError {
  return new RangeError(`mappings hold no number at ${at}`)
}
