import { ApiError } from '../errors.ts'
import { endOfText, parseJson } from './int64.ts'

/** More is not a request of anybody, and to read, check and write each down would hold up whoever else waits. */
const MAX_VALUES = 25_000
/** Deeper is not a request of anybody, and would exhaust the stack of whoever walks it. */
const MAX_DEPTH = 64

/**
 * Reads a request body. A property that is `null` is left out, at any depth, as a service in Go would read it: absent and `null` are
 * the same to every operation.
 * @throws ApiError BadRequest when it is not JSON, or nested too deeply; EntityTooLarge when it has more than 25,000 values.
 */
export function readJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined
  checkSize(text)
  let body: unknown
  try {
    body = parseJson(text)
  } catch {
    throw new ApiError('BadRequest', { en: 'The body is not JSON.', zh: '请求体不是合法的 JSON。' })
  }
  return withoutNulls(body, 0)
}

/** Before it is parsed, which takes longer the more there is. */
function checkSize(text: string): void {
  // Most long bodies are one long text.
  const isShort = text.length <= MAX_VALUES
  if (isShort || countOf(text, ',') + countOf(text, '[') + countOf(text, '{') <= MAX_VALUES) return
  let values = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfText(text, at)
    else if (character === COMMA) values++
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      values++
      if (++depth > MAX_DEPTH + 1) throw nestedTooDeeply()
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth--
  }
  if (values > MAX_VALUES)
    throw new ApiError('EntityTooLarge', {
      en: `The body has more than ${MAX_VALUES} values.`,
      zh: `请求体中的值超过 ${MAX_VALUES} 个。`,
    })
}

const [QUOTE, COMMA] = [0x22, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Wherever they stand; no more are counted than a body may have. */
function countOf(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1 && count <= MAX_VALUES; at = text.indexOf(character, at + 1)) count++
  return count
}

function withoutNulls(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) throw nestedTooDeeply()
  if (Array.isArray(value)) {
    for (const item of value) withoutNulls(item, depth + 1)
    return value
  }
  const fields = value as Record<string, unknown>
  for (const key of Object.keys(fields)) {
    if (fields[key] === null) delete fields[key]
    else withoutNulls(fields[key], depth + 1)
  }
  return value
}

function nestedTooDeeply(): ApiError {
  return new ApiError('BadRequest', { en: 'The body is nested too deeply.', zh: '请求体嵌套过深。' })
}
