import { MIN_PLACES, MOSTLY } from './thresholds.ts'

/** Compared positions of a source. */
export interface SourceCounts {
  places: number
  resolved: number
  /** Targets of the positions that do not resolve: `line:column`, 1-based. */
  failed: string[]
}

/** Whether most of a source resolves, so that only its other positions are reported. */
export function isMostlyRight(counts: Pick<SourceCounts, 'places' | 'resolved'> | undefined): boolean {
  if (!counts) return false
  const { places, resolved } = counts
  return places >= MIN_PLACES && resolved >= MOSTLY * places
}

/** Formats a 0-based original position as people count it, from 1. */
export function positionOf(line: number, column: number): string {
  return `${line + 1}:${column + 1}`
}
