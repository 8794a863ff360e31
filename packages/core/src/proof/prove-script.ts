import type { ByteRange, ByteSource } from '../formats/source-map/bytes.ts'
import { SourceMapFlaw } from '../formats/source-map/flaw.ts'
import { readLayout, type SourceMapLayout } from '../formats/source-map/layout.ts'
import { contentOf, readSources, readText } from '../formats/source-map/text.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { coarseProblems, compiledProblems } from './coarse-problems.ts'
import { type Agreement, compareAll } from './compare.ts'
import type { OnDisk } from './disk-sources.ts'
import { elsewhereProblem } from './elsewhere.ts'
import { judgeSamples, type SampleVerdict } from './judge-samples.ts'
import { misledError } from './misled.ts'
import { obfuscatedSources } from './obfuscated.ts'
import { compiledSources } from './own-maps.ts'
import { judgeOwn, type OwnVerdict } from './own-verdict.ts'
import { gatherEvidence, type ScriptEvidence } from './script-evidence.ts'
import { ScriptFile } from './script-file.ts'
import { findShortfall, type Shortfall } from './shortfall.ts'
import { shownSource } from './sources.ts'
import { unmappedTemplates } from './templates.ts'
import type { TransformFaults } from './transform-faults.ts'

const MAX_PATH_BYTES = 4096

/** What the proof tells of one of the app's own sources. */
export interface SourceProof {
  /** Throws, calls and names that were tried, and how many of them lead to their line. */
  places: number
  resolved: number
  /** Lines, throws and calls that are misled, where a transform is known to have moved its lines. */
  strays?: number
  /** Why its stacks would lead to wrong lines; undefined when they do not. */
  wrong?: string
}

/** What the proof tells of the app's own code in a script. */
export interface OwnProof {
  /** By the source's name, as the user knows it. */
  sources: Map<string, SourceProof>
  /** Throws and calls in code that the map has no source for. */
  unmapped: number
  /** Who most likely lost their source, where the bundler knows. */
  lostBy?: string
}

/** The result of checking one file. */
export interface ScriptProof {
  /** Checked positions, without those in the bundler's own code. */
  positions: number
  /** Positions that lead to the original code. */
  resolved: number
  /** Names of the map's sources. */
  sources: string[]
  /** The script in the map's `file` field, cut to the end of a long path; undefined if there is none. */
  madeFor?: string
  own: OwnProof
  /** More than half of its apparent code is in texts, which are not judged. */
  isData: boolean
  /** Most samples lead to sources whose text is in the map. Otherwise nothing can be compared. */
  hasText: boolean
  problems: Problem[]
}

/** The result for a script in which nothing was checked. */
const NOTHING: Omit<ScriptProof, 'sources'> = {
  positions: 0,
  resolved: 0,
  own: { sources: new Map(), unmapped: 0 },
  isData: false,
  hasText: true,
  problems: [],
}

/**
 * Proves one script against its map. `file` is how the user knows it, `known` what its bundler knows of transforms; else where its sources may lie.
 * @throws the file system's error; whatever the bytes are, nothing else.
 */
export function proveScript(
  file: string,
  scriptBytes: ByteSource,
  mapBytes: ByteSource,
  known: TransformFaults | OnDisk = new Map(),
): ScriptProof {
  let sources: string[] = []
  try {
    const layout = unlessFlaw(readLayout(mapBytes))
    // An intake refuses it.
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

/** Limited to the length of a file system path. */
function endOf({ start, end }: ByteRange): ByteRange {
  return { start: Math.max(start, end - MAX_PATH_BYTES), end }
}

/** Nitro empties the maps of scripts with library code, but keeps the names of their sources. */
function isEmptied(layout: SourceMapLayout, names: readonly string[]): boolean {
  return (
    layout.layers.every(({ mappings: { start, end } }) => start === end) &&
    names.length > 0 &&
    names.every((name, source) => name.includes('node_modules') && contentOf(layout, source) === undefined)
  )
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
  const verdict = withCoarse(judgeOwn(places, agreements, isOwn, evidence.astray), few)
  const samples = judgeSamples(file, evidence)
  const shortfall = findShortfall(file, evidence, verdict.coarse)
  const { problems, reasons } = whatIsWrong(file, evidence, { agreements, verdict, templates, samples, shortfall })
  // What libraries are published without nobody here can add.
  const lacksText = observations.some(({ finding, source }) => finding === 'without-content' && isOwn[source])
  const textless = samples.problems.filter(({ code }) => lacksText && code === WITHOUT_CONTENT)
  const counts = countsOf(samples, verdict, shortfall)
  // Too few to find the cause, but enough to show that something is wrong.
  const nowhere = problems.length === 0 && counts.positions > 0 && counts.resolved === 0
  return {
    ...counts,
    own: { sources: ownSources(verdict, reasons, names), unmapped: shortfall.unmapped },
    isData: evidence.tried > 2 * observations.length,
    hasText: samples.hasText,
    problems: [...textless, ...problems, ...(nowhere ? [nowhereProblem(file, counts.positions)] : [])],
  }
}

function nowhereProblem(file: string, places: number): Problem {
  return problem('map-stale', t`None of the places in it that a stack could name resolves (${places}).`, { file })
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
  reasons: [ReadonlySet<number>, string][]
}

/** Reduces the verdicts to the one that explains the others. */
function whatIsWrong(
  file: string,
  evidence: ScriptEvidence,
  { agreements, verdict, templates, samples, shortfall }: Verdicts,
): Wrong {
  const { map, names, isOwn, places, coverage } = evidence
  // A map with lines that the script does not have belongs to another script, however few of its mappings fit.
  const passed = coverage.isBeyond ? [WITHOUT_CONTENT, 'map-low-resolution'] : [WITHOUT_CONTENT]
  const wrong = samples.problems.find(({ code }) => !passed.includes(code))
  const mayBeLibrary = !wrong || ONLY_LIBRARIES.has(wrong.code)
  // A fault of the whole script explains its parts. Only misplaced names may be caused by a coarse map.
  const isCoarse = verdict.coarse.size > 0 && mayBeLibrary && !verdict.elsewhere
  if (wrong && !isCoarse && !(verdict.isSure && mayBeLibrary)) {
    const inDoubt = [...names.keys()].filter((source) => isOwn[source] && isInDoubt(verdict, source))
    return { problems: [wrong], reasons: [[new Set(inDoubt), t`its code stands elsewhere`]] }
  }
  if (verdict.elsewhere) {
    const { elsewhere, sources } = verdict
    const found = elsewhereProblem(file, evidence, elsewhere, sources)
    const inOwn = [...elsewhere.sources].filter((source) => isOwn[source])
    return { problems: [found], reasons: [[new Set(inOwn), t`its code stands elsewhere`]] }
  }
  // Includes sources that cannot be compared: bundlers leave an empty map in the text of an obfuscator's output.
  const seen = new Set(places.filter(({ source }) => isOwn[source]).map(({ source }) => source))
  const obfuscated = obfuscatedSources(map, seen)
  const compiled = compiledSources(map, names, seen)
  const coarse = new Set([...verdict.coarse].filter((source) => !templates.has(source)))
  const few = coverage.isBeyond ? [] : coarseProblems(file, { coarse, obfuscated, templates }, names)
  const problems = [...shortfall.problems, ...few]
  const misled = problems.length > 0 ? undefined : misledError(file, evidence, agreements)
  if (misled) return { problems: [misled.problem], reasons: [[misled.sources, t`its code stands elsewhere`]] }
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

/** What is known of each of the app's own sources, by the name that users see. */
function ownSources(verdict: OwnVerdict, reasons: Wrong['reasons'], names: readonly string[]): OwnProof['sources'] {
  const found: OwnProof['sources'] = new Map()
  const why = new Map(reasons.flatMap(([sources, reason]) => [...sources].map((source) => [source, reason] as const)))
  for (const source of new Set([...verdict.sources.keys(), ...verdict.strays.keys(), ...why.keys()])) {
    const [wrong, strays] = [why.get(source), verdict.strays.get(source)]
    const counts = verdict.sources.get(source) ?? { places: 0, resolved: 0 }
    const more = { ...(wrong !== undefined && { wrong }), ...(strays !== undefined && { strays }) }
    addSource(found, shownSource(names[source] ?? ''), { ...counts, ...more })
  }
  return found
}

/**
 * The app's own sources with hardly any mappings and with at least one throw or call of their own, because compiler helpers may be most of
 * them.
 */
function sparseSources({ places, sparse, isOwn }: ScriptEvidence, agreements: readonly Agreement[]): number[] {
  const isSaid = (source: number) =>
    places.some(
      (place, index) =>
        place.source === source &&
        place.isSite &&
        place.distance > 0 &&
        agreements[index] !== 'absent' &&
        agreements[index] !== 'unknown',
    )
  return [...sparse].filter((source) => isOwn[source] && isSaid(source))
}

/** Adds what was found of a source in one script to what was found of it in others: wrong in one of them is wrong. */
export function addSource(sums: OwnProof['sources'], name: string, found: SourceProof): void {
  const { places, resolved, wrong } = found
  const sum = sums.get(name)
  const reason = sum?.wrong ?? wrong
  const strays = (sum?.strays ?? 0) + (found.strays ?? 0)
  sums.set(name, {
    places: (sum?.places ?? 0) + places,
    resolved: (sum?.resolved ?? 0) + resolved,
    ...(strays > 0 && { strays }),
    ...(reason !== undefined && { wrong: reason }),
  })
}

/** Places from which a source that is right in all of them is right although its script is not. */
const MIN_PLACES = 4

/** With the sources that have hardly any mappings; where most of what stands elsewhere is coarse, and so is the reason. */
function withCoarse(judged: OwnVerdict, sparse: readonly number[]): OwnVerdict {
  const coarse = new Set([...judged.coarse, ...sparse])
  const elsewhere = [...(judged.elsewhere?.sources ?? [])]
  const isReason =
    sparse.some((source) => judged.elsewhere?.sources.has(source)) &&
    2 * elsewhere.filter((source) => coarse.has(source)).length > elsewhere.length
  if (!isReason) return { ...judged, coarse }
  return { ...judged, elsewhere: undefined, coarse: new Set([...coarse, ...elsewhere]) }
}

/** Whether a source of a script that does not fit its map may be one that does not. */
function isInDoubt({ sources, elsewhere }: OwnVerdict, source: number): boolean {
  const found = sources.get(source)
  if (!found) return false
  return elsewhere?.sources.has(source) || found.places < MIN_PLACES || found.resolved < found.places
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
