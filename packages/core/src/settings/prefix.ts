/**
 * Whether a minified path prefix can work: a URL with http(s), a protocol-relative URL (`//cdn…`), or an absolute path, none of
 * them with a query or a fragment.
 */
export function isUsablePrefix(prefix: string): boolean {
  if (/[?#\s\\]/.test(prefix)) return false
  if (prefix.startsWith('/')) return true
  return /^https?:\/\//i.test(prefix) && URL.canParse(prefix)
}

/**
 * The URL that the browser reports for a file: prefix + "/" + path below the output directory, exactly one slash between, the
 * path percent-encoded as browsers do.
 * @param relativePath path below the output directory, `/`-separated, as named on disk (not encoded).
 */
export function minifiedUrl(prefix: string, relativePath: string): string {
  return `${prefix.replace(/\/+$/, '')}/${encodePath(relativePath)}`
}

function encodePath(path: string): string {
  // The URL parser encodes what browsers encode and leaves the rest; three characters it would take for syntax.
  const escaped = path.replace(/%/g, '%25').replace(/\?/g, '%3F').replace(/#/g, '%23').replace(/\\/g, '%5C')
  const url = new URL('http://x')
  url.pathname = `/${escaped}`
  return url.pathname.slice(1)
}
