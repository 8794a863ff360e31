import { isSecretName, MASK, maskAddresses, withoutSecrets } from '../secrets.ts'
import { parseJson, stringifyJson } from '../wire/int64.ts'

const MAX_BYTES = 10 * 1024

/** Returns at most 10 KB of a request body for the audit log, with secrets masked. */
export function maskedBody(body: unknown): string {
  if (body === undefined) return ''
  return cut(stringifyJson(withoutSecrets(body, MASK)))
}

export function maskedValue(name: string, value: string): string {
  return isSecretName(name) ? MASK : cut(maskAddresses(value))
}

/**
 * Masks the secrets in a JSON string. If the string is not JSON, masks only the secrets in URLs.
 * @param indent number of spaces per level. Default: the JSON is on one line.
 */
export function maskedText(text: string, indent?: number): string {
  try {
    return stringifyJson(withoutSecrets(parseJson(text), MASK), indent)
  } catch {
    return maskAddresses(text)
  }
}

function cut(text: string): string {
  // Each UTF-16 code unit takes up at most three bytes in UTF-8.
  if (text.length * 3 <= MAX_BYTES) return text
  return new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_BYTES), { stream: true })
}

const SECRET_HEADER = /key|auth|cookie|token|secret|jwt|passw|session|signature/i

export function maskedHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADER.test(name) ? MASK : String(value).slice(0, 500),
    ]),
  )
}
