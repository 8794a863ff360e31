const SECRET_NAME =
  /token|secret|passw|passphrase|pwd|(?:^|_)pass$|(?:api|app|private|secret|signing|encryption|license|ssh|tls|client)[-_]?key|access[-_]?key(?![-_]?id)|credential|authorization|cookie|jwt|bearer|session[-_]?id|signature|otp$|^(?:auth|pin)$/i
// All patterns run in linear time on any input, because none of them rescans the same characters from several positions.
/** Matches header lines and `name=value` pairs that contain a secret, such as `Authorization: Bearer x` and `token=x`. */
const SECRET_LINE = /^\s*(?!\s)[^:=]{0,80}(?:auth|token|key|secret|cookie)[^:=]{0,80}[:=]/i
/** Matches the password in `scheme://user:password@host` and in data source names such as `user:password@tcp(host:3306)/db`. */
const URL_PASSWORD = /(:\/\/[^\s:/?#@"]*):[^\s/?#"]*@/g
const DSN_PASSWORD = /^([^\s:/@]+):[^\s/]*@(?=[a-z]+\()/i
const QUERY_SECRET =
  /([?&](?=[\w.-]{1,100}=[^&\s#"])(?:[\w.-]*(?:token|secret|passw|pwd|(?:api|app|access|private|secret|signing|license|client)[_-]?key|signature)[\w.-]*|key|sign?)=)[^&\s#"]+/gi

export const MASK = '***'

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

export function maskAddresses(text: string): string {
  if (!text.includes('@') && !text.includes('=')) return text
  return text
    .replace(URL_PASSWORD, `$1:${MASK}@`)
    .replace(DSN_PASSWORD, `$1:${MASK}@`)
    .replace(QUERY_SECRET, `$1${MASK}`)
}

export interface Room {
  /** Number of characters that can still be copied. */
  left: number
}
/** Maximum number of characters in a secret. Recognizing a secret may require the text that follows it. */
const MAX_SECRET = 32_768
/** Number of characters at the start of a string that are searched for secrets. */
const MAX_MASKED = 256 * 1024

/**
 * Copies a JSON value without its secrets at any depth: in fields with names such as `password`, in headers, and in URLs. Booleans are
 * kept, as in `password_enabled: true`.
 * @param instead replaces each secret. Default: an empty string, as in responses from the hosted service.
 * @param room limit on the number of characters to copy. Default: no limit.
 */
export function withoutSecrets<T>(value: T, instead = '', room: Room = { left: Infinity }): T {
  return masked(value, '', instead, room) as T
}

function masked(value: unknown, name: string, instead: string, room: Room): unknown {
  room.left--
  if (isSecretName(name)) return hidden(value, instead)
  if (typeof value === 'string') return maskedWithin(value, room)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (let nth = 0; nth < value.length && room.left > 0; nth++) items.push(maskedItem(value[nth], instead, room))
    return items
  }
  const header = headerName(value as Record<string, unknown>)
  const fields: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    if (room.left <= 0) break
    room.left -= key.length
    const item = (value as Record<string, unknown>)[key]
    const isValue = header !== undefined && /^value$/i.test(key)
    fields.push([key, isValue ? hidden(item, instead) : masked(item, key, instead, room)])
  }
  return Object.fromEntries(fields)
}

function maskedItem(item: unknown, instead: string, room: Room): unknown {
  if (typeof item !== 'string') return masked(item, '', instead, room)
  const line = SECRET_LINE.exec(item)?.[0]
  if (line === undefined || /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(item)) return maskedWithin(item, room)
  room.left -= line.length
  return `${line}${instead}`
}

function maskedWithin(text: string, room: Room): string {
  const enough = room.left + MAX_SECRET
  for (let length = enough + MAX_SECRET; ; length *= 2) {
    const isCut = text.length > length
    let shown = maskAddresses(isCut ? text.slice(0, length) : text)
    // Masking shortens the string, so it may now end with the start of a secret that was cut off and therefore not recognized.
    if (isCut && shown.length < enough) {
      if (length < MAX_MASKED) continue
      shown = shown.slice(0, Math.max(0, shown.length - MAX_SECRET))
    }
    room.left -= shown.length
    return shown
  }
}

/** Returns the name of a header, as in `{"name": "Authorization", "value": "Bearer x"}`, if its value is a secret. */
function headerName(fields: Record<string, unknown>): string | undefined {
  const name = fields.name ?? fields.key ?? fields.Key ?? fields.Name
  return typeof name === 'string' && (isSecretName(name) || /^auth$/i.test(name)) ? name : undefined
}

/** Booleans and missing values are not secret, even in a field with a name such as `password`. */
function hidden(value: unknown, instead: string): unknown {
  return typeof value === 'boolean' || value === null || value === undefined ? value : instead
}
