import { allAtOnce } from '@symup/core/resolving'
import { invalidParameter } from '../../platform/errors.ts'
import { excessOf } from '../../platform/wire/json-body.ts'

/** Same limit as for JSON operations. SQLite fails at 1,000 levels, and then for all rows of a query. */
const MAX_DEPTH = 64
/** A dSYM archive of a large app has a thousand UUIDs, and an event about thirty other fields. */
const MAX_VALUES = 2000
/** In characters. No name, version or address is longer. */
const MAX_TEXT = 8192

/**
 * The event of an upload. Fields with the value `null` are removed, as in operation bodies.
 * @throws ApiError if it is not a JSON object, or a database could not store it unchanged.
 */
export function readEvent(text: string | undefined): Record<string, unknown> {
  if (text === undefined) throw invalidParameter('event', 'The part is missing.')
  if (allAtOnce(excessOf(text, MAX_VALUES)) === 'values')
    throw invalidParameter('event', `It has more than ${MAX_VALUES} values.`)
  let event: unknown
  try {
    event = JSON.parse(text)
  } catch {
    throw invalidParameter('event', 'It is not JSON.')
  }
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw invalidParameter('event', 'It is not a JSON object.')
  checkValue(event, 1)
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null))
}

function checkValue(value: unknown, depth: number): void {
  if (typeof value === 'string') checkText(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalidParameter('event', 'A number is too large.')
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw invalidParameter('event', `It is nested more than ${MAX_DEPTH} levels deep.`)
  for (const [name, item] of Object.entries(value)) {
    checkText(name)
    checkValue(item, depth + 1)
  }
}

/** A lone surrogate cannot be encoded. */
const UNSTORABLE = /\0|\p{Surrogate}/u

function checkText(text: string): void {
  if (text.length > MAX_TEXT) throw invalidParameter('event', `A text is longer than ${MAX_TEXT} characters.`)
  if (UNSTORABLE.test(text)) throw invalidParameter('event', 'A text has a character that cannot be stored.')
}
