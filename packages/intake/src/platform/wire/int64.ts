import { randomUUID } from 'node:crypto'
import { stringify } from 'lossless-json'

/** A 64-bit integer: a number while it is exact as one, else a bigint. The same value always has the same form, so `===` compares. */
export type Int64 = number | bigint

/** Stands in the place of a long integer while the rest is parsed; nobody can guess it, so no text of a client's begins with it. */
const MARK = `int64:${randomUUID()}:`
/** A text, so that digits in it are passed over; or a number with an integer that a number may not hold, with all of its digits: what is none of ours is not looked at again. */
const TEXT_OR_LONG = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d{16,}[.eE]?/gs
const LONG = /^-?[1-9]\d{15,19}$/

/**
 * Reads JSON without losing a digit of an integer of up to 20 digits; fractions stay numbers.
 * @throws SyntaxError when it is not JSON.
 */
export function parseJson(text: string): unknown {
  // Below 16 digits in a row a number is exact. Every other parser takes many times as long as JSON.parse.
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  let isMarked = false
  const marked = text.replace(TEXT_OR_LONG, (found, offset: number) => {
    if (!LONG.test(found) || /[\d.eE+-]/.test(text[offset - 1] ?? '')) return found
    isMarked = true
    return `"${MARK}${found}"`
  })
  const value: unknown = JSON.parse(marked)
  return isMarked ? unmarked(value) : value
}

/** Without recursion: a text of a few MB can be nested a million deep. */
function unmarked(root: unknown): unknown {
  const holder = { root }
  const pending: Record<string, unknown>[] = [holder]
  for (let object = pending.pop(); object; object = pending.pop()) {
    for (const key of Object.keys(object)) {
      const value = object[key]
      if (typeof value === 'string' && value.startsWith(MARK)) object[key] = toInt64(value.slice(MARK.length))
      else if (typeof value === 'object' && value !== null) pending.push(value as Record<string, unknown>)
    }
  }
  return holder.root
}

/** Writes JSON with bigints as plain digits. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    // There is a bigint in it.
    return stringify(value) ?? 'null'
  }
}

/** @param digits decimal, with an optional sign, nothing else. */
export function toInt64(digits: string): Int64 {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}
