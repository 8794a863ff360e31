/**
 * The form of a file's place under which uploads are stored and frames are looked up: the URL's path only, starting with one slash,
 * percent-encoding undone where it can be, repeated slashes collapsed. Takes a full URL, a path, or a path without a leading slash.
 */
export function urlPath(place: string): string {
  const withoutOrigin = place.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const path = `/${withoutOrigin}`.replace(/\\/g, '/').replace(/\/{2,}/g, '/')
  return path.split('/').map(decoded).join('/')
}

/** The name of a file that a bundler knows with a query: `app.js?[contenthash]`, `Cart.vue?vue&type=script`. */
export function withoutQuery(name: string): string {
  const query = name.indexOf('?')
  return query === -1 ? name : name.slice(0, query)
}

/** The path of a reference such as a `sourceMappingURL`, as browsers read it: without its query, `\\` as `/`, its percent-encoding undone. */
export function referencedPath(url: string): string {
  return decoded(url.replace(/[?#].*$/s, '').replaceAll('\\', '/'))
}

/** A text with its percent-encoding undone; as it is where it was not encoded after all. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What no one encodes: a name with it is meant as it is. */
const NEVER_ENCODED = /%(?:[01]|2[def]|3\d|[46][1-9a-f]|[57][\da]|5f|7[ef])/i

/** The name of a file of which esbuild's maps have `%5Bid%5D.tsx` and `%E9%A1%B5.ts`. Others encode nothing: `50%off.ts`, `größe%20.ts`. */
export function decodedSource(name: string): string {
  const isEncoded = /%[\da-f]{2}/i.test(name) && /^[\x20-\x7e]*$/.test(name) && !/^data:/i.test(name)
  return isEncoded && !NEVER_ENCODED.test(name) ? decoded(name) : name
}

/** A path that {@link urlPath} made, in the form that a path prefix has. */
export function pathAsPrefix(path: string): string {
  return path.replace(/[%?#\\\s]/g, encodeURIComponent)
}

/** The host of a URL as browsers write it, with its port unless that is 80 or 443; undefined for paths and for URLs without a host, such as `app:///a.js`. */
export function urlHost(place: string): string | undefined {
  const [, scheme = '', host] = /^([a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#\\]+)/i.exec(place) ?? []
  return host === undefined || scheme.toLowerCase() === 'file:' ? undefined : inAscii(host).replace(/:(?:80|443)?$/, '')
}

/** `例子.测试` is `xn--fsqu00a.xn--0zwm56d`, whatever the scheme. */
function inAscii(host: string): string {
  try {
    return new URL(`https://${host}`).host
  } catch {
    return host.toLowerCase()
  }
}

/** Whether files with this address lie in an installed app, whose directory is another on each machine: below `app:///` or `file:///`. */
export function isInInstalledApp(address: string): boolean {
  return /^(?:app|file):\/\/\//i.test(address)
}

/** The last segment of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
