interface MappedCode {
  column: number
  source: number
}

/**
 * Tests whether a position has no source even though a segment precedes it on the same line. That segment does not cover a module without
 * mappings that a bundler inserted between two mapped modules. Generators map the start of every function in a source. On a line with
 * several sources, a function that starts after the segment and before the code of another source is therefore unmapped.
 * @param before the last segment at or before the position.
 * @param other the next segment on the line or, after the last segment, the first one.
 * @param functionColumn the zero-based column where the innermost function around the position starts. Undefined outside functions.
 */
export function isUnmapped(
  before: MappedCode,
  other: MappedCode | undefined,
  functionColumn: number | undefined,
): boolean {
  if (functionColumn === undefined || functionColumn <= before.column) return false
  return other !== undefined && other.source !== before.source
}
