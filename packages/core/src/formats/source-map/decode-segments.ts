import { t } from '../../text.ts'
import { SourceMapFlaw } from './flaw.ts'

/** Numbers of one segment, in their order: generated line, generated column, source, original line, original column, name. All 0-based; source and name -1 for none. */
export const SEGMENT = 6
/** Segments that are decoded before they are given on: their numbers stay in the fastest cache. */
const BATCH = 1024
/** Where the numbers of runs stand, behind the segments. */
export const RUNS = BATCH * SEGMENT

/** Value of each byte as a digit; 255 for what is none. */
const DIGITS = new Uint8Array(256).fill(255)
const LONG = 64
/** What a byte says as the only digit of a number, its sign in the lowest bit; {@link LONG} for what is none. */
const SHORT = new Int8Array(256).fill(LONG)
/** A number of a segment that is left to the slow way. */
const NOT_QUICK = 2 ** 20
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  const byte = character.charCodeAt(0)
  DIGITS[byte] = value
  // 1 is the negative zero.
  if (value < 32 && value !== 1) SHORT[byte] = signed(value)
}
/** Value of a byte as a digit, 0 to 63 of which those from 32 on say that the number goes on; 255 for what is none. */
export function digitOf(byte: number): number {
  return DIGITS[byte] as number
}

const [ZERO, COMMA, SEMICOLON] = [65, 44, 59]
/** Bits of a number in each digit; the sixth says whether it goes on. */
const BITS = 5
const LOW_BITS = 31
const CONTINUES = 32
/** Bytes of four numbers of two digits, of a zero, and of what ends them. */
const QUICK_BYTES = 10

/** As it stands in the mappings: the lowest bit is the sign. Not for 1, the negative zero. */
function signed(value: number): number {
  return value & 1 ? -(value >>> 1) : value >>> 1
}

/** The number of two digits; {@link NOT_QUICK} where it has more, or is none. */
function twoDigits(first: number, second: number): number {
  const low = DIGITS[first] as number
  const high = DIGITS[second] as number
  if (low > 63 || low < CONTINUES || high >= CONTINUES) return NOT_QUICK
  const value = (low & LOW_BITS) | (high << BITS)
  return value === 1 ? NOT_QUICK : signed(value)
}

/** Where decoding stands: which number of its {@link DecoderState} is which. */
export const [LINE, COLUMN, SOURCE, ORIGINAL_LINE, ORIGINAL_COLUMN, NAME] = [0, 1, 2, 3, 4, 5]
/** Numbers read of the segment that goes on, and what is read of the next one. */
const [FIELDS, VALUE, SHIFT] = [6, 7, 8]
/** The batch: where the next segment goes; all differences between columns, negative when one was; runs, and the line and source of the last one. */
const [AT, SIGNS, RUN_COUNT, RUN_LINE, RUN_SOURCE] = [9, 10, 11, 12, 13]
const STATE = 14

/** Numbers only, so that V8 compiles the loop over them once for all decoders. */
export type DecoderState = Int32Array

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

export function newState(): DecoderState {
  const state = new Int32Array(STATE)
  state[RUN_LINE] = -1
  return state
}

/** For the segments of one batch, their runs, and how many there are. */
export function newBatch(): Int32Array {
  return new Int32Array(RUNS + BATCH + 1)
}

export function isFull(state: DecoderState): boolean {
  return state[AT] === RUNS
}

/** Ends the batch and begins the next one. @returns how many segments are in it, and whether the columns of each line ascend. */
export function endBatch(state: DecoderState, batch: Int32Array): { count: number; isOrdered: boolean } {
  const count = (state[AT] as number) / SEGMENT
  batch[RUNS + (state[RUN_COUNT] as number)] = count
  const isOrdered = (state[SIGNS] as number) >= 0
  state[AT] = 0
  state[SIGNS] = 0
  state[RUN_COUNT] = 0
  state[RUN_LINE] = -1
  return { count, isOrdered }
}

/**
 * Decodes bytes from an index on until they end or the batch is full. One loop over the bytes without calls: it is most of what looking at a map costs.
 * @returns the index from which to go on.
 * @throws SourceMapFlaw where the bytes are not mappings.
 */
export function decodeSegments(
  bytes: Uint8Array,
  from: number,
  batch: Int32Array,
  state: DecoderState,
  context: MappingContext,
): number {
  const { firstSource, firstName, sources, names } = context
  const lastQuick = bytes.length - QUICK_BYTES
  // In locals until the bytes end.
  let line = state[LINE] as number
  let column = state[COLUMN] as number
  let source = state[SOURCE] as number
  let originalLine = state[ORIGINAL_LINE] as number
  let originalColumn = state[ORIGINAL_COLUMN] as number
  let name = state[NAME] as number
  let fields = state[FIELDS] as number
  let value = state[VALUE] as number
  let shift = state[SHIFT] as number
  let at = state[AT] as number
  let signs = state[SIGNS] as number
  let runs = state[RUN_COUNT] as number
  let runLine = state[RUN_LINE] as number
  let runSource = state[RUN_SOURCE] as number
  let base = line === context.line ? context.column : 0
  let index = from
  while (index < bytes.length) {
    // A run goes on with short numbers: that is most of mappings. Anything else, and what is wrong, is left to what comes behind this loop.
    if (fields === 0 && shift === 0 && line === runLine && source + firstSource === runSource) {
      while (index <= lastQuick) {
        let next = index
        let columns = SHORT[bytes[next++] as number] as number
        if (columns === LONG) columns = twoDigits(bytes[next - 1] as number, bytes[next++] as number)
        if (bytes[next++] !== ZERO) break
        let lines = SHORT[bytes[next++] as number] as number
        if (lines === LONG) lines = twoDigits(bytes[next - 1] as number, bytes[next++] as number)
        let originalColumns = SHORT[bytes[next++] as number] as number
        if (originalColumns === LONG) originalColumns = twoDigits(bytes[next - 1] as number, bytes[next++] as number)
        const end = bytes[next++] as number
        let newName = name
        let shownName = -1
        if (end !== COMMA) {
          let by = SHORT[end] as number
          if (by === LONG) by = twoDigits(end, bytes[next++] as number)
          if (by === NOT_QUICK || bytes[next++] !== COMMA) break
          newName = (name + by) | 0
          if (newName >= names) break
          shownName = newName + firstName
        }
        if (columns === NOT_QUICK || lines === NOT_QUICK || originalColumns === NOT_QUICK) break
        const newColumn = (column + columns) | 0
        const newLine = (originalLine + lines) | 0
        const newOriginalColumn = (originalColumn + originalColumns) | 0
        const shownColumn = (newColumn + base) | 0
        // What is beyond 31 bits shows as negative.
        if ((newColumn | shownColumn | newLine | newOriginalColumn | newName) < 0) break
        column = newColumn
        originalLine = newLine
        originalColumn = newOriginalColumn
        name = newName
        signs |= columns
        batch[at] = line
        batch[at + 1] = shownColumn
        batch[at + 2] = runSource
        batch[at + 3] = originalLine
        batch[at + 4] = originalColumn
        batch[at + 5] = shownName
        at += SEGMENT
        index = next
        if (at === RUNS) break
      }
      if (at === RUNS || index === bytes.length) break
    }
    const code = bytes[index++] as number
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
        column = (column + delta) | 0
        signs |= delta
      } else if (fields === 1) source = (source + delta) | 0
      else if (fields === 2) originalLine = (originalLine + delta) | 0
      else if (fields === 3) originalColumn = (originalColumn + delta) | 0
      else name = (name + delta) | 0
      fields++
      value = 0
      shift = 0
      continue
    }
    if (code !== COMMA && code !== SEMICOLON) throw bad(t`hold a character that is not a number`)
    if (shift > 0) throw bad(t`end in the middle of a number`)
    if (fields > 0) {
      const shownColumn = (column + base) | 0
      if ((line | shownColumn | column | source | originalLine | originalColumn | name) < 0)
        throw bad(t`lead to a negative position`)
      batch[at] = line
      batch[at + 1] = shownColumn
      if (fields === 1) {
        batch[at + 2] = -1
        batch[at + 5] = -1
      } else {
        if (fields === 2 || fields === 3 || fields > 5) throw bad(t`have a segment of ${fields} numbers`)
        if (source >= sources) throw bad(t`lead to source ${source} of ${sources}`)
        batch[at + 2] = source + firstSource
        batch[at + 3] = originalLine
        batch[at + 4] = originalColumn
        batch[at + 5] = -1
        if (fields === 5) {
          if (name >= names) throw bad(t`lead to name ${name} of ${names}`)
          batch[at + 5] = name + firstName
        }
      }
      const own = batch[at + 2] as number
      if (own !== runSource || line !== runLine) {
        batch[RUNS + runs++] = at / SEGMENT
        runSource = own
        runLine = line
      }
      fields = 0
      at += SEGMENT
    }
    if (code === SEMICOLON) {
      line++
      column = 0
      base = 0
    }
    if (at === RUNS) break
  }
  state[LINE] = line
  state[COLUMN] = column
  state[SOURCE] = source
  state[ORIGINAL_LINE] = originalLine
  state[ORIGINAL_COLUMN] = originalColumn
  state[NAME] = name
  state[FIELDS] = fields
  state[VALUE] = value
  state[SHIFT] = shift
  state[AT] = at
  state[SIGNS] = signs
  state[RUN_COUNT] = runs
  state[RUN_LINE] = runLine
  state[RUN_SOURCE] = runSource
  return index
}

function bad(message: string): SourceMapFlaw {
  return new SourceMapFlaw('bad-mappings', t`has mappings that ${message}`)
}
