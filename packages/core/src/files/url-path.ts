/**
 * Normalizes a file's address, so that the addresses in stack frames match those of uploaded files. The result is the URL's path with a
 * leading slash, decoded percent-escapes and no repeated slashes.
 * @param place a full URL or a path, with or without a leading slash.
 */
export function urlPath(place: string): string {
  const withoutOrigin = place.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const path = `/${withoutOrigin}`.replace(/\\/g, '/').replace(/\/{2,}/g, '/')
  return path.split('/').map(decoded).join('/')
}

/** Removes the query that bundlers add to file names: `app.js?[contenthash]`, `Cart.vue?vue&type=script`. */
export function withoutQuery(name: string): string {
  const query = name.indexOf('?')
  return query === -1 ? name : name.slice(0, query)
}

/**
 * Returns the path in a reference such as a `sourceMappingURL`. Like a browser, the function removes the query, converts backslashes to
 * slashes, and decodes percent-encoding.
 */
export function referencedPath(url: string): string {
  return decoded(url.replace(/[?#].*$/s, '').replaceAll('\\', '/'))
}

/** Decodes percent-encoding. A string with invalid encoding is returned unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Matches escapes of characters that no tool percent-encodes. A name that contains such an escape is not decoded. */
const NEVER_ENCODED = /%(?:[01]|2[def]|3\d|[46][1-9a-f]|[57][\da]|5f|7[ef])/i

/**
 * Decodes percent-encoding in the name of a source. esbuild writes names such as `%5Bid%5D.tsx` and `%E9%A1%B5.ts`. Other tools do not
 * encode names, so `50%off.ts` and `größe%20.ts` stay unchanged.
 */
export function decodedSource(name: string): string {
  const isEncoded = /%[\da-f]{2}/i.test(name) && /^[\x20-\x7e]*$/.test(name) && !/^data:/i.test(name)
  return isEncoded && !NEVER_ENCODED.test(name) ? decoded(name) : name
}

/**
 * Escapes characters that are not allowed in a path prefix.
 * @param path a path from {@link urlPath}.
 */
export function pathAsPrefix(path: string): string {
  return path.replace(/[%?#\\\s]/g, encodeURIComponent)
}

/**
 * Returns the host of a URL in the form that browsers report, without port 80 or 443. The result is undefined for paths and for URLs
 * without a host, such as `app:///a.js`.
 */
export function urlHost(place: string): string | undefined {
  const [, scheme = '', host] = /^([a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#\\]+)/i.exec(place) ?? []
  return host === undefined || scheme.toLowerCase() === 'file:' ? undefined : inAscii(host).replace(/:(?:80|443)?$/, '')
}

/** Converts a host such as `例子.测试` to `xn--fsqu00a.xn--0zwm56d`. The `URL` class converts hosts only for schemes such as `https`. */
function inAscii(host: string): string {
  try {
    return new URL(`https://${host}`).host
  } catch {
    return host.toLowerCase()
  }
}

/**
 * Tests whether an address belongs to an installed app: `app:///` or `file:///`. The directory of an installed app differs between
 * machines.
 */
export function isInInstalledApp(address: string): boolean {
  return /^(?:app|file):\/\/\//i.test(address)
}

/** Returns the longest suffix of a path that starts after a slash and is in the set. */
export function endingIn(paths: ReadonlySet<string>, path: string): string | undefined {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const ending = path.slice(at + 1)
    if (paths.has(ending)) return ending
  }
  return undefined
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
