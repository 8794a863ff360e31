import { t } from '../../text.ts'
import { SourceMapFlaw } from './flaw.ts'

/** The number of segments per batch, chosen so that a batch fits in the processor cache. */
const BATCH = 1024
/**
 * The numbers per segment: generated line, generated column, source, original line, original column and name. All numbers are zero-based,
 * and a missing source or name is -1.
 */
export const SEGMENT = 6

/**
 * Receives `count` decoded segments of {@link SEGMENT} numbers each. The buffer is reused for the next call.
 * @returns `false` to end the walk.
 */
export type TakeSegments = (segments: Int32Array, count: number) => boolean | undefined

export interface MappingContext {
  /** The position in the generated file at which the mappings start, and the indexes of their first source and name. */
  line: number
  column: number
  firstSource: number
  firstName: number
  sources: number
  names: number
}

/** The decoder's state between two segments. The numbers do not include section offsets. */
export interface MappingState {
  line: number
  column: number
  source: number
  originalLine: number
  originalColumn: number
  name: number
}

const [COMMA, SEMICOLON] = [0x2c, 0x3b]
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** Classes of bytes that are not Base64 digits. */
const [SEPARATOR, WRONG] = [64, 65]
const DIGITS = new Uint8Array(256).fill(WRONG)
for (const [value, letter] of [...LETTERS].entries()) DIGITS[letter.charCodeAt(0)] = value
DIGITS[COMMA] = SEPARATOR
DIGITS[SEMICOLON] = SEPARATOR
/** The number of value bits per digit. The sixth bit indicates that the number continues. */
const BITS = 5
const LOW_BITS = 31
const CONTINUES = 32
/** A number has at most 32 bits, so its seventh digit has only two value bits. */
const [LAST_SHIFT, MAX_LAST_DIGIT] = [30, 3]
/** ECMA-426 decodes negative zero as -2^31. */
const LEAST = -(2 ** 31)
const [LEAST_FIELDS, MAX_FIELDS] = [4, 5]
/** Placeholders for the source, original line, original column and name of a segment that has no source. */
const NOWHERE = [-1, 0, 0, -1]

/** Decodes `mappings` (ECMA-426, section 9.2) from pieces of any size. Memory use does not depend on the map's size. */
export class MappingDecoder {
  readonly #take: TakeSegments
  readonly #context: MappingContext
  readonly #sources: number
  readonly #firstSource: number
  readonly #firstName: number
  readonly #segments = new Int32Array(BATCH * SEGMENT)
  #line: number
  /** The offset to add to the columns of the current line. */
  #base: number
  /** The decoder's state, the number of fields read from the current segment, and the number that is being decoded. */
  #at: Omit<MappingState, 'line'> & { fields: number; value: number; shift: number }
  #count = 0

  /** @param from the state to continue from. Default: the beginning. */
  constructor(context: MappingContext, take: TakeSegments, from?: MappingState) {
    this.#take = take
    this.#context = context
    this.#sources = context.sources
    this.#firstSource = context.firstSource
    this.#firstName = context.firstName
    const { column = 0, source = 0, originalLine = 0, originalColumn = 0, name = 0 } = from ?? {}
    this.#line = from?.line ?? context.line
    this.#base = this.#line === context.line ? context.column : 0
    this.#at = { column, source, originalLine, originalColumn, name, fields: 0, value: 0, shift: 0 }
  }

  /** The state after {@link MappingDecoder.end}. */
  get state(): MappingState {
    const { column, source, originalLine, originalColumn, name } = this.#at
    return { line: this.#line, column, source, originalLine, originalColumn, name }
  }

  /**
   * @returns false if the callback ended the walk.
   * @throws SourceMapFlaw if the bytes are not valid mappings.
   */
  push(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; ) {
      at = this.#decode(bytes, at)
      if (this.#count === BATCH && !this.#giveOn()) return false
    }
    return true
  }

  /**
   * Delivers the remaining segments. Bytes that are pushed later begin a new segment.
   * @throws SourceMapFlaw if the mappings end inside a number.
   */
  end(): boolean {
    return this.push(END) && this.#giveOn()
  }

  /**
   * Decodes bytes until the input ends or the batch is full.
   * @returns the index to continue from.
   */
  #decode(bytes: Uint8Array, from: number): number {
    let { column, source, originalLine, originalColumn, name, fields, value, shift } = this.#at
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at++] as number
      const digit = DIGITS[byte] as number
      if (digit >= SEPARATOR) {
        if (digit === WRONG) throw flaw(t`The mappings contain an invalid character.`)
        if (shift > 0) throw flaw(t`The mappings end in the middle of a number.`)
        if (fields > 0) this.#addSegment(fields, column, source, originalLine, originalColumn, name)
        fields = 0
        if (byte === SEMICOLON) {
          this.#line++
          this.#base = 0
          column = 0
        }
        if (this.#count === BATCH) break
        continue
      }
      if (shift === LAST_SHIFT && digit > MAX_LAST_DIGIT)
        throw flaw(t`The mappings contain a number that is out of range.`)
      value |= (digit & LOW_BITS) << shift
      if (digit >= CONTINUES) {
        shift += BITS
        continue
      }
      const step = value & 1 ? LEAST | -(value >>> 1) : value >>> 1
      value = 0
      shift = 0
      switch (fields++) {
        case 0:
          column = (column + step) | 0
          break
        case 1:
          source = (source + step) | 0
          break
        case 2:
          originalLine = (originalLine + step) | 0
          break
        case 3:
          originalColumn = (originalColumn + step) | 0
          break
        default:
          name = (name + step) | 0
      }
    }
    this.#at = { column, source, originalLine, originalColumn, name, fields, value, shift }
    return at
  }

  #addSegment(
    fields: number,
    column: number,
    source: number,
    originalLine: number,
    originalColumn: number,
    name: number,
  ): void {
    const segments = this.#segments
    const line = this.#line
    const shown = (column + this.#base) | 0
    if ((line | shown | column | source | originalLine | originalColumn | name) < 0)
      throw flaw(t`The mappings point to a negative position.`)
    const at = this.#count * SEGMENT
    segments[at] = line
    segments[at + 1] = shown
    if (fields === 1) segments.set(NOWHERE, at + 2)
    else {
      if (fields < LEAST_FIELDS || fields > MAX_FIELDS || source >= this.#sources) this.#refuse(fields, source)
      if (fields === MAX_FIELDS && name >= this.#context.names)
        throw flaw(
          t`The mappings refer to the name index ${name}, but the source map has only ${this.#context.names} names.`,
        )
      segments[at + 2] = source + this.#firstSource
      segments[at + 3] = originalLine
      segments[at + 4] = originalColumn
      segments[at + 5] = fields === MAX_FIELDS ? name + this.#firstName : -1
    }
    this.#count++
  }

  #refuse(fields: number, source: number): never {
    if (fields < LEAST_FIELDS || fields > MAX_FIELDS)
      throw flaw(t`A segment in the mappings has an invalid number of fields: ${fields}.`)
    throw flaw(
      t`The mappings refer to the source index ${source}, but the source map has only ${this.#context.sources} sources.`,
    )
  }

  #giveOn(): boolean {
    const count = this.#count
    this.#count = 0
    return count === 0 || this.#take(this.#segments, count) !== false
  }
}

const END = Uint8Array.of(COMMA)

function flaw(message: string): SourceMapFlaw {
  return new SourceMapFlaw('bad-mappings', message)
}
