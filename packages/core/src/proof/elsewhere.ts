import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { confirmedShift, offsetProblem } from './judge-samples.ts'
import type { OwnVerdict } from './own-verdict.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import { named, shownSource } from './sources.ts'

/** Says that the app's own code stands elsewhere than the map says: by how much, or since where, or in which sources. */
export function elsewhereProblem(
  file: string,
  { map, script, names }: Pick<ScriptEvidence, 'map' | 'script' | 'names'>,
  elsewhere: NonNullable<OwnVerdict['elsewhere']>,
  sources: OwnVerdict['sources'],
): Problem {
  const isMost = elsewhere.sources.size * 2 > sources.size
  const shift = isMost ? confirmedShift(map, script) : undefined
  if (shift) return offsetProblem(file, shift)
  const { line, column, different, of } = elsewhere
  const where = named([...elsewhere.sources].map((source) => shownSource(names[source] ?? '')))
  const message = t`From line ${line + 1}, column ${column + 1} on, ${different} of ${of} names are not where the map says, in ${where}.`
  return problem('map-stale', message, { file })
}
