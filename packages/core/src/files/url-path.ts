/**
 * The form of a file's place under which uploads are stored and frames are looked up: the URL's path only, starting with one slash,
 * percent-encoding undone where it can be, repeated slashes collapsed. Takes a full URL, a path, or a path without a leading slash.
 */
export function urlPath(place: string): string {
  const withoutOrigin = place.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const path = `/${withoutOrigin}`.replace(/\\/g, '/').replace(/\/{2,}/g, '/')
  return path
    .split('/')
    .map((segment) => {
      try {
        return decodeURIComponent(segment)
      } catch {
        return segment
      }
    })
    .join('/')
}

/** The last segment of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
