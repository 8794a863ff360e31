import type { ByteRange, ByteSource } from '../formats/source-map/bytes.ts'
import { SourceMapFlaw } from '../formats/source-map/flaw.ts'
import { readLayout } from '../formats/source-map/layout.ts'
import { contentOf, readSources, readText } from '../formats/source-map/text.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { coarseProblems, compiledProblems, templateLineProblems } from './coarse-problems.ts'
import { type Agreement, compareAll, isOnLine } from './compare.ts'
import { judgeWithoutForeignTails } from './foreign-tails.ts'
import { withLineEnds } from './line-ends.ts'
import { misledErrors, misledProblem, targetsOf } from './misled.ts'
import { mismatchProblem } from './mismatch.ts'
import { misplacedUnmappedNames } from './misplaced-names.ts'
import { compiledSources } from './own-maps.ts'
import { type OwnProof, ownSources, type Reasons, swappedProblems, withFailed } from './own-proof.ts'
import type { OwnVerdict } from './own-verdict.ts'
import type { Place } from './places.ts'
import { gatherEvidence, type Known, type ScriptEvidence } from './script-evidence.ts'
import { ScriptFile } from './script-file.ts'
import { findShortfall, type Shortfall } from './shortfall.ts'
import { isMostlyRight, positionOf } from './source-counts.ts'
import { unmappedTemplates } from './templates.ts'
import { MAX_PATH, MIN_PLACES } from './thresholds.ts'
import { isEmptied, obfuscatedSources } from './tools/index.ts'

export interface ScriptProof {
  /** The number of checked positions, excluding positions in the bundler's own code. */
  positions: number
  resolved: number
  sources: string[]
  /** The path in the map's `file` field. Paths that are too long are truncated at the start. */
  madeFor?: string
  /** The wrong positions in the script (`line:column`, one-based), which are used only if none of the app's own sources were compared. */
  failed: readonly string[]
  own: OwnProof
  /** Whether the map contains the source text for most positions. */
  hasText: boolean
  problems: Problem[]
}

const NOTHING: Omit<ScriptProof, 'sources'> = {
  positions: 0,
  resolved: 0,
  failed: [],
  own: { sources: new Map(), unmapped: 0 },
  hasText: true,
  problems: [],
}

/**
 * Checks a script against its source map.
 * @param file the displayed name of the script.
 * @throws only file system errors. The content of the files never causes an error.
 */
export function proveScript(
  file: string,
  scriptBytes: ByteSource,
  mapBytes: ByteSource,
  known: Known = {},
): ScriptProof {
  let sources: string[] = []
  try {
    const layout = unlessFlaw(readLayout(mapBytes))
    // Intakes reject other source map versions.
    if (layout.version !== 3) throw new SourceMapFlaw('not-a-map', t`The version of the source map is not 3.`)
    const names = unlessFlaw(readSources(mapBytes, layout))
    sources = [...new Set(names)]
    if (isEmptied(layout, names)) return { ...NOTHING, sources }
    const map = { bytes: mapBytes, layout }
    const judged = judgeScript(file, gatherEvidence(new ScriptFile(scriptBytes), map, names, known))
    const madeFor = layout.file && readText(mapBytes, endOf(layout.file))
    return { ...judged, sources, ...(typeof madeFor === 'string' && { madeFor }) }
  } catch (error) {
    if (!(error instanceof SourceMapFlaw)) throw error
    const flaw = problem('map-invalid', t`The source map cannot be used. ${error.message}`, { file })
    return { ...NOTHING, sources, problems: [flaw] }
  }
}

/** Shortens a range to the maximum length of a file system path by removing its start. */
function endOf({ start, end }: ByteRange): ByteRange {
  return { start: Math.max(start, end - MAX_PATH), end }
}

function unlessFlaw<T>(read: T | SourceMapFlaw): T {
  if (read instanceof SourceMapFlaw) throw read
  return read
}

function judgeScript(file: string, evidence: ScriptEvidence): Omit<ScriptProof, 'sources'> {
  const compared = compareAll(evidence.texts, evidence.places, evidence.names)
  const templates = unmappedTemplates(evidence)
  const { verdict: judged, agreements, foreign } = judgeWithoutForeignTails(evidence, compared, templates)
  const few = [...sparseSources(evidence, agreements), ...templates]
  const misled = misledErrors(evidence, agreements)
  const verdict = withAllFailed(withCoarse(judged, few), evidence, misled)
  const shortfall = findShortfall(file, evidence, verdict.coarse, foreign)
  const found = whatIsWrong(file, evidence, { verdict, templates, shortfall, misled })
  const swapped = swappedProblems(file, evidence)
  const problems = [
    ...(swapped.length > 0 ? swapped : withLineEnds(found.problems, evidence)),
    ...templateLineProblems(file, evidence),
  ]
  const text = judgeText(file, evidence)
  const { failed, ...sums } = verdict.places > 0 ? verdictCounts(verdict) : otherCounts(evidence, agreements, verdict)
  const counts = { ...sums, positions: sums.positions + shortfall.positions }
  // If no position resolves, the map is wrong, even if the cause is unknown.
  const nowhere = problems.length === 0 && counts.positions > 0 && counts.resolved === 0
  return {
    ...counts,
    failed,
    own: { sources: ownSources(verdict, evidence, found.reasons), unmapped: shortfall.unmapped },
    hasText: text.hasText,
    problems: [...text.problems, ...problems, ...(nowhere ? [nowhereProblem(file, counts.positions)] : [])],
  }
}

function withAllFailed(
  judged: OwnVerdict,
  evidence: ScriptEvidence,
  misled: ReturnType<typeof misledErrors>,
): OwnVerdict {
  const verdict = withFailed(judged, evidence.templateLines.found)
  if (verdict.mismatch) return verdict
  const more = withFailed(verdict, misplacedUnmappedNames(evidence))
  return withFailed(more, targetsOf(misled, more))
}

/**
 * Returns whether the map contains the source text for most positions. If the text of an app source is missing, also returns a problem.
 * Libraries are not reported, because users cannot add the missing texts.
 */
function judgeText(file: string, { map, places, isOwn }: ScriptEvidence): { hasText: boolean; problems: Problem[] } {
  const words = places.filter(({ kind }) => kind !== 'name')
  const own = words.filter(({ source }) => isOwn[source])
  const judged = own.length > 0 ? own : words
  const lacks = new Map<number, boolean>()
  for (const { source } of judged)
    if (!lacks.has(source)) lacks.set(source, contentOf(map.layout, source) === undefined)
  const lacking = judged.filter(({ source }) => lacks.get(source)).length
  const hasText = lacking * 2 < judged.length || lacking === 0
  if (lacking === 0 || own.length === 0) return { hasText, problems: [] }
  const message = hasText
    ? t`The source map does not contain the text of some of its sources.`
    : t`The source map does not contain the text of its sources.`
  return { hasText, problems: [problem('sources-without-content', message, { file })] }
}

function nowhereProblem(file: string, places: number): Problem {
  return problem('map-stale', t`None of the checked positions can be resolved (checked: ${places}).`, {
    file,
  })
}

interface Verdicts {
  verdict: OwnVerdict
  /** Components whose template is not mapped. */
  templates: ReadonlySet<number>
  shortfall: Shortfall
  misled: ReturnType<typeof misledErrors>
}

interface Wrong {
  problems: Problem[]
  reasons: Reasons
}

/** Selects the problem that is the cause of all other problems. */
function whatIsWrong(
  file: string,
  evidence: ScriptEvidence,
  { verdict, templates, shortfall, misled }: Verdicts,
): Wrong {
  const { map, names, isOwn, places, coverage } = evidence
  if (verdict.mismatch) {
    const { mismatch, sources } = verdict
    const found = mismatchProblem(file, evidence, mismatch, sources)
    const inOwn = [...mismatch.sources].filter((source) => isOwn[source] && !isMostlyRight(sources.get(source)))
    return { problems: [found], reasons: [[new Set(inOwn), t`the code does not match the source map`]] }
  }
  // Includes sources that cannot be compared. For example, if an obfuscator returns an empty map, bundlers use the obfuscator's output as
  // the source text.
  const seen = new Set(places.filter(({ source }) => isOwn[source]).map(({ source }) => source))
  const obfuscated = obfuscatedSources(map, seen)
  const compiled = compiledSources(map, names, seen)
  const coarse = new Set([...verdict.coarse].filter((source) => !templates.has(source)))
  const few = coverage.isBeyond ? [] : coarseProblems(file, { coarse, obfuscated, templates }, names)
  // If individual coarse sources are reported, the general problem is omitted.
  const isCoarse = ({ code }: Problem) => code === 'map-low-resolution'
  const problems = [...shortfall.problems.filter((found) => !isCoarse(found) || !few.some(isCoarse)), ...few]
  const error = problems.length > 0 ? undefined : misledProblem(file, names, misled, verdict)
  if (error) return { problems: [error.problem], reasons: [[error.sources, t`the code does not match the source map`]] }
  return {
    problems: [...problems, ...compiledProblems(file, compiled, names)],
    reasons: [
      [coarse, t`the source map has too few mappings`],
      [templates, t`the template has no mappings`],
      [obfuscated, t`an obfuscator rewrote the code before bundling`],
      [compiled, t`the bundler did not read the source map of the file`],
    ],
  }
}

/**
 * Returns the app's own sources with very few mappings but at least one throw or call. Sources without a throw or call may consist of
 * compiler helpers.
 */
function sparseSources({ places, sparse, isOwn }: ScriptEvidence, agreements: readonly Agreement[]): number[] {
  const hasOwnSite = (source: number) =>
    places.some(
      (place, index) =>
        place.source === source &&
        place.isSite &&
        place.distance > 0 &&
        agreements[index] !== 'absent' &&
        agreements[index] !== 'unknown',
    )
  return [...sparse].filter((source) => isOwn[source] && hasOwnSite(source))
}

/**
 * Adds the sources that have too few mappings. If most of the mismatching sources are coarse, the mismatch is attributed to the coarse map.
 */
function withCoarse(judged: OwnVerdict, sparse: readonly number[]): OwnVerdict {
  const coarse = new Set([...judged.coarse, ...sparse])
  const mismatch = [...(judged.mismatch?.sources ?? [])]
  const isReason =
    sparse.some((source) => judged.mismatch?.sources.has(source)) &&
    2 * mismatch.filter((source) => coarse.has(source)).length > mismatch.length
  if (!isReason) return { ...judged, coarse }
  return { ...judged, mismatch: undefined, coarse: new Set([...coarse, ...mismatch]) }
}

type Counts = Pick<ScriptProof, 'positions' | 'resolved' | 'failed'>

function verdictCounts({ places, resolved, coarse, sources }: OwnVerdict): Counts {
  const more = [...coarse].filter((source) => !sources.has(source)).length
  return { positions: places + more, resolved, failed: [] }
}

/**
 * Returns the counts if the verdict contains no positions from the app. If the app has only a few positions, a compiler may have generated
 * them, so positions in libraries are also counted. Maps of libraries may be imprecise. A position in a library is therefore wrong only if
 * its line does not exist.
 */
function otherCounts({ places, isOwn }: ScriptEvidence, agreements: readonly Agreement[], verdict: OwnVerdict): Counts {
  const compared = [...places.keys()].filter(
    (index) => places[index]?.kind !== 'name' && agreements[index] !== 'unknown',
  )
  const own = compared.filter((index) => isOwn[places[index]?.source ?? -1] && !places[index]?.isShared)
  const areOwn = own.length >= MIN_PLACES
  const isWrong = (index: number) =>
    areOwn || verdict.mismatch ? !isOnLine(agreements[index]) : agreements[index] === 'outside'
  const judged = areOwn ? own : compared
  const wrong = judged.filter(isWrong).map((index) => places[index] as Place)
  return {
    positions: judged.length + verdict.coarse.size,
    resolved: judged.length - wrong.length,
    failed: wrong.map(({ line, column }) => positionOf(line, column)),
  }
}
