import { t } from '../text.ts'

/** Returns ` Did you mean "deleteAfterUpload"?` if a known word is similar to the written word, or '' otherwise. */
export function didYouMean(written: string, known: readonly string[]): string {
  const nearest = nearestOf(written, known)
  return nearest === undefined ? '' : t` Did you mean "${nearest}"?`
}

export function nearestOf(written: string, known: readonly string[]): string | undefined {
  const wanted = written.toLowerCase()
  const allowed = Math.max(1, Math.floor(wanted.length / 4))
  let best: { word: string; distance: number } | undefined
  for (const word of known) {
    const candidate = word.toLowerCase()
    // A common prefix is enough for a suggestion, such as `warn` for `warning`, or `hostname` for `host`.
    const isStart =
      Math.min(wanted.length, candidate.length) >= 3 && (wanted.startsWith(candidate) || candidate.startsWith(wanted))
    const distance = isStart ? 0 : editDistance(wanted, candidate)
    if (distance <= allowed && (best === undefined || distance < best.distance)) best = { word, distance }
  }
  return best?.word
}

/** Calculates the optimal string alignment distance. A swap of two adjacent letters counts as one edit. */
function editDistance(a: string, b: string): number {
  // Longer strings are not typos, and comparing them would require too much memory.
  if (a.length > 100 || b.length > 100) return Number.POSITIVE_INFINITY
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= a.length; row++) {
    rows.push([row])
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(a.length, b.length)
}
