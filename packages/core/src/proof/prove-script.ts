import { withoutLiterals } from '../formats/javascript/code.ts'
import type { ByteSource } from '../formats/source-map/bytes.ts'
import { SourceMapFlaw } from '../formats/source-map/flaw.ts'
import { readLayout } from '../formats/source-map/layout.ts'
import type { TakeSegments } from '../formats/source-map/mapping-decoder.ts'
import { readSources } from '../formats/source-map/text.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { compareAll } from './compare.ts'
import { Coverage } from './coverage.ts'
import { movedOnDisk, type OnDisk } from './disk-sources.ts'
import { elsewhereProblem } from './elsewhere.ts'
import { LinesAstray, movedLinesOf, type TransformFaults } from './faults.ts'
import { judgeSamples, type SampleVerdict } from './judge-samples.ts'
import { misledError } from './misled.ts'
import { obfuscatedSources } from './obfuscated.ts'
import { type Observation, observe } from './observe.ts'
import { OwnSources } from './own-sources.ts'
import { judgeOwn, type OwnVerdict } from './own-verdict.ts'
import { pickSamples } from './samples.ts'
import { ScriptFile } from './script-file.ts'
import { findShortfall, type Shortfall } from './shortfall.ts'
import { areOwnSources, isDataSource, named as shownNames, shownSource } from './sources.ts'

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

/** What became of one file's proof. */
export interface ScriptProof {
  /** Positions that were tried, without those in code that the bundler itself added. */
  positions: number
  /** Positions that lead to the original code. */
  resolved: number
  /** Sources that the map names. */
  sources: string[]
  own: OwnProof
  /** More than half of what looks like code in it stands in texts, which are not judged. */
  isData: boolean
  /** Most of what was tried leads to sources whose text is in the map; else there is nothing to compare with. */
  hasText: boolean
  problems: Problem[]
}

/** Nearer to the begin of its segment, a sample is hardly in another token. */
const FAR = 40
/** Bytes of a text that samples may stand in; what is behind them is in it too. */
const MAX_TEXT = 1024 * 1024
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
    const named = unlessFlaw(readSources(mapBytes, layout))
    sources = [...new Set(named)]
    const map = { bytes: mapBytes, layout }
    const script = new ScriptFile(scriptBytes)
    const samples = pickSamples(script)
    const isOwn = areOwnSources(named)
    const coverage = new Coverage(script)
    const own = new OwnSources(script, isOwn, named)
    const moved = 'cwd' in known ? movedOnDisk(map, named, isOwn, known) : movedLinesOf(known, named)
    const astray = moved && new LinesAstray(moved)
    const also: TakeSegments = (segments, count, isOrdered) => {
      astray?.take(segments, count)
      own.take(segments, count, isOrdered)
      return coverage.take(segments, count, isOrdered)
    }
    const observed = observe(map, samples, { also })
    const observations = withoutData(script, observed)
    forgetDataSources(observations, named)
    coverage.end()
    own.end()
    const places = own.places()
    const agreements = compareAll(map, places, named)
    const judged = judgeOwn(places, agreements, isOwn, astray?.found)
    // What a compiler put into a source, such as a helper, may be most of it.
    const isSaid = (source: number) =>
      places.some(
        (place, index) =>
          place.source === source && place.isSite && agreements[index] !== 'absent' && agreements[index] !== 'unknown',
      )
    const sparse = [...own.sparse()].filter((source) => isOwn[source] && isSaid(source))
    const verdict = withCoarse(judged, sparse)
    const judgement = judgeSamples(file, { map, script, samples, observations })
    const wrong = judgement.problems.find(({ code }) => code !== 'sources-without-content')
    const isLibrary = verdict.isSure && wrong && ONLY_LIBRARIES.has(wrong.code)
    const shortfall = findShortfall(file, { map, script }, { coverage, isOwn, coarse: verdict.coarse })
    // What libraries are published without nobody here can add.
    const lacksText = observations.some(({ finding, source }) => finding === 'without-content' && isOwn[source])
    const problems = judgement.problems.filter(
      (item) => item !== wrong && (lacksText || item.code !== 'sources-without-content'),
    )
    const conclude = (found: Problem[], reasons: [ReadonlySet<number>, string][]): ScriptProof => {
      const counts = countsOf(judgement, verdict, shortfall)
      const proof: OwnProof = { sources: new Map(), unmapped: shortfall.positions }
      const why = new Map(
        reasons.flatMap(([numbers, reason]) => [...numbers].map((source) => [source, reason] as const)),
      )
      for (const source of new Set([...verdict.sources.keys(), ...verdict.strays.keys(), ...why.keys()])) {
        const [wrong, strays] = [why.get(source), verdict.strays.get(source)]
        const found = verdict.sources.get(source) ?? { places: 0, resolved: 0 }
        const more = { ...(wrong !== undefined && { wrong }), ...(strays !== undefined && { strays }) }
        addSource(proof.sources, shownSource(named[source] ?? ''), { ...found, ...more })
      }
      const isMostlyData = observed.length > 2 * observations.length
      const { hasText } = judgement
      return { ...counts, sources, own: proof, isData: isMostlyData, hasText, problems: [...problems, ...found] }
    }
    // What is wrong with all of it explains its parts; only names that stand elsewhere may be a coarse map's.
    const isCoarse = verdict.coarse.size > 0 && (!wrong || ONLY_LIBRARIES.has(wrong.code)) && !verdict.elsewhere
    if (wrong && !isCoarse && !isLibrary) {
      const all = new Set(named.keys())
      const own = new Set([...all].filter((source) => isOwn[source] && isInDoubt(verdict, source)))
      return conclude([wrong], [[own, t`its code stands elsewhere`]])
    }
    if (verdict.elsewhere) {
      const { elsewhere } = verdict
      const found = elsewhereProblem(file, { map, script }, { ...verdict, elsewhere }, named)
      return conclude([found], [[elsewhere.sources, t`its code stands elsewhere`]])
    }
    // Also those that cannot be compared: bundlers leave a map that maps nothing in the text of an obfuscator's output.
    const seen = new Set(places.filter(({ source }) => isOwn[source]).map(({ source }) => source))
    const obfuscated = obfuscatedSources(map, seen)
    const coarse = coarseProblems(file, { coarse: verdict.coarse, obfuscated }, named)
    const reasons: [ReadonlySet<number>, string][] = [
      [verdict.coarse, t`its map is coarse`],
      [obfuscated, t`an obfuscator rewrote it before the bundler`],
    ]
    const found = [...shortfall.problems, ...coarse]
    const misled =
      found.length > 0 ? undefined : misledError(file, { map, places, agreements }, { isOwn, names: named })
    if (misled) return conclude([misled.problem], [[misled.sources, t`its code stands elsewhere`]])
    return conclude(found, reasons)
  } catch (error) {
    if (!(error instanceof SourceMapFlaw)) throw error
    const flaw = problem('map-invalid', t`Its source map cannot be used: ${error.message}.`, { file })
    const own: OwnProof = { sources: new Map(), unmapped: 0 }
    return { positions: 0, resolved: 0, sources, own, isData: false, hasText: true, problems: [flaw] }
  }
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

function coarseProblems(
  file: string,
  { coarse, obfuscated }: { coarse: ReadonlySet<number>; obfuscated: ReadonlySet<number> },
  names: readonly string[],
): Problem[] {
  const shown = (sources: ReadonlySet<number>) =>
    shownNames([...sources].map((source) => shownSource(names[source] ?? '')))
  const messages = [
    coarse.size > 0 &&
      t`Throws and calls in ${shown(coarse)} lead to other lines than their own: it has too few mappings, as when a transform returns a coarse map.`,
    obfuscated.size > 0 &&
      t`The map holds an obfuscator's output in place of ${shown(obfuscated)}: stacks lead to lines of that.`,
  ]
  return messages.flatMap((message) => (message ? problem('map-low-resolution', message, { file }) : []))
}

/** What may be wrong with a library's own map only: nobody here can mend that, and the app's stacks are right. */
const ONLY_LIBRARIES: ReadonlySet<string> = new Set(['map-stale', 'map-low-resolution'])

/** Positions of a script: the places of the app's own sources, or the samples where it has none. */
function countsOf({ positions, resolved, problems }: SampleVerdict, verdict: OwnVerdict, shortfall: Shortfall) {
  const isWrong = problems.some(({ code }) => code !== 'sources-without-content')
  if (isWrong && !verdict.isSure) return { positions, resolved: Math.min(resolved, positions) }
  const coarse = [...verdict.coarse].filter((source) => !verdict.sources.has(source)).length
  const counts = verdict.places > 0 ? verdict : { places: positions, resolved }
  return { positions: counts.places + shortfall.positions + coarse, resolved: counts.resolved }
}

/** With data there is nothing to compare. */
function forgetDataSources(observations: readonly Observation[], names: readonly string[]): void {
  const isData = new Map<number, boolean>()
  for (const item of observations) {
    if (item.source === -1) continue
    const known = isData.get(item.source) ?? isDataSource(names[item.source] as string)
    isData.set(item.source, known)
    if (known) item.finding = 'not-comparable'
  }
}

/** Without the samples that stand in a text: they look like code, and are data. */
function withoutData(script: ScriptFile, observations: readonly Observation[]): Observation[] {
  // Of the mapping that the last one falls on: more may.
  let known = { line: -1, begin: -1, start: 0, text: '' }
  return observations.filter(({ sample: { line, column }, distance, source }) => {
    if (source === -1 || distance < FAR) return true
    const begin = column - distance
    if (known.line !== line || known.begin !== begin)
      known = { line, begin, start: script.offsetOf(line, begin), text: '' }
    const { start } = known
    const offset = script.offsetOf(line, column) - start
    if (offset >= MAX_TEXT) return false
    // With what comes, so that the next samples find it.
    if (known.text.length <= offset)
      known.text = withoutLiterals(script.latin1(start, start + Math.min(2 * offset, MAX_TEXT)))
    return known.text[offset] !== ' '
  })
}

function unlessFlaw<T>(read: T | SourceMapFlaw): T {
  if (read instanceof SourceMapFlaw) throw read
  return read
}
