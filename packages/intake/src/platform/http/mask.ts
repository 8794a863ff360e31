import { stringifyJson } from '../wire/int64.ts'

const MAX_BYTES = 10 * 1024
const SECRET_NAME =
  /token|secret|passw|passphrase|pwd|(?:api|app|access|private|secret|signing|encryption|license|ssh|tls|client)[-_]?key|credential|authorization|cookie|jwt|bearer|session[-_]?id|signature|otp$|^(?:key|auth|pin)$/i
const MASK = '***'

/** A request body as the audit log keeps it: JSON with the values of secret-looking fields masked, cut at 10 KB. */
export function maskedBody(body: unknown): string {
  return body === undefined ? '' : cut(stringifyJson(body, masked))
}

/** As `maskedBody` keeps a value, for a parameter. */
export function maskedValue(name: string, value: string): string {
  return SECRET_NAME.test(name) ? MASK : cut(withoutUrlSecrets(value))
}

function masked(key: string, value: unknown): unknown {
  if (typeof value !== 'boolean' && SECRET_NAME.test(key)) return MASK
  return typeof value === 'string' ? withoutUrlSecrets(value) : value
}

/** Ends the part of an address that may hold a name and a password. */
const AUTHORITY_END = /[/?#\s"'<>\\]/g
const QUERY_VALUE = /[?&]([\w.-]{1,50})=([^&#\s"']*)/g

/** `https://user:password@host/?token=…` without the password and the values of parameters that look like secrets. */
function withoutUrlSecrets(text: string): string {
  if (!text.includes('://')) return text
  let shown = ''
  let from = 0
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', from)) {
    const start = at + 3
    AUTHORITY_END.lastIndex = start
    const end = AUTHORITY_END.exec(text)?.index ?? text.length
    const authority = text.slice(start, end)
    const host = authority.lastIndexOf('@')
    const colon = authority.indexOf(':')
    const hasPassword = colon !== -1 && colon < host
    shown += text.slice(from, start) + (hasPassword ? `${authority.slice(0, colon + 1)}${MASK}` : '')
    shown += hasPassword ? authority.slice(host) : authority
    from = end
  }
  shown += text.slice(from)
  return shown.replace(QUERY_VALUE, (found, name: string) =>
    SECRET_NAME.test(name) ? found.slice(0, found.indexOf('=') + 1) + MASK : found,
  )
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
