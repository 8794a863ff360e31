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

/**
 * Copies a JSON value without its secrets at any depth: in fields with names such as `password`, in headers, and in URLs. Booleans are
 * kept, as in `password_enabled: true`.
 * @param instead replaces each secret. Default: an empty string, as in responses from the hosted service.
 */
export function withoutSecrets<T>(value: T, instead = ''): T {
  return masked(value, '', instead) as T
}

function masked(value: unknown, name: string, instead: string): unknown {
  if (isSecretName(name)) return hidden(value, instead)
  if (typeof value === 'string') return maskAddresses(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => maskedItem(item, instead))
  const header = headerName(value as Record<string, unknown>)
  const fields = Object.entries(value).map(([key, item]) => {
    const isValue = header !== undefined && /^value$/i.test(key)
    return [key, isValue ? hidden(item, instead) : masked(item, key, instead)]
  })
  return Object.fromEntries(fields)
}

function maskedItem(item: unknown, instead: string): unknown {
  if (typeof item !== 'string') return masked(item, '', instead)
  const line = SECRET_LINE.exec(item)?.[0]
  if (line === undefined || /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(item)) return maskAddresses(item)
  return `${line}${instead}`
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
