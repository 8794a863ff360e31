/** A segment's column and source. */
interface MappedCode {
  column: number
  source: number
}

/**
 * Whether a position has no source, although a segment is before it on its line. A segment covers the code up to the next one, but not a
 * module that has no mappings, as bundlers add them between two modules. Every generator maps where a function of a source begins. So on a
 * line with the code of several sources, a function that begins behind the segment, before the code of another source, has no source.
 * @param before the last segment at or before the position.
 * @param other the next segment of the line; behind the last one, the first segment of the line.
 * @param functionColumn where the innermost function with the position begins, 0-based; undefined outside of functions.
 */
export function isUnmapped(
  before: MappedCode,
  other: MappedCode | undefined,
  functionColumn: number | undefined,
): boolean {
  if (functionColumn === undefined || functionColumn <= before.column) return false
  return other !== undefined && other.source !== before.source
}
