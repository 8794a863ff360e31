/**
 * A source map's JSON without what may stand before it: a byte order mark, and the line `)]}'…` by which some servers stop the inclusion
 * of JSON as a script. Source: ECMA-426, "Fetching source maps".
 */
export function sourceMapJson(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/^\)\]\}'[^\n]*\n/, '')
}
