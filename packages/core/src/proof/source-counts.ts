/** Compared positions of a source. */
export interface SourceCounts {
  places: number
  resolved: number
  /** Targets of the others: `line:column`, 1-based. */
  failed: string[]
}

/** Minimum positions, and minimum share of resolved ones, for a source that is right except for single positions. */
const [MIN_PLACES, MOSTLY] = [4, 0.75]

/** Whether most of a source resolves, so that only its other positions are reported. */
export function isMostlyRight(counts: SourceCounts | undefined): boolean {
  if (!counts) return false
  const { places, resolved } = counts
  return places >= MIN_PLACES && resolved >= MOSTLY * places
}
