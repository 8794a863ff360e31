/** Places of a source that were compared. */
export interface SourceCounts {
  places: number
  resolved: number
  /** Where the map leads from each of the others: `line:column`, 1-based. */
  failed: string[]
}

/** Places from which a source can be told to be right, and the share of them that resolve from which only the others are wrong. */
const [MIN_PLACES, MOSTLY] = [4, 0.75]

/** Whether so much of a source resolves that its other positions are reported, and not all of it. */
export function isMostlyRight(counts: SourceCounts | undefined): boolean {
  if (!counts) return false
  const { places, resolved } = counts
  return places >= MIN_PLACES && resolved >= MOSTLY * places
}
