import { ApiError } from '../errors.ts'
import { parseJson } from './int64.ts'

/** Deeper is not a request of anybody, and would exhaust the stack of whoever walks it. */
const MAX_DEPTH = 64

/**
 * Reads a request body. A property that is `null` is left out, at any depth, as a service in Go would read it: absent and `null` are
 * the same to every operation.
 * @throws ApiError BadRequest when it is not JSON, or nested too deeply.
 */
export function readJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined
  let body: unknown
  try {
    body = parseJson(text)
  } catch {
    throw new ApiError('BadRequest', { en: 'The body is not JSON.', zh: '请求体不是合法的 JSON。' })
  }
  return withoutNulls(body, 0)
}

function withoutNulls(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH)
    throw new ApiError('BadRequest', { en: 'The body is nested too deeply.', zh: '请求体嵌套过深。' })
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
