import { withoutLiterals } from '../formats/javascript/code.ts'
import type { Agreement } from './compare.ts'
import type { Tail } from './coverage.ts'
import { judgeOwn, type OwnVerdict } from './own-verdict.ts'
import type { Place } from './places.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import { WORD } from './shortfall.ts'
import { isMostlyRight } from './source-counts.ts'
import { textOf } from './stretch-text.ts'
import { MIN_OTHERS_WORDS } from './thresholds.ts'

/**
 * Evaluates the positions of an app without the code that its maps assign to the wrong source. If a plugin returns an empty map for a
 * source, the code of that source follows the mappings of the preceding source and may contain similar names.
 * @param templates components whose template is unmapped. The code of these templates follows the component's last mapping.
 * @returns the verdict, the agreements for it, and the excluded stretches.
 */
export function judgeWithoutForeignTails(
  evidence: ScriptEvidence,
  agreements: readonly Agreement[],
  templates: ReadonlySet<number>,
): { verdict: OwnVerdict; agreements: readonly Agreement[]; foreign: ReadonlySet<Tail> } {
  const { places, isOwn, astray } = evidence
  const verdict = judgeOwn(places, agreements, isOwn, astray)
  const wrong = new Set(
    [...verdict.sources.keys()].filter((source) => isWrong(verdict, source) && !templates.has(source)),
  )
  const tails = wrong.size === 0 ? [] : foreignTails(evidence, wrong)
  const others = places.map((place, index) => (isInTail(place, tails) ? 'unknown' : (agreements[index] as Agreement)))
  const other = tails.length === 0 ? verdict : judgeOwn(places, others, isOwn, astray)
  const foreign = tails.filter(({ source }) => isMostlyRight(other.sources.get(source)) && !isWrong(other, source))
  if (foreign.length === 0) return { verdict, agreements, foreign: new Set() }
  return { verdict: other, agreements: others, foreign: new Set(foreign) }
}

function isWrong({ coarse, sources }: OwnVerdict, source: number): boolean {
  return coarse.has(source) || (sources.get(source)?.failed.length ?? 0) > 0
}

/** Finds code that follows the last mapping of a source and contains several names that the source lacks. */
function foreignTails({ coverage, script, texts }: ScriptEvidence, wrong: ReadonlySet<number>): Tail[] {
  return coverage.tails.filter((tail) => {
    if (!wrong.has(tail.source)) return false
    const words = new Set(withoutLiterals(textOf(script, tail)).match(WORD))
    return [...words].filter((word) => !texts.has(tail.source, word)).length >= MIN_OTHERS_WORDS
  })
}

function isInTail({ line, column, source, isBehind, distance }: Place, tails: readonly Tail[]): boolean {
  return (
    isBehind && tails.some((tail) => tail.source === source && tail.line === line && tail.column === column - distance)
  )
}
