import { randomUUID } from 'node:crypto'
import { stringify } from 'lossless-json'

/**
 * A 64-bit integer: a number if it can be represented exactly, otherwise a bigint. Equal values always have the same type, so `===` works.
 */
export type Int64 = number | bigint

/** Prefix that marks long integers during parsing. It is random, so that no string from a client can begin with it. */
const MARK = `int64:${randomUUID()}:`
/** Integers with 16 to 20 digits may fit in 64 bits, but JavaScript numbers may not represent them exactly. */
const [MIN_DIGITS, MAX_DIGITS] = [16, 20]

/**
 * Parses JSON and keeps all digits of integers with up to 20 digits. Fractions are parsed as numbers.
 * @throws SyntaxError if the string is not JSON.
 */
export function parseJson(text: string): unknown {
  const marked = withMarks(text)
  const value: unknown = JSON.parse(marked)
  return marked === text ? value : unmarked(value)
}

/**
 * Maximum number of digits in a number. A double has at most 309 digits before the decimal point, and parsing much longer numbers takes a
 * long time.
 */
const MAX_RUN = 400

/**
 * Replaces each long integer with a string that starts with a marker. The loop jumps from string to string, because a regular expression
 * for strings and integers would be up to a hundred times slower.
 */
function withMarks(text: string): string {
  const pieces: string[] = []
  let copied = 0
  let digits = 0
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= NINE) {
      if (++digits > MAX_RUN) throw new SyntaxError('a number has too many digits')
      continue
    }
    const start = digits < MIN_DIGITS || digits > MAX_DIGITS ? undefined : startOfInteger(text, at - digits, at)
    if (start !== undefined) {
      pieces.push(text.slice(copied, start), `"${MARK}${text.slice(start, at)}"`)
      copied = at
    }
    digits = 0
    if (code === QUOTE) at = endOfText(text, at)
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

const [ZERO, NINE, QUOTE] = [0x30, 0x39, 0x22]

/** @returns undefined if the digits do not belong to an integer. */
function startOfInteger(text: string, first: number, end: number): number | undefined {
  const start = text[first - 1] === '-' ? first - 1 : first
  const isOther = text[first] === '0' || isIn('.eE', text[end]) || isIn('0123456789.eE+-', text[start - 1])
  return isOther ? undefined : start
}

const isIn = (characters: string, one: string | undefined) => one !== undefined && characters.includes(one)

/**
 * @param quote index of the opening quote.
 * @returns the index of the closing quote, or the end of the text if there is no closing quote.
 */
export function endOfText(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text[end - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** Does not use recursion, because a few megabytes of JSON can be nested a million levels deep. */
function unmarked(root: unknown): unknown {
  const holder = { root }
  const pending: Record<string, unknown>[] = [holder]
  for (let object = pending.pop(); object; object = pending.pop()) {
    for (const key of Object.keys(object)) {
      if (key.startsWith(MARK)) throw new SyntaxError('the name of a field is a number')
      const value = object[key]
      if (typeof value === 'string' && value.startsWith(MARK)) object[key] = toInt64(value.slice(MARK.length))
      else if (typeof value === 'object' && value !== null) pending.push(value as Record<string, unknown>)
    }
  }
  return holder.root
}

export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null'
  } catch {
    // `JSON.stringify` cannot serialize bigints.
    return stringify(value, undefined, indent) ?? 'null'
  }
}

export function toInt64(digits: string): Int64 {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}
