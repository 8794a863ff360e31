import type { ByteRange, ByteSource } from '../formats/source-map/bytes.ts'
import { SourceMapFlaw } from '../formats/source-map/flaw.ts'
import { readLayout } from '../formats/source-map/layout.ts'
import { readSources, readText } from '../formats/source-map/text.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { coarseProblems, compiledProblems, templateLineProblems } from './coarse-problems.ts'
import { type Agreement, compareAll } from './compare.ts'
import { judgeSamples, type SampleVerdict } from './judge-samples.ts'
import { misledError } from './misled.ts'
import { mismatchProblem } from './mismatch.ts'
import { compiledSources } from './own-maps.ts'
import { type OwnProof, ownSources, type Reasons, swappedProblems, withTemplateLines } from './own-proof.ts'
import { judgeOwn, type OwnVerdict } from './own-verdict.ts'
import { gatherEvidence, type Known, type ScriptEvidence } from './script-evidence.ts'
import { ScriptFile } from './script-file.ts'
import { findShortfall, type Shortfall } from './shortfall.ts'
import { isMostlyRight, positionOf } from './source-counts.ts'
import { unmappedTemplates } from './templates.ts'
import { MAX_PATH } from './thresholds.ts'
import { isEmptied, obfuscatedSources } from './tools/index.ts'

/** The result of checking one file. */
export interface ScriptProof {
  /** Number of checked positions, without those in the bundler's own code. */
  positions: number
  /** Number of positions that resolve to the original code. */
  resolved: number
  /** Names of the map's sources. */
  sources: string[]
  /** The script that the map's `file` field names, cut to the end of a long path; undefined if there is none. */
  madeFor?: string
  /** Wrong positions in the script, `line:column`, 1-based. Used only if none of the app's own sources was compared. */
  failed: readonly string[]
  own: OwnProof
  /** More than half of what looks like code is in strings, which are not judged. */
  isData: boolean
  /** The map contains the text for most samples. Otherwise nothing can be compared. */
  hasText: boolean
  problems: Problem[]
}

/** The result for a script in which nothing was checked. */
const NOTHING: Omit<ScriptProof, 'sources'> = {
  positions: 0,
  resolved: 0,
  failed: [],
  own: { sources: new Map(), unmapped: 0 },
  isData: false,
  hasText: true,
  problems: [],
}

/**
 * Checks one script against its map.
 * @param file its displayed name.
 * @throws only the file system's error, whatever the bytes are.
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
    // An intake rejects other versions.
    if (layout.version !== 3) throw new SourceMapFlaw('not-a-map', t`is not of version 3`)
    const names = unlessFlaw(readSources(mapBytes, layout))
    sources = [...new Set(names)]
    if (isEmptied(layout, names)) return { ...NOTHING, sources }
    const map = { bytes: mapBytes, layout }
    const judged = judgeScript(file, gatherEvidence(new ScriptFile(scriptBytes), map, names, known))
    const madeFor = layout.file && readText(mapBytes, endOf(layout.file))
    return { ...judged, sources, ...(typeof madeFor === 'string' && { madeFor }) }
  } catch (error) {
    if (!(error instanceof SourceMapFlaw)) throw error
    const flaw = problem('map-invalid', t`Its source map cannot be used: it ${error.message}.`, { file })
    return { ...NOTHING, sources, problems: [flaw] }
  }
}

/** Cuts a range to the maximum length of a file system path. */
function endOf({ start, end }: ByteRange): ByteRange {
  return { start: Math.max(start, end - MAX_PATH), end }
}

function unlessFlaw<T>(read: T | SourceMapFlaw): T {
  if (read instanceof SourceMapFlaw) throw read
  return read
}

function judgeScript(file: string, evidence: ScriptEvidence): Omit<ScriptProof, 'sources'> {
  const { map, names, isOwn, places, observations } = evidence
  const agreements = compareAll(map, places, names)
  const templates = unmappedTemplates(evidence)
  const few = [...sparseSources(evidence, agreements), ...templates]
  const judged = withTemplateLines(judgeOwn(places, agreements, isOwn, evidence.astray), evidence.templateLines.found)
  const verdict = withCoarse(judged, few)
  const samples = judgeSamples(file, evidence)
  const shortfall = findShortfall(file, evidence, verdict.coarse)
  const found = whatIsWrong(file, evidence, { agreements, verdict, templates, samples, shortfall })
  const swapped = swappedProblems(file, evidence)
  const problems = [...(swapped.length > 0 ? swapped : found.problems), ...templateLineProblems(file, evidence)]
  // The user cannot add texts that libraries omit.
  const lacksText = observations.some(({ finding, source }) => finding === 'without-content' && isOwn[source])
  const textless = samples.problems.filter(({ code }) => lacksText && code === WITHOUT_CONTENT)
  const counts = countsOf(samples, verdict, shortfall)
  // Too few positions to find the cause, but enough to show that something is wrong.
  const nowhere = problems.length === 0 && counts.positions > 0 && counts.resolved === 0
  return {
    ...counts,
    failed: verdict.places > 0 ? [] : failedSamples(observations),
    own: { sources: ownSources(verdict, evidence, found.reasons), unmapped: shortfall.unmapped },
    isData: evidence.samples.length > 2 * observations.length,
    hasText: samples.hasText,
    problems: [...textless, ...problems, ...(nowhere ? [nowhereProblem(file, counts.positions)] : [])],
  }
}

function nowhereProblem(file: string, places: number): Problem {
  return problem('map-stale', t`No position that a stack could contain resolves (${places}).`, { file })
}

/** Several verdicts on a script. */
interface Verdicts {
  agreements: readonly Agreement[]
  verdict: OwnVerdict
  /** Components whose template is unmapped. */
  templates: ReadonlySet<number>
  samples: SampleVerdict
  shortfall: Shortfall
}

/** Problems of a script, and the reasons why stacks of its sources are wrong. */
interface Wrong {
  problems: Problem[]
  reasons: Reasons
}

/** Reduces the verdicts to the one that explains the others. */
function whatIsWrong(
  file: string,
  evidence: ScriptEvidence,
  { agreements, verdict, templates, samples, shortfall }: Verdicts,
): Wrong {
  const { map, names, isOwn, places, coverage } = evidence
  // If a map has lines that do not exist in the script, it belongs to another script, even if some of its mappings fit.
  const passed = coverage.isBeyond ? [WITHOUT_CONTENT, 'map-low-resolution'] : [WITHOUT_CONTENT]
  const wrong = samples.problems.find(({ code }) => !passed.includes(code))
  const mayBeLibrary = !wrong || ONLY_LIBRARIES.has(wrong.code)
  // A fault of the whole script explains its parts. Only misplaced names may result from a coarse map.
  const isCoarse = verdict.coarse.size > 0 && mayBeLibrary && !verdict.mismatch
  const isLocal = verdict.mismatch !== undefined && [...verdict.sources.values()].every(isMostlyRight)
  if (wrong && !isCoarse && !((verdict.isSure || isLocal) && mayBeLibrary)) {
    const inDoubt = [...names.keys()].filter((source) => isOwn[source] && isInDoubt(verdict, source))
    return { problems: [wrong], reasons: [[new Set(inDoubt), t`its code does not match the map`]] }
  }
  if (verdict.mismatch) {
    const { mismatch, sources } = verdict
    const found = mismatchProblem(file, evidence, mismatch, sources)
    const inOwn = [...mismatch.sources].filter((source) => isOwn[source] && !isMostlyRight(sources.get(source)))
    return { problems: [found], reasons: [[new Set(inOwn), t`its code does not match the map`]] }
  }
  // Includes sources that cannot be compared: for an obfuscator's output, bundlers keep the text with an empty map.
  const seen = new Set(places.filter(({ source }) => isOwn[source]).map(({ source }) => source))
  const obfuscated = obfuscatedSources(map, seen)
  const compiled = compiledSources(map, names, seen)
  const coarse = new Set([...verdict.coarse].filter((source) => !templates.has(source)))
  const few = coverage.isBeyond ? [] : coarseProblems(file, { coarse, obfuscated, templates }, names)
  const problems = [...shortfall.problems, ...few]
  const misled = problems.length > 0 ? undefined : misledError(file, evidence, agreements)
  if (misled) return { problems: [misled.problem], reasons: [[misled.sources, t`its code does not match the map`]] }
  return {
    problems: [...problems, ...compiledProblems(file, compiled, names)],
    reasons: [
      [coarse, t`its map is coarse`],
      [templates, t`its template has no mappings`],
      [obfuscated, t`an obfuscator rewrote it before the bundler`],
      [compiled, t`the bundler did not follow its own source map`],
    ],
  }
}

/** Sample positions that do not resolve to their code. */
function failedSamples(observations: ScriptEvidence['observations']): string[] {
  return observations
    .filter(({ finding }) => finding === 'outside' || finding === 'different')
    .map(({ sample }) => positionOf(sample.line, sample.column))
}

/**
 * The app's own sources with hardly any mappings and at least one throw or call. Sources without any may consist of
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

/** Adds the sources with hardly any mappings. If most mismatches are in coarse sources, coarseness is the reason. */
function withCoarse(judged: OwnVerdict, sparse: readonly number[]): OwnVerdict {
  const coarse = new Set([...judged.coarse, ...sparse])
  const mismatch = [...(judged.mismatch?.sources ?? [])]
  const isReason =
    sparse.some((source) => judged.mismatch?.sources.has(source)) &&
    2 * mismatch.filter((source) => coarse.has(source)).length > mismatch.length
  if (!isReason) return { ...judged, coarse }
  return { ...judged, mismatch: undefined, coarse: new Set([...coarse, ...mismatch]) }
}

/** Whether a source may be wrong in a script that does not match its map. */
function isInDoubt({ sources }: OwnVerdict, source: number): boolean {
  const found = sources.get(source)
  return found !== undefined && !isMostlyRight(found)
}

/** A problem that does not cast doubt on a map. */
const WITHOUT_CONTENT = 'sources-without-content'
/** Problems that may come from a library's own map. The user cannot fix that, and the app's stacks are right. */
const ONLY_LIBRARIES: ReadonlySet<string> = new Set(['map-stale', 'map-low-resolution'])

/** Position counts of a script: those of the app's own sources, or the samples if it has none. */
function countsOf({ positions, resolved, problems }: SampleVerdict, verdict: OwnVerdict, shortfall: Shortfall) {
  const isWrong = problems.some(({ code }) => code !== WITHOUT_CONTENT)
  if (isWrong && !verdict.isSure) return { positions, resolved: Math.min(resolved, positions) }
  const coarse = [...verdict.coarse].filter((source) => !verdict.sources.has(source)).length
  const counts = verdict.places > 0 ? verdict : { places: positions, resolved }
  return { positions: counts.places + shortfall.positions + coarse, resolved: counts.resolved }
}
