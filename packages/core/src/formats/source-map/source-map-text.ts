/**
 * Removes the optional prefix from a source map's JSON. The prefix may contain a byte order mark and the line `)]}'…`, which some servers
 * add so that the JSON cannot be included as a script. Source: ECMA-426, "Fetching source maps".
 */
export function sourceMapJson(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/^\)\]\}'[^\n]*\n/, '')
}
