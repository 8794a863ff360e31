import { MIN_PLACES, MOSTLY } from './thresholds.ts'

/** Places of a source that were compared. */
export interface SourceCounts {
  places: number
  resolved: number
  /** Where the map leads from each of the others: `line:column`, 1-based. */
  failed: string[]
}

/** Whether so much of a source resolves that its other positions are reported, and not all of it. */
export function isMostlyRight(counts: SourceCounts | undefined): boolean {
  if (!counts) return false
  const { places, resolved } = counts
  return places >= MIN_PLACES && resolved >= MOSTLY * places
}

/** An original position, 0-based, as people count it. */
export function positionOf(line: number, column: number): string {
  return `${line + 1}:${column + 1}`
}
