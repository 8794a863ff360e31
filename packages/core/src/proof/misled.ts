import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { Agreement } from './compare.ts'
import type { Place } from './own-sources.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import { shownSource } from './sources.ts'
import { MAX_ERROR_SOURCES } from './thresholds.ts'

const OTHER_LINE: ReadonlySet<Agreement | undefined> = new Set(['later', 'absent', 'outside'])

/**
 * Finds an error whose text occurs only once in a source but is mapped to another line. A single wrong error is enough to reject a map, so
 * that even scripts with little other code can be judged.
 * @returns the problem and the sources whose stacks are wrong, or undefined if there is no such error.
 */
export function misledError(
  file: string,
  { texts, places, isOwn, names }: Pick<ScriptEvidence, 'texts' | 'places' | 'isOwn' | 'names'>,
  agreements: readonly Agreement[],
): { problem: Problem; sources: ReadonlySet<number> } | undefined {
  const own = [...isOwn.keys()].filter((source) => isOwn[source]).slice(0, MAX_ERROR_SOURCES)
  for (let index = 0; index < places.length; index++) {
    const { source, word, errorText, originalLine } = places[index] as Place
    if (errorText === undefined || !isOwn[source] || !OTHER_LINE.has(agreements[index])) continue
    const from = texts.has(source, errorText)
      ? source
      : own.find((other) => texts.lineOfError(other, word, errorText) !== undefined)
    const line = from === undefined ? undefined : texts.lineOfError(from, word, errorText)
    if (from === undefined || line === undefined || (from === source && line === originalLine)) continue
    const [right, wrong] = [from, source].map((one) => shownSource(names[one] ?? '')) as [string, string]
    const message = t`The error "${errorText}" is created on line ${line + 1} of ${right}, but the source map points to line ${originalLine + 1} of ${wrong}.`
    return { problem: problem('map-stale', message, { file }), sources: new Set([source, from]) }
  }
  return undefined
}
