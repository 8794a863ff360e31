import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { Agreement } from './compare.ts'
import { localFix } from './mismatch.ts'
import type { OwnVerdict } from './own-verdict.ts'
import type { Place } from './places.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import { isMostlyRight, positionOf } from './source-counts.ts'
import { shownSource } from './sources.ts'
import { MAX_ERROR_SOURCES } from './thresholds.ts'

const OTHER_LINE: ReadonlySet<Agreement | undefined> = new Set(['later', 'absent', 'outside'])

/** An error that is mapped to a line other than the one that creates it. Lines are zero-based. */
interface MisledError {
  place: Place
  from: number
  line: number
}

/**
 * Finds error messages that occur only once in a source but are mapped to a different line. A single such error is enough to reject a map,
 * so the check also works for scripts with little other code.
 */
export function misledErrors(
  { texts, places, isOwn }: Pick<ScriptEvidence, 'texts' | 'places' | 'isOwn'>,
  agreements: readonly Agreement[],
): MisledError[] {
  const found: MisledError[] = []
  const own = [...isOwn.keys()].filter((source) => isOwn[source]).slice(0, MAX_ERROR_SOURCES)
  for (let index = 0; index < places.length; index++) {
    const place = places[index] as Place
    const { source, word, errorText, originalLine } = place
    if (errorText === undefined || !isOwn[source] || !OTHER_LINE.has(agreements[index])) continue
    const from = texts.has(source, errorText)
      ? source
      : own.find((other) => texts.lineOfError(other, word, errorText) !== undefined)
    const line = from === undefined ? undefined : texts.lineOfError(from, word, errorText)
    if (from === undefined || line === undefined || (from === source && line === originalLine)) continue
    found.push({ place, from, line })
  }
  return found
}

/** Groups the original positions of the errors by source. Positions that were already counted are omitted. */
export function targetsOf(errors: readonly MisledError[], { sources }: OwnVerdict): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>()
  for (const { source, originalLine, originalColumn } of errors.map(({ place }) => place)) {
    const target = positionOf(originalLine, originalColumn)
    if (!sources.get(source)?.failed.includes(target)) found.set(source, (found.get(source) ?? new Set()).add(target))
  }
  return found
}

/** Reports the first error. If most positions in the affected sources resolve, the fix concerns only this part of the map. */
export function misledProblem(
  file: string,
  names: readonly string[],
  [first]: readonly MisledError[],
  { sources }: OwnVerdict,
): { problem: Problem; sources: ReadonlySet<number> } | undefined {
  if (!first) return undefined
  const { place, from, line } = first
  const [right, wrong] = [from, place.source].map((one) => shownSource(names[one] ?? '')) as [string, string]
  const message = t`The error "${place.errorText}" is created on line ${line + 1} of ${right}, but the source map points to line ${place.originalLine + 1} of ${wrong}.`
  const mostlyWrong = new Set([place.source, from].filter((source) => !isMostlyRight(sources.get(source))))
  const fix = mostlyWrong.size === 0 ? { fix: localFix(right) } : {}
  return { problem: problem('map-stale', message, { file, ...fix }), sources: mostlyWrong }
}
