/**
 * Matches characters that no prefix may contain: a query, a fragment, a wildcard, a backslash, a line break or other control character, or
 * a lone surrogate.
 */
const NEVER = /[?#*\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u

/**
 * Tests whether a minified path prefix is usable. Usable prefixes are URLs (`https://cdn…`, `app:///`, `file:///`,
 * `capacitor://localhost`), protocol-relative URLs (`//cdn…`) and absolute paths, without a query or fragment. Spaces are allowed, because
 * {@link minifiedUrl} encodes them.
 */
export function isUsablePrefix(prefix: string): boolean {
  if (NEVER.test(prefix) || prefix !== prefix.trim()) return false
  if (/^\/\/[^/]/.test(prefix)) return URL.canParse(`http:${prefix}`)
  if (prefix.startsWith('/')) return true
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(prefix) || !URL.canParse(prefix)) return false
  // Reject misspellings of `http` and unsuitable protocols.
  return /^https?:/i.test(prefix) || !/^(?:h?t?tt?ps?|s?ftps?|wss?|blob|data):/i.test(prefix)
}

/**
 * Returns the URL that the browser reports for a file: the prefix, exactly one slash, and the path below the output directory,
 * percent-encoded as in browsers.
 * @param prefix the prefix, which may already be encoded.
 * @param relativePath the path of the file on disk, relative to the output directory, with `/` as the separator and without
 * percent-encoding.
 */
export function minifiedUrl(prefix: string, relativePath: string): string {
  // In a prefix such as `app:///`, the three slashes must not be removed as trailing slashes.
  const encoded = encodePrefix(prefix)
  const [root = ''] = /^[a-z][a-z\d+.-]*:\/\/(?=\/|$)/i.exec(encoded) ?? []
  return `${root}${encoded.slice(root.length).replace(/\/+$/, '')}/${encodePath(relativePath)}`
}

/** A placeholder host for prefixes that have no host. */
const ANY_HOST = 'http://x'

/** Returns a usable prefix in the form that browsers report, without `.` and `..` segments. Encoded characters stay encoded. */
export function encodePrefix(prefix: string): string {
  const { href } = new URL(prefix, ANY_HOST)
  if (prefix.startsWith('//')) return href.slice('http:'.length)
  return prefix.startsWith('/') || prefix === '' ? href.slice(ANY_HOST.length) : href
}

function encodePath(path: string): string {
  // The URL parser encodes the same characters as browsers. Characters that the parser would interpret as syntax or remove are escaped
  // first.
  const escaped = path.replace(/[%?#\\\t\r\n]/g, encodeURIComponent)
  const url = new URL(ANY_HOST)
  url.pathname = `/${escaped}`
  return url.pathname.slice(1)
}
