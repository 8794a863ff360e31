import type { Problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { OTHER_END } from './originals.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import { named, shownSource } from './sources.ts'

const FROM_LINE_ENDS: ReadonlySet<string> = new Set(['map-stale', 'map-incomplete'])

/**
 * Replaces the fix if a map does not match and a source contains line terminators that tools count differently. Rollup counts only line
 * feeds, but terser counts all JavaScript line terminators. The combined map is then wrong after the first unusual line terminator, and it
 * ends too early.
 */
export function withLineEnds(
  problems: readonly Problem[],
  { texts, names }: Pick<ScriptEvidence, 'texts' | 'names'>,
): readonly Problem[] {
  if (!problems.some(({ code }) => FROM_LINE_ENDS.has(code))) return problems
  const sources = [...names.keys()].filter((source) => OTHER_END.test(texts.textOf(source) ?? ''))
  if (sources.length === 0) return problems
  const where = named(sources.map((source) => shownSource(names[source] ?? '')))
  const fix = t`Replace the line terminators CR, U+2028 and U+2029 in ${where} with LF. Not all bundlers and minifiers count these characters as line breaks.`
  return problems.map((found) => (FROM_LINE_ENDS.has(found.code) ? { ...found, fix } : found))
}
