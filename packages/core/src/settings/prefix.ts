/**
 * Characters that no prefix may contain: a query, a fragment, a wildcard, a backslash, a line break or other control character, or a lone
 * surrogate.
 */
const NEVER = /[?#*\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u

/**
 * Whether a minified path prefix can work: a URL (`https://cdn…`, `app:///`, `file:///`, `capacitor://localhost`), a protocol-relative URL
 * (`//cdn…`), or an absolute path, without query and fragment. Spaces are allowed: {@link minifiedUrl} encodes them.
 */
export function isUsablePrefix(prefix: string): boolean {
  if (NEVER.test(prefix) || prefix !== prefix.trim()) return false
  if (/^\/\/[^/]/.test(prefix)) return URL.canParse(`http:${prefix}`)
  if (prefix.startsWith('/')) return true
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(prefix) || !URL.canParse(prefix)) return false
  // A misspelled http, or another network protocol, is a mistake.
  return /^https?:/i.test(prefix) || !/^(?:h?t?tt?ps?|s?ftps?|wss?|blob|data):/i.test(prefix)
}

/**
 * The URL that the browser reports for a file: the prefix, exactly one slash, and the path below the output directory,
 * percent-encoded as in browsers.
 * @param prefix may already be encoded.
 * @param relativePath path below the output directory, `/`-separated, as named on disk (not encoded).
 */
export function minifiedUrl(prefix: string, relativePath: string): string {
  // Three slashes after a scheme mean the root of an app, so do not strip them as trailing slashes.
  const encoded = encodePrefix(prefix)
  const [root = ''] = /^[a-z][a-z\d+.-]*:\/\/(?=\/|$)/i.exec(encoded) ?? []
  return `${root}${encoded.slice(root.length).replace(/\/+$/, '')}/${encodePath(relativePath)}`
}

/** A usable prefix as browsers write it, without `.` and `..` segments. Encoded characters stay encoded. */
export function encodePrefix(prefix: string): string {
  const [origin = '', scheme = ''] = /^([a-z][a-z\d+.-]*:)?\/\/[^/]+/i.exec(prefix) ?? []
  const path = withoutSteps(prefix.slice(origin.length)).replace(/[^\x21-\x7e]|["<>`{}]/gu, encodeURIComponent)
  if (/^\p{ASCII}*$/u.test(origin)) return origin + path
  // Host encoding depends on the scheme.
  return `${scheme}//${new URL(`${scheme === '' ? 'http:' : ''}${origin}`).host}${path}`
}

/** A path segment that is not a directory name: `.` or `..`. */
const STEP = /^(?:\.|%2e){1,2}$/i
const UP = /^(?:\.|%2e){2}$/i

/** @param path absolute; a scheme and two slashes may precede it. */
function withoutSteps(path: string): string {
  const [root = ''] = /^[a-z][a-z\d+.-]*:\/\//i.exec(path) ?? []
  const [first = '', ...names] = path.slice(root.length).split('/')
  if (!names.some((name) => STEP.test(name))) return path
  const kept: string[] = []
  for (const name of names) {
    if (UP.test(name)) kept.pop()
    else if (!STEP.test(name)) kept.push(name)
  }
  if (STEP.test(names.at(-1) ?? '')) kept.push('')
  return `${root}${[first, ...kept].join('/')}`
}

function encodePath(path: string): string {
  // The URL parser encodes the same characters as browsers. Escape the few that it would read as syntax, and the white space that it would
  // drop.
  const escaped = path.replace(/[%?#\\\t\r\n]/g, encodeURIComponent)
  const url = new URL('http://x')
  url.pathname = `/${escaped}`
  return url.pathname.slice(1)
}
