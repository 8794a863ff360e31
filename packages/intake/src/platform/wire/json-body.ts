import { ApiError } from '../errors.ts'
import { endOfText, parseJson } from './int64.ts'

/** Maximum number of values. Real requests contain fewer values. Processing more values would block other requests. */
const MAX_VALUES = 10_000
/**
 * Maximum nesting depth. Real requests have fewer levels. Deep recursion could overflow the stack. At 1,000 levels, SQLite would reject
 * every query that reads the row.
 */
export const MAX_DEPTH = 64

/**
 * Removes `null` properties at any depth, because services that are written in Go do not distinguish between absent and `null` properties.
 * @throws ApiError BadRequest if the body is not JSON or is nested too deeply; EntityTooLarge if it contains more than 10,000 values.
 */
export function readJsonBody(bytes: Buffer): unknown {
  const text = bytes.toString()
  if (text.trim() === '') return undefined
  const excess = excessOf(text, MAX_VALUES)
  if (excess === 'depth')
    throw new ApiError('BadRequest', { en: 'The body is nested too deeply.', zh: '请求体嵌套过深。' })
  if (excess === 'values') {
    throw new ApiError('EntityTooLarge', {
      en: `The body contains more than ${MAX_VALUES} values.`,
      zh: `请求体中的值超过 ${MAX_VALUES} 个。`,
    })
  }
  let body: unknown
  try {
    body = parseJson(text)
  } catch {
    throw new ApiError('BadRequest', { en: 'The body is not valid JSON.', zh: '请求体不是合法的 JSON。' })
  }
  return withoutNulls(body)
}

/**
 * Counts the values before parsing, because parsing is more expensive.
 * @param most maximum number of values.
 */
export function excessOf(text: string, most: number): 'values' | 'depth' | undefined {
  let values = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfText(text, at)
    else if (character === COMMA) values++
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      values++
      if (++depth > MAX_DEPTH) return 'depth'
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth--
  }
  return values > most ? 'values' : undefined
}

const [QUOTE, COMMA] = [0x22, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (const item of value) withoutNulls(item)
    return value
  }
  const fields = value as Record<string, unknown>
  for (const key of Object.keys(fields)) {
    if (fields[key] === null) delete fields[key]
    else withoutNulls(fields[key])
  }
  return value
}
