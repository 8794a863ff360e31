interface MappedCode {
  column: number
  source: number
}

/**
 * Tests whether a position has no source, although a segment precedes it on its line. A segment covers the code up to the next segment, but
 * not a module without mappings that a bundler inserted between two modules. Every generator maps the start of a source's functions. On a
 * line with several sources, a function therefore has no source if it starts after the segment and before another source's code.
 * @param before the last segment at or before the position.
 * @param other the next segment on the line or, after the last segment, the first one.
 * @param functionColumn the zero-based column where the innermost function around the position starts; undefined outside functions.
 */
export function isUnmapped(
  before: MappedCode,
  other: MappedCode | undefined,
  functionColumn: number | undefined,
): boolean {
  if (functionColumn === undefined || functionColumn <= before.column) return false
  return other !== undefined && other.source !== before.source
}
