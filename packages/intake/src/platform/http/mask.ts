import type { FastifyRequest } from 'fastify'
import { isSecretName, MASK, maskAddresses, withoutSecrets } from '../secrets.ts'
import { stringifyJson } from '../wire/int64.ts'

const MAX_BYTES = 10 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    /** Its body without secrets, once somebody asked. */
    masked: string | undefined
  }
}

/** Of a request, as `maskedBody` has it: the audit log and the inspector both ask. */
export function maskedBodyOf(request: FastifyRequest): string {
  request.masked ??= maskedBody(request.body)
  return request.masked
}

/** A request body as the audit log keeps it: JSON with the values of secret-looking fields masked, cut at 10 KB. */
export function maskedBody(body: unknown): string {
  if (body === undefined) return ''
  return cut(stringifyJson(withoutSecrets(body, MASK, { left: MAX_BYTES })))
}

/** As `maskedBody` keeps a value, for a parameter. */
export function maskedValue(name: string, value: string): string {
  return isSecretName(name) ? MASK : cut(maskAddresses(value))
}

/** A text that should be JSON, with its secrets masked; what is not JSON loses only those of its addresses. */
export function maskedText(text: string): string {
  try {
    return stringifyJson(withoutSecrets(JSON.parse(text), MASK))
  } catch {
    return maskAddresses(text)
  }
}

/** Cut at a character, not within one. */
function cut(text: string): string {
  // No character takes more than three bytes a unit.
  if (text.length * 3 <= MAX_BYTES) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_BYTES) return text
  let end = MAX_BYTES
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

const SECRET_HEADER = /key|auth|cookie|token|secret|jwt|passw|session|signature/i

/** Headers of a request with the values of those that hold secrets masked, each cut at 500 characters. */
export function maskedHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADER.test(name) ? MASK : String(value).slice(0, 500),
    ]),
  )
}
