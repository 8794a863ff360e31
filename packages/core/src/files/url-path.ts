/**
 * Normalizes a file's address for storing uploads and looking up frames. The result is the URL's path with one leading
 * slash, decoded percent-escapes and no repeated slashes.
 * @param place a full URL or a path, with or without a leading slash.
 */
export function urlPath(place: string): string {
  const withoutOrigin = place.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const path = `/${withoutOrigin}`.replace(/\\/g, '/').replace(/\/{2,}/g, '/')
  return path.split('/').map(decoded).join('/')
}

/** The name of a file without the query that bundlers add: `app.js?[contenthash]`, `Cart.vue?vue&type=script`. */
export function withoutQuery(name: string): string {
  const query = name.indexOf('?')
  return query === -1 ? name : name.slice(0, query)
}

/** The path of a reference such as a `sourceMappingURL`, as browsers read it: no query, `\\` as `/`, percent-encoding resolved. */
export function referencedPath(url: string): string {
  return decoded(url.replace(/[?#].*$/s, '').replaceAll('\\', '/'))
}

/** Resolves percent-encoding. A text with invalid encoding is returned unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Characters that no tool percent-encodes. A name with such an escape is taken literally. */
const NEVER_ENCODED = /%(?:[01]|2[def]|3\d|[46][1-9a-f]|[57][\da]|5f|7[ef])/i

/**
 * Resolves percent-encoding in a source's name. esbuild's maps contain `%5Bid%5D.tsx` and `%E9%A1%B5.ts`. Other tools encode nothing:
 * `50%off.ts`, `größe%20.ts`.
 */
export function decodedSource(name: string): string {
  const isEncoded = /%[\da-f]{2}/i.test(name) && /^[\x20-\x7e]*$/.test(name) && !/^data:/i.test(name)
  return isEncoded && !NEVER_ENCODED.test(name) ? decoded(name) : name
}

/** Converts a path from {@link urlPath} to the form of a path prefix. */
export function pathAsPrefix(path: string): string {
  return path.replace(/[%?#\\\s]/g, encodeURIComponent)
}

/**
 * The host of a URL as browsers write it, with its port unless that is 80 or 443. Undefined for paths, and for URLs
 * without a host such as `app:///a.js`.
 */
export function urlHost(place: string): string | undefined {
  const [, scheme = '', host] = /^([a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#\\]+)/i.exec(place) ?? []
  return host === undefined || scheme.toLowerCase() === 'file:' ? undefined : inAscii(host).replace(/:(?:80|443)?$/, '')
}

/** Converts a host such as `例子.测试` to `xn--fsqu00a.xn--0zwm56d`, for any scheme. */
function inAscii(host: string): string {
  try {
    return new URL(`https://${host}`).host
  } catch {
    return host.toLowerCase()
  }
}

/** Whether an address belongs to an installed app: `app:///` or `file:///`. The app's directory differs between machines. */
export function isInInstalledApp(address: string): boolean {
  return /^(?:app|file):\/\/\//i.test(address)
}

/** The last segment of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
