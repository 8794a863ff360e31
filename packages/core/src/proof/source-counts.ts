import { MIN_PLACES, MOSTLY } from './thresholds.ts'

export interface SourceCounts {
  places: number
  resolved: number
  /** The original positions (one-based `line:column`) that wrong positions are mapped to. */
  failed: string[]
}

/** Returns whether most positions in a source resolve. If so, only the unresolved positions are reported. */
export function isMostlyRight(counts: Pick<SourceCounts, 'places' | 'resolved'> | undefined): boolean {
  if (!counts) return false
  const { places, resolved } = counts
  return places >= MIN_PLACES && resolved >= MOSTLY * places
}

/** Formats a zero-based position as a one-based `line:column`. */
export function positionOf(line: number, column: number): string {
  return `${line + 1}:${column + 1}`
}
