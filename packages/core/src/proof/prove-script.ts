import { withoutLiterals } from '../formats/javascript/code.ts'
import type { ByteSource } from '../formats/source-map/bytes.ts'
import { SourceMapFlaw } from '../formats/source-map/flaw.ts'
import { readLayout } from '../formats/source-map/layout.ts'
import { readSources } from '../formats/source-map/text.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { Coverage } from './coverage.ts'
import { type MapFile, type Observation, observe } from './observe.ts'
import { findOffset, type Offset } from './offset.ts'
import { pickSamples, type Sample } from './samples.ts'
import { ScriptFile } from './script-file.ts'
import { findShortfall, isOwnSource, type Shortfall } from './shortfall.ts'

/** What became of one file's proof. */
export interface ScriptProof {
  /** Positions that were tried, without those in code that the bundler itself added. */
  positions: number
  /** Positions that lead to the original code. */
  resolved: number
  /** Sources that the map names. */
  sources: string[]
  problems: Problem[]
}

/** Nearer to the begin of its segment, a sample is hardly in another token. */
const FAR = 40
/** Bytes of a text that samples may stand in; what is behind them is in it too. */
const MAX_TEXT = 1024 * 1024
/** Fewer compared words prove nothing either way. */
const MIN_COMPARED = 8
/**
 * Share of compared words that must stand at their original. Measured on builds of esbuild, Rolldown, terser, webpack and Rspack: 0.86 to 1.00
 * as built, at most 0.11 when one or two lines were put before them.
 */
const AGREES = 0.5
/** Length of a run of compared words, most of them elsewhere, that tells of a change in the middle of a file. */
const RUN = 16
const RUN_AGREES = 0.25
/** A stretch without any source may be what the bundler itself adds, such as Vite's preloading; that has about 20 positions. */
const HELPERS = 40
/** How many more words an offset must bring to where they belong: imports that a bundler put a name before (`match` to `x.match`) look like a small one. */
const EXPLAINED = 8
/** Positions for each mapping that they fall on, from which a map counts as coarse. */
const COARSE = 8

/**
 * Proves one script against its map. `file` is how the user knows it.
 * @throws the file system's error; whatever the bytes are, nothing else.
 */
export function proveScript(file: string, scriptBytes: ByteSource, mapBytes: ByteSource): ScriptProof {
  let sources: string[] = []
  try {
    const layout = unlessFlaw(readLayout(mapBytes))
    const named = unlessFlaw(readSources(mapBytes, layout))
    sources = [...new Set(named)]
    const map = { bytes: mapBytes, layout }
    const script = new ScriptFile(scriptBytes)
    const samples = pickSamples(script)
    const coverage = new Coverage(script, named.map(isOwnSource))
    const observations = withoutData(script, observe(map, samples, { also: coverage.take }))
    coverage.end()
    const judgement = judge(file, { map, script, samples, observations })
    const wrong = judgement.problems.find(({ code }) => code !== 'sources-without-content')
    const shortfall = findShortfall(file, script, coverage, named)
    // What is wrong with all of it explains its parts; only names that stand elsewhere may be a coarse map's.
    if (wrong?.code === 'map-stale' && shortfall.coarse.size > 0) {
      const problems = [...judgement.problems.filter((item) => item !== wrong), ...shortfall.problems]
      return { ...judgement, problems, sources }
    }
    if (wrong) return { ...judgement, sources }
    return { ...less(judgement, observations, shortfall), sources }
  } catch (error) {
    if (!(error instanceof SourceMapFlaw)) throw error
    const flaw = problem('map-invalid', `Its source map cannot be used: ${error.message}.`, { file })
    return { positions: 0, resolved: 0, sources, problems: [flaw] }
  }
}

/** What a file's proof comes to when some of its code is mapped badly. */
function less(
  { positions, resolved, problems }: Omit<ScriptProof, 'sources'>,
  observations: readonly Observation[],
  shortfall: Shortfall,
): Omit<ScriptProof, 'sources'> {
  const lost = observations.filter(({ source }) => shortfall.coarse.has(source)).length
  // Every source that is mapped coarsely counts, also where no sample fell on it.
  const more = shortfall.positions + (lost === 0 ? shortfall.coarse.size : 0)
  return {
    positions: positions + more,
    resolved: Math.max(0, resolved - lost),
    problems: [...problems, ...shortfall.problems],
  }
}

/** Without the samples that stand in a text: they look like code, and are data. */
function withoutData(script: ScriptFile, observations: readonly Observation[]): Observation[] {
  const code = new Map<string, string>()
  return observations.filter(({ sample: { line, column }, distance, source }) => {
    if (source === -1 || distance < FAR) return true
    const begin = column - distance
    const key = `${line}:${begin}`
    const start = script.offsetOf(line, begin)
    const offset = script.offsetOf(line, column) - start
    if (offset >= MAX_TEXT) return false
    let text = code.get(key) ?? ''
    if (text.length <= offset) {
      // With what comes, so that the next samples find it.
      text = withoutLiterals(script.latin1(start, start + Math.min(2 * offset, MAX_TEXT)))
      code.set(key, text)
    }
    return text[offset] !== ' '
  })
}

function unlessFlaw<T>(read: T | SourceMapFlaw): T {
  if (read instanceof SourceMapFlaw) throw read
  return read
}

interface Evidence {
  map: MapFile
  script: ScriptFile
  samples: Sample[]
  observations: Observation[]
}

function judge(file: string, evidence: Evidence): Omit<ScriptProof, 'sources'> {
  const { observations } = evidence
  const mapped = observations.filter(({ finding }) => finding !== 'unmapped')
  const sites = observations.filter(({ sample }) => sample.word !== undefined)
  const unmapped = sites.filter(({ finding }) => finding === 'unmapped').length
  const leadsSomewhere = mapped.filter(({ finding }) => finding !== 'outside' && finding !== 'without-content').length
  const compared = sites.filter(isCompared)
  const agreement = agreementOf(compared)

  // Nothing to compare with: the sources are named, but their text is not in the map.
  const textless = mapped.filter(({ finding }) => finding === 'without-content').length
  const problems: Problem[] = []
  if (textless > 0) {
    const message = `${textless} of ${mapped.length} positions lead to sources whose text is not in the map.`
    // A few are a library that ships its own map without sources: nobody here can mend that.
    const severity = textless * 2 < mapped.length ? 'info' : 'warning'
    problems.push(problem('sources-without-content', message, { file, severity }))
  }
  const mostlyUnmapped = sites.length >= MIN_COMPARED && unmapped * 2 > sites.length
  const disagrees = compared.length >= MIN_COMPARED && agreement < AGREES
  const offset = mostlyUnmapped || disagrees ? confirmedOffset(evidence) : undefined
  const isIncomplete =
    mostlyUnmapped && (unmapped >= HELPERS || mapped.length === 0) && evidence.map.layout.sourceCount > 0
  if (!offset && !isIncomplete && !disagrees) {
    const broken = changeInTheMiddle(compared)
    if (broken) {
      const { line, column } = broken.from
      const message = `Up to line ${line + 1}, column ${column + 1} the code is what the map says; after it ${broken.different} of ${broken.of} names stand elsewhere.`
      problems.push(problem('map-stale', message, { file }))
      return { positions: mapped.length, resolved: mapped.length - broken.different, problems }
    }
    const gap = runWithoutSource(sites)
    if (gap) {
      const message = `From line ${gap.line + 1}, column ${gap.column + 1} on ${gap.length} positions in a row have no source in the map.`
      problems.push(problem('map-incomplete', message, { file }))
      return { positions: mapped.length + gap.length, resolved: leadsSomewhere + textless, problems }
    }
    const shift = shiftOfFirstLine(evidence, compared)
    if (shift) {
      problems.push(offsetProblem(file, shift))
      return { positions: mapped.length, resolved: leadsSomewhere - compared.filter(isInSource).length, problems }
    }
    const outside = mapped.length - leadsSomewhere - textless
    if (outside > 0) {
      const message = `${outside} of ${mapped.length} positions lead to lines that their sources do not have.`
      problems.push(problem('map-stale', message, { file }))
    }
    return { positions: mapped.length, resolved: leadsSomewhere + textless, problems }
  }
  const right = compared.filter(({ finding }) => finding === 'same').length
  const verdict = { positions: observations.length, resolved: right, problems }
  if (offset) problems.push(offsetProblem(file, offset))
  else if (isIncomplete) {
    const message = `${unmapped} of ${sites.length} positions have no source in the map.`
    problems.push(problem('map-incomplete', message, { file }))
  } else if (isCoarse(compared)) {
    const message = `${compared.length} positions fall on ${distinctMappings(compared)} mappings: whole lines are mapped as one.`
    problems.push(problem('map-low-resolution', message, { file }))
  } else {
    const message = `Of ${compared.length} names in it, ${right} stand where the map says.`
    problems.push(problem('map-stale', message, { file }))
  }
  return verdict
}

function isInSource({ finding }: Observation): boolean {
  return finding !== 'outside'
}

function isCompared({ finding, sample }: Observation): boolean {
  return (
    sample.word !== undefined &&
    (finding === 'same' || finding === 'later' || finding === 'different' || finding === 'outside')
  )
}

function agreementOf(compared: readonly Observation[]): number {
  return compared.filter(({ finding }) => finding === 'same').length / Math.max(1, compared.length)
}

/** A run of words that stand elsewhere, in a file that agrees on the whole. */
function changeInTheMiddle(compared: readonly Observation[]) {
  for (let start = 0; start + RUN <= compared.length; start++) {
    if (compared[start]?.finding !== 'different') continue
    if (agreementOf(compared.slice(start, start + RUN)) > RUN_AGREES) continue
    const rest = compared.slice(start)
    const from = compared[start - 1]?.sample ?? { line: 0, column: 0 }
    return { from, different: rest.filter(({ finding }) => finding !== 'same').length, of: rest.length }
  }
  return undefined
}

/** The first run of sites that the map knows nothing of; a bundler's own helpers are shorter. */
function runWithoutSource(sites: readonly Observation[]) {
  let start = 0
  for (let at = 0; at <= sites.length; at++) {
    if (sites[at]?.finding === 'unmapped') continue
    if (at - start >= HELPERS) return { ...(sites[start] as Observation).sample, length: at - start }
    start = at + 1
  }
  return undefined
}

/** The offset that explains what stands elsewhere, if it does. */
function confirmedOffset({ map, script, samples }: Evidence): Offset | undefined {
  const offset = findOffset(map, script)
  if (!offset) return undefined
  const { kept, moved } = shifted(samples, offset)
  const compared = observe(map, kept, { at: moved }).filter(isCompared)
  return compared.length >= MIN_COMPARED && agreementOf(compared) >= AGREES ? offset : undefined
}

/**
 * A few characters put before a minified file move every position by so much; most still fall on a mapping of the same line, so that only
 * the distance to it tells.
 */
function shiftOfFirstLine({ map, script, samples }: Evidence, compared: readonly Observation[]): Offset | undefined {
  const first = compared.filter(({ sample }) => sample.line === 0)
  const displaced = first.filter(({ distance }) => distance > 0)
  if (first.length < MIN_COMPARED || displaced.length * 2 < first.length) return undefined
  const offset = findOffset(map, script)
  if (offset?.lines !== 0) return undefined
  const { kept, moved } = shifted(samples, offset)
  const exact = (observations: readonly Observation[]) =>
    observations.filter(({ sample, distance, isExact }) => sample.line === 0 && isExact && distance === 0).length
  return exact(observe(map, kept, { at: moved })) > EXPLAINED * exact(first) ? offset : undefined
}

function shifted(samples: readonly Sample[], { lines, columns }: Offset) {
  const inFile = samples.filter(({ line, column }) => line >= lines && (line > 0 || column >= columns))
  const moved = inFile.map(({ line, column }) => ({
    line: line - lines,
    column: line === 0 ? column - columns : column,
  }))
  return { kept: inFile, moved }
}

function isCoarse(compared: readonly Observation[]): boolean {
  return distinctMappings(compared) * COARSE <= compared.length
}

function distinctMappings(compared: readonly Observation[]): number {
  return new Set(compared.map(({ sample, distance }) => `${sample.line}:${sample.column - distance}`)).size
}

function offsetProblem(file: string, { lines, columns }: Offset): Problem {
  const count = (many: number, what: string) => `${Math.abs(many)} ${what}${Math.abs(many) === 1 ? '' : 's'}`
  const by = lines !== 0 ? count(lines, 'line') : count(columns, 'column')
  const way = lines !== 0 ? (lines > 0 ? 'down' : 'up') : columns > 0 ? 'right' : 'left'
  const cause = lines + columns > 0 ? 'something was put before it' : 'something before it was taken away'
  return problem(
    'map-offset',
    `The code stands ${by} further ${way} than its map says: ${cause} after the map was made.`,
    {
      file,
    },
  )
}
