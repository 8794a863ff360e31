import { t } from '../../text.ts'
import { SourceMapFlaw } from './flaw.ts'

/** Numbers of one segment, in their order: generated line, generated column, source, original line, original column, name. All 0-based; source and name -1 for none. */
export const SEGMENT = 6

/**
 * What is given segments as they are decoded: `count` of them, {@link SEGMENT} numbers each, in memory that is used again; whether the columns of each line ascend. From
 * {@link RUNS} on stands where runs begin, stretches of one line and one source: the number of the first segment of each, and at last how many segments there are, or more. Returns
 * `false` to end the walk.
 */
export type TakeSegments = (segments: Int32Array, count: number, isOrdered: boolean) => boolean | undefined

/** Segments that are decoded before they are given on: their numbers stay in the fastest cache. */
const BATCH = 1024
/** Where the numbers of runs stand, behind the segments. */
export const RUNS = BATCH * SEGMENT
/** Value of each byte as a digit; 255 for what is none. */
const DIGITS = new Uint8Array(256).fill(255)
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  DIGITS[character.charCodeAt(0)] = value
}
/** Value of a byte as a digit, 0 to 63 of which those from 32 on say that the number goes on; 255 for what is none. */
export function digitOf(byte: number): number {
  return DIGITS[byte] as number
}

const COMMA = 44
const SEMICOLON = 59
/** Bits of a number in each digit; the sixth says whether it goes on. */
const BITS = 5
const LOW_BITS = 31
const CONTINUES = 32
/** Bytes of five numbers of two digits, and of what ends them. */
const QUICK_BYTES = 11

/** A number of which the first digit goes on; -1 where it has more than two. */
function twoDigits(first: number, second: number): number {
  return first < 64 && second < CONTINUES ? (first & LOW_BITS) | (second << BITS) : -1
}

/** As it stands in the mappings: the lowest bit is the sign. Not for 1, the negative zero. */
function signed(value: number): number {
  return value & 1 ? -(value >>> 1) : value >>> 1
}

export interface MappingContext {
  /** Where the mappings begin in the generated file, and how sources and names are numbered. */
  line: number
  column: number
  firstSource: number
  firstName: number
  /** How many sources and names there are to lead to. */
  sources: number
  names: number
}

/** Where decoding stands between two segments: what it takes to go on from there. Columns and numbers are the map's own, before any offset is added. */
export interface MappingState {
  line: number
  column: number
  source: number
  originalLine: number
  originalColumn: number
  name: number
}

/**
 * Decodes `mappings` from bytes that come in pieces of any size into one small typed array; memory does not grow with the map.
 * One loop over the bytes without calls: it is most of what looking at a map costs.
 */
export class MappingDecoder {
  readonly #segments: Int32Array
  readonly #take: TakeSegments
  readonly #context: MappingContext
  #count = 0
  #line: number
  #column = 0
  #source = 0
  #originalLine = 0
  #originalColumn = 0
  #name = 0
  /** All differences between columns in the batch; negative when one was. */
  #signs = 0
  /** Runs in the batch, and the line and source of the last one. */
  #runs = 0
  #runLine = -1
  #runSource = -1
  /** Numbers read of the segment that goes on. */
  #fields = 0
  #value = 0
  #shift = 0

  /**
   * @param from where to go on; without it, at the beginning.
   * @param memory one may serve several decoders, one after the other.
   */
  constructor(context: MappingContext, take: TakeSegments, from?: MappingState, memory = MappingDecoder.memory()) {
    this.#segments = memory
    this.#context = context
    this.#take = take
    this.#line = from?.line ?? context.line
    if (!from) return
    this.#column = from.column
    this.#source = from.source
    this.#originalLine = from.originalLine
    this.#originalColumn = from.originalColumn
    this.#name = from.name
  }

  static memory(): Int32Array {
    return new Int32Array(RUNS + BATCH + 1)
  }

  /** After {@link MappingDecoder.end}. */
  get state(): MappingState {
    return {
      line: this.#line,
      column: this.#column,
      source: this.#source,
      originalLine: this.#originalLine,
      originalColumn: this.#originalColumn,
      name: this.#name,
    }
  }

  /**
   * @returns false when whoever takes the segments wants no more.
   * @throws SourceMapFlaw where the bytes are not mappings.
   */
  push(bytes: Uint8Array): boolean {
    const { column: firstColumn, line: firstLine, firstSource, firstName, sources, names } = this.#context
    const segments = this.#segments
    const { length } = bytes
    // In locals until the piece ends.
    let line = this.#line
    let column = this.#column
    let source = this.#source
    let originalLine = this.#originalLine
    let originalColumn = this.#originalColumn
    let name = this.#name
    let fields = this.#fields
    let value = this.#value
    let shift = this.#shift
    let signs = this.#signs
    let runs = this.#runs
    let runLine = this.#runLine
    let runSource = this.#runSource
    let at = this.#count * SEGMENT
    let base = line === firstLine ? firstColumn : 0
    const lastQuick = length - QUICK_BYTES
    for (let index = 0; index < length; index++) {
      // A segment of four or five short numbers at once: that is most of them. Anything else is left to the loop.
      if (index <= lastQuick && fields === 0 && shift === 0) {
        let next = index
        let first = DIGITS[bytes[next++] as number] as number
        if (first > LOW_BITS) first = twoDigits(first, DIGITS[bytes[next++] as number] as number)
        let second = DIGITS[bytes[next++] as number] as number
        if (second > LOW_BITS) second = twoDigits(second, DIGITS[bytes[next++] as number] as number)
        let third = DIGITS[bytes[next++] as number] as number
        if (third > LOW_BITS) third = twoDigits(third, DIGITS[bytes[next++] as number] as number)
        let fourth = DIGITS[bytes[next++] as number] as number
        if (fourth > LOW_BITS) fourth = twoDigits(fourth, DIGITS[bytes[next++] as number] as number)
        let end = bytes[next] as number
        let fifth = 0
        const isShort = end === COMMA || end === SEMICOLON
        if (!isShort) {
          fifth = DIGITS[end] as number
          next++
          if (fifth > LOW_BITS) fifth = twoDigits(fifth, DIGITS[bytes[next++] as number] as number)
          end = bytes[next] as number
        }
        const isQuick = first !== 1 && second !== 1 && third !== 1 && fourth !== 1 && fifth !== 1
        if (isQuick && (first | second | third | fourth | fifth) >= 0 && (end === COMMA || end === SEMICOLON)) {
          const columns = signed(first)
          column += columns
          signs |= columns
          source += signed(second)
          originalLine += signed(third)
          originalColumn += signed(fourth)
          name += signed(fifth)
          fields = isShort ? 4 : 5
          index = next
        }
      }
      const code = bytes[index] as number
      const digit = DIGITS[code] as number
      if (digit < 64) {
        if (shift === 30 && digit > 3) throw bad(t`have a number that is out of range`)
        value |= (digit & LOW_BITS) << shift
        if (digit >= CONTINUES) {
          shift += BITS
          continue
        }
        // As ECMA-426 has it, a negative zero is -2^31.
        const delta = value & 1 ? -0x80000000 | (0 - (value >>> 1)) : value >>> 1
        if (fields === 0) {
          column += delta
          signs |= delta
        } else if (fields === 1) source += delta
        else if (fields === 2) originalLine += delta
        else if (fields === 3) originalColumn += delta
        else name += delta
        fields++
        value = 0
        shift = 0
        continue
      }
      if (code !== COMMA && code !== SEMICOLON) throw bad(t`hold a character that is not a number`)
      if (shift > 0) throw bad(t`end in the middle of a number`)
      if (fields > 0) {
        // What is beyond 31 bits shows as negative.
        if ((line | (column + base) | column | source | originalLine | originalColumn | name) < 0)
          throw bad(t`lead to a negative position`)
        segments[at] = line
        segments[at + 1] = column + base
        if (fields === 1) {
          segments[at + 2] = -1
          segments[at + 5] = -1
        } else {
          if (fields === 2 || fields === 3 || fields > 5) throw bad(t`have a segment of ${fields} numbers`)
          if (source >= sources) throw bad(t`lead to source ${source} of ${sources}`)
          segments[at + 2] = source + firstSource
          segments[at + 3] = originalLine
          segments[at + 4] = originalColumn
          segments[at + 5] = -1
          if (fields === 5) {
            if (name >= names) throw bad(t`lead to name ${name} of ${names}`)
            segments[at + 5] = name + firstName
          }
        }
        const own = segments[at + 2] as number
        if (own !== runSource || line !== runLine) {
          segments[RUNS + runs++] = at / SEGMENT
          runSource = own
          runLine = line
        }
        fields = 0
        at += SEGMENT
        if (at === RUNS) {
          segments[RUNS + runs] = BATCH
          at = 0
          runs = 0
          runLine = -1
          this.#count = 0
          const isOrdered = signs >= 0
          signs = 0
          if (this.#take(segments, BATCH, isOrdered) === false) return false
        }
      }
      if (code === SEMICOLON) {
        line++
        column = 0
        base = 0
      }
    }
    this.#line = line
    this.#column = column
    this.#source = source
    this.#originalLine = originalLine
    this.#originalColumn = originalColumn
    this.#name = name
    this.#fields = fields
    this.#value = value
    this.#shift = shift
    this.#signs = signs
    this.#runs = runs
    this.#runLine = runLine
    this.#runSource = runSource
    this.#count = at / SEGMENT
    return true
  }

  /**
   * Gives on what is left. More may be pushed afterwards, which begins with a new segment.
   * @throws SourceMapFlaw where the mappings end in the middle of a number.
   */
  end(): boolean {
    if (!this.push(END)) return false
    const count = this.#count
    const isOrdered = this.#signs >= 0
    this.#segments[RUNS + this.#runs] = count
    this.#count = 0
    this.#signs = 0
    this.#runs = 0
    this.#runLine = -1
    return count === 0 || this.#take(this.#segments, count, isOrdered) !== false
  }
}

const END = Uint8Array.of(COMMA)

function bad(message: string): SourceMapFlaw {
  return new SourceMapFlaw('bad-mappings', t`has mappings that ${message}`)
}
