/** What no prefix has: a query, a fragment, a wildcard, a backslash, a line break or another control character, half of a character. */
const NEVER = /[?#*\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u

/**
 * Whether a minified path prefix can work: a URL (`https://cdn…`, `app:///`, `file:///`, `capacitor://localhost`), a protocol-relative
 * URL (`//cdn…`), or an absolute path, none of them with a query or a fragment. It may have blanks and the like, which {@link minifiedUrl} encodes.
 */
export function isUsablePrefix(prefix: string): boolean {
  if (NEVER.test(prefix) || prefix !== prefix.trim()) return false
  if (/^\/\/[^/]/.test(prefix)) return URL.canParse(`http:${prefix}`)
  if (prefix.startsWith('/')) return true
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(prefix) || !URL.canParse(prefix)) return false
  // What is close to http, or another protocol of networks, is a mistake.
  return /^https?:/i.test(prefix) || !/^(?:h?t?tt?ps?|s?ftps?|wss?|blob|data):/i.test(prefix)
}

/**
 * The URL that the browser reports for a file: prefix + "/" + path below the output directory, exactly one slash between, both
 * percent-encoded as browsers do.
 * @param prefix may be encoded already.
 * @param relativePath path below the output directory, `/`-separated, as named on disk (not encoded).
 */
export function minifiedUrl(prefix: string, relativePath: string): string {
  // Three slashes after a scheme are the root of an app, and not to be taken for slashes at the end.
  const encoded = encodePrefix(prefix)
  const [root = ''] = /^[a-z][a-z\d+.-]*:\/\/(?=\/|$)/i.exec(encoded) ?? []
  return `${root}${encoded.slice(root.length).replace(/\/+$/, '')}/${encodePath(relativePath)}`
}

/** A usable prefix as browsers write it, without steps such as `..`. What is encoded already stays as it is. */
export function encodePrefix(prefix: string): string {
  const [origin = '', scheme = ''] = /^([a-z][a-z\d+.-]*:)?\/\/[^/]+/i.exec(prefix) ?? []
  const path = withoutSteps(prefix.slice(origin.length)).replace(/[^\x21-\x7e]|["<>`{}]/gu, encodeURIComponent)
  if (/^\p{ASCII}*$/u.test(origin)) return origin + path
  // The letters of a host are encoded in another way, which depends on the scheme.
  return `${scheme}//${new URL(`${scheme === '' ? 'http:' : ''}${origin}`).host}${path}`
}

/** A step in a path that names no directory: `.`, or `..` for the one above. */
const STEP = /^(?:\.|%2e){1,2}$/i
const UP = /^(?:\.|%2e){2}$/i

/** @param path absolute, perhaps behind a scheme and two slashes. */
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
  // The URL parser encodes what browsers encode and leaves the rest; some characters it would take for syntax, and white space it drops.
  const escaped = path.replace(/[%?#\\\t\r\n]/g, encodeURIComponent)
  const url = new URL('http://x')
  url.pathname = `/${escaped}`
  return url.pathname.slice(1)
}
