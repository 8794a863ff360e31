import type { MappingState } from './mapping-decoder.ts'

/** Where decoding stands behind a stretch of mappings. */
export interface PassedSegments {
  after: MappingState
  /** Position of the first segment, 0-based. */
  firstLine: number
  firstColumn: number
  /** How many there are. */
  count: number
}

const [COMMA, SEMICOLON] = [44, 59]
/** Value of each byte as a digit, 0 to 63 of which those from 32 on say that the number goes on; 255 for what is none. */
const DIGITS = new Uint8Array(256).fill(255)
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  DIGITS[character.charCodeAt(0)] = value
/** Digits of a number; the last one may only add what 32 bits hold. */
const MAX_DIGITS = 7

/**
 * What happens at each byte in each state. A state is where in a number the byte stands: at the start of a segment (0), at the start of another number (1), or behind
 * so many digits of a positive (2, 4, …) or negative number (3, 5, …).
 */
const STATES = 2 + 2 * (MAX_DIGITS - 1)
const STATE_SHIFT = 8
/** What the byte adds to the sum of its number. */
const ADDED = new Int32Array(STATES << STATE_SHIFT)
/** The next state, in its place; how many numbers of the segment are done with it; what is kept of their count; whether a segment begins; whether it cannot be passed. */
const STEP = new Uint16Array(STATES << STATE_SHIFT)
const [NUMBER_ENDS, COUNT_SHIFT, COUNT, BEGINS, STOPS, LINE_ENDS, STATE] = [1, 1, 7, 16, 32, 64, 0xf00]

for (let state = 0; state < STATES; state++) {
  for (let byte = 0; byte < 256; byte++) {
    const at = (state << STATE_SHIFT) | byte
    const digit = DIGITS[byte] as number
    if (byte === COMMA || byte === SEMICOLON) {
      STEP[at] = (state > 1 ? STOPS : 0) | (byte === SEMICOLON ? LINE_ENDS : 0)
      continue
    }
    const before = state >> 1
    const isNegative = ((state > 1 ? state : digit) & 1) === 1
    const goesOn = digit > 31
    if (digit > 63 || (goesOn && before === MAX_DIGITS - 1)) {
      STEP[at] = STOPS
      continue
    }
    const value = before === 0 ? (digit & 31) >> 1 : (digit & 31) << (5 * before - 1)
    ADDED[at] = isNegative ? -value : value
    const next = goesOn ? 2 * (before + 1) + Number(isNegative) : 1
    STEP[at] =
      (next << STATE_SHIFT) |
      (goesOn ? 0 : NUMBER_ENDS) |
      (COUNT << COUNT_SHIFT) |
      (state === 0 ? BEGINS : 0) |
      // A column before that of the segment before: the line is not in order.
      (state === 0 && isNegative ? STOPS : 0)
  }
}

/**
 * Sums up a stretch of mappings without telling its segments: twice as fast as decoding, as each byte is a look-up in a table and nothing branches. How many numbers a
 * segment has, and whether they lead to negative positions, is not checked.
 * @param bytes whole segments, each with what ends it, or the last one without.
 * @param from where decoding stands before it; columns and numbers are the map's own.
 * @returns undefined where there is anything else than numbers, and where columns descend: the decoder has to look.
 */
export function passSegments(bytes: Uint8Array, from: MappingState): PassedSegments | undefined {
  const sums = new Int32Array(8)
  const { steps, count, lines } = sumUp(bytes, 0, sums)
  if ((steps & STOPS) !== 0) return undefined
  let column = from.column + (sums[0] as number)
  if (lines > 0) {
    const last = new Int32Array(8)
    sumUp(bytes, bytes.lastIndexOf(SEMICOLON) + 1, last)
    column = last[0] as number
  }
  let begin = 0
  let firstLine = from.line
  for (; bytes[begin] === SEMICOLON || bytes[begin] === COMMA; begin++) if (bytes[begin] === SEMICOLON) firstLine++
  const first = new Int32Array(8)
  let end = begin
  while ((DIGITS[bytes[end] ?? 0] as number) > 31 && end < bytes.length) end++
  sumUp(bytes.subarray(begin, end + 1), 0, first)
  return {
    after: {
      line: from.line + lines,
      column,
      source: from.source + (sums[1] as number),
      originalLine: from.originalLine + (sums[2] as number),
      originalColumn: from.originalColumn + (sums[3] as number),
      name: from.name + (sums[4] as number),
    },
    firstLine,
    firstColumn: (firstLine === from.line ? from.column : 0) + (first[0] as number),
    count,
  }
}

/** @param sums of each number of the segments. */
function sumUp(bytes: Uint8Array, from: number, sums: Int32Array): { steps: number; count: number; lines: number } {
  let state = 0
  let number = 0
  let steps = 0
  let count = 0
  let lines = 0
  for (let index = from; index < bytes.length; index++) {
    const at = state | (bytes[index] as number)
    const step = STEP[at] as number
    sums[number] = (sums[number] as number) + (ADDED[at] as number)
    number = (number + (step & NUMBER_ENDS)) & (step >> COUNT_SHIFT) & COUNT
    count += (step & BEGINS) >> 4
    lines += (step & LINE_ENDS) >> 6
    steps |= step
    state = step & STATE
  }
  // It ends in the middle of a number.
  if (state > 1 << STATE_SHIFT) steps |= STOPS
  return { steps, count, lines }
}
