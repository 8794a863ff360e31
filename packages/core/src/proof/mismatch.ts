import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { Agreement } from './compare.ts'
import { findOffset, offsetProblem } from './offset.ts'
import type { Place } from './places.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import { isMostlyRight, type SourceCounts } from './source-counts.ts'
import { named, shownSource } from './sources.ts'
import { MAX_MISMATCH, MIN_MISMATCH, WEIGHTS } from './thresholds.ts'

/** The part of a script with the strongest evidence of a mismatch: its start, and the number of tokens that do not match. */
export interface Mismatch {
  line: number
  column: number
  different: number
  of: number
  sources: ReadonlySet<number>
}

/**
 * Finds the part of a script with the strongest evidence that the code does not match the map. Returns undefined if the evidence may be due
 * to chance. A mismatch in a library's own map is ignored, because users cannot fix it.
 */
export function findMismatch(
  order: readonly number[],
  places: readonly Place[],
  agreements: readonly Agreement[],
  isOwn: readonly boolean[],
): Mismatch | undefined {
  let [sum, start, most, from, until] = [0, 0, 0, 0, 0]
  for (let at = 0; at < order.length; at++) {
    const weight = weightAt(at, order, places, agreements)
    if (weight === undefined) continue
    sum = Math.min(MAX_MISMATCH, sum + weight)
    if (sum <= 0) {
      sum = 0
      start = at + 1
    } else if (sum > most || (sum === most && start === from)) {
      // The sum is capped, so it may reach its maximum long before the mismatch ends.
      most = sum
      from = start
      until = at + 1
    }
  }
  if (most < MIN_MISMATCH) return undefined
  const stretch = order.slice(from, until)
  const different = stretch.filter((index) => agreements[index] !== 'exact')
  const { line, column } = places[stretch[0] as number] as Place
  const sources = new Set(different.map((index) => (places[index] as Place).source))
  const isInLibrary = ![...sources].some((source) => isOwn[source])
  if (isInLibrary && isRightAfter(until, most, order, places, agreements)) return undefined
  return { line, column, different: different.length, of: stretch.length, sources }
}

/**
 * Returns whether code that follows a mismatch on the same line matches. If the script had been changed, that code would also have moved.
 */
function isRightAfter(
  until: number,
  most: number,
  order: readonly number[],
  places: readonly Place[],
  agreements: readonly Agreement[],
): boolean {
  const lineOf = (at: number) => places[order[at] as number]?.line
  let left = most
  for (let at = until; at < order.length && lineOf(at) === lineOf(until - 1); at++)
    left += weightAt(at, order, places, agreements) ?? 0
  return left <= 0
}

/** Returns how strongly a token indicates a mismatch, or undefined if a compiler generated the token. */
function weightAt(
  at: number,
  order: readonly number[],
  places: readonly Place[],
  agreements: readonly Agreement[],
): number | undefined {
  const index = order[at] as number
  const { kind, isShared } = places[index] as Place
  const agreement = agreements[index] as Agreement
  const isMade =
    agreement !== 'exact' &&
    (isShared || leadsToSame(places, index, order[at - 1]) || leadsToSame(places, index, order[at + 1]))
  return isMade ? undefined : WEIGHTS[kind === 'name' ? 'name' : 'word'][agreement]
}

/** Returns whether two tokens have the same original position. Compilers can generate several words from one original word. */
export function leadsToSame(places: readonly Place[], index: number, other: number | undefined): boolean {
  if (other === undefined) return false
  const [a, b] = [places[index] as Place, places[other] as Place]
  return a.source === b.source && a.originalLine === b.originalLine && a.originalColumn === b.originalColumn
}

/**
 * Reports that the app's own code does not match the map. The problem describes either the offset, or the first wrong position and the
 * affected sources.
 */
export function mismatchProblem(
  file: string,
  { texts, script, names }: Pick<ScriptEvidence, 'texts' | 'script' | 'names'>,
  mismatch: Mismatch,
  sources: ReadonlyMap<number, SourceCounts>,
): Problem {
  const isMost = mismatch.sources.size * 2 > sources.size
  const shift = isMost ? findOffset(texts, script) : undefined
  if (shift) return offsetProblem(file, shift)
  const { line, column, different, of } = mismatch
  const where = named([...mismatch.sources].map((source) => shownSource(names[source] ?? '')))
  const message = t`Starting at line ${line + 1}, column ${column + 1}, ${different} of ${of} names in ${where} are not at the positions that the source map specifies.`
  // If a tool had rewritten the whole script, most positions in these sources would not resolve.
  const isLocal = [...mismatch.sources].every((source) => isMostlyRight(sources.get(source)))
  return problem('map-stale', message, { file, ...(isLocal && { fix: localFix(where) }) })
}

/** Returns the fix for a mismatch if most positions in the affected sources resolve. */
export function localFix(where: string): string {
  return t`Check the compiler or plugin that transforms ${where}. The source map that it returns does not match the code.`
}
