import { withoutLiterals } from '../formats/javascript/code.ts'
import type { TakeSegments } from '../formats/source-map/mapping-decoder.ts'
import { Coverage, type Stretch } from './coverage.ts'
import { compareWithDisk, type OnDisk } from './disk-sources.ts'
import type { MapFile } from './map-file.ts'
import { type Observation, observe } from './observe.ts'
import { OwnSources, type Place } from './own-sources.ts'
import { areInProject } from './project-sources.ts'
import { pickSamples, type Sample } from './samples.ts'
import type { ScriptFile } from './script-file.ts'
import { areOwnSources, isDataSource } from './sources.ts'
import { codesOf, textOf } from './stretch-text.ts'
import { TemplateLines } from './templates.ts'
import { CALL_BYTES, FAR, HELPER_AHEAD, HELPER_BYTES, MAX_LITERAL } from './thresholds.ts'
import { helperAt, isAppendedCall, isAstraySource } from './tools/index.ts'
import { LinesAstray, type MovedLines, movedLinesOf, type TransformFaults } from './transform-faults.ts'

/** Facts about a script's sources that are not in the map. */
export interface Known {
  /** The transforms that the bundler recorded. */
  faults?: TransformFaults | undefined
  /** Directories that may contain the sources. */
  disk?: OnDisk
}

/** The data for judging a script. */
export interface ScriptEvidence {
  map: MapFile
  script: ScriptFile
  /** Names of the map's sources. */
  names: readonly string[]
  /** Whether each source is the app's own. */
  isOwn: readonly boolean[]
  samples: Sample[]
  /** Results of samples that are not inside a string. */
  observations: Observation[]
  coverage: Coverage
  /** Positions in the app's own sources. */
  places: readonly Place[]
  /** Sources with hardly any mappings. */
  sparse: ReadonlySet<number>
  /** Moved lines that the map uses; undefined if no transform is known to have moved any. */
  astray: MovedLines | undefined
  /** Sources whose text in the map belongs to another file, with that file's source. */
  swapped: ReadonlyMap<number, number>
  /** Mappings into templates that point past the end of their line. */
  templateLines: TemplateLines
}

/**
 * Collects the evidence in one pass over the mappings.
 * @throws SourceMapFlaw if the mappings cannot be decoded.
 */
export function gatherEvidence(
  script: ScriptFile,
  map: MapFile,
  names: readonly string[],
  { faults, disk }: Known,
): ScriptEvidence {
  const samples = pickSamples(script)
  const isOwn = disk ? areInProject(names, areOwnSources(names), disk) : areOwnSources(names)
  const coverage = new Coverage(script)
  const own = new OwnSources(script, isOwn, names)
  // If the bundler recorded the changes to each line, the files on disk are not needed.
  const onDisk = disk && !faults ? compareWithDisk(map, names, isOwn, disk) : undefined
  const moved = faults ? movedLinesOf(faults, names) : onDisk?.moved
  const astray = moved && new LinesAstray(moved)
  const templateLines = new TemplateLines(map, names, isOwn)
  const also: TakeSegments = (segments, count, isOrdered) => {
    astray?.take(segments, count)
    if (templateLines.isNeeded) templateLines.take(segments, count)
    own.take(segments, count, isOrdered)
    return coverage.take(segments, count, isOrdered)
  }
  const observed = observe(map, samples, { also })
  coverage.end()
  own.end()
  const observations = withoutData(script, observed, coverage.unmapped)
  forgetDataSources(observations, names)
  for (const item of observations)
    if (templateLines.has(item.source, item.originalLine, item.originalColumn)) item.finding = 'not-comparable'
  forgetAppended(observations, script)
  forgetHelpers(observations, script)
  const [places, sparse] = [own.places(), own.sparse()]
  return {
    ...{ map, script, names, isOwn, samples, observations, coverage, places, sparse, templateLines },
    astray: astray?.found,
    swapped: onDisk?.swapped ?? new Map(),
  }
}

/** Ignores data, which cannot be compared, and packages whose lines are known to be wrong. */
function forgetDataSources(observations: readonly Observation[], names: readonly string[]): void {
  const isData = new Map<number, boolean>()
  for (const item of observations) {
    if (item.source === -1) continue
    const name = names[item.source] as string
    const known = isData.get(item.source) ?? (isDataSource(name) || isAstraySource(name))
    isData.set(item.source, known)
    if (known) item.finding = 'not-comparable'
  }
}

/** Ignores calls that a compiler appended after a source's last line. */
function forgetAppended(observations: readonly Observation[], script: ScriptFile): void {
  for (const item of observations) {
    if (item.finding !== 'outside') continue
    const begin = script.offsetOf(item.sample.line, item.sample.column - item.distance)
    if (isAppendedCall(script.latin1(Math.max(0, begin - CALL_BYTES), begin + CALL_BYTES)))
      item.finding = 'not-comparable'
  }
}

/**
 * Ignores compiler helpers whose code maps to one position: to the first comment of a source, or from the single
 * mapping of an inlined helper.
 */
function forgetHelpers(observations: readonly Observation[], script: ScriptFile): void {
  const inHelpers = observations.filter((item) => isInHelper(item, script))
  if (inHelpers.length === 0) return
  // Start columns of mappings, by original position and line. Whole lines with one mapping mean that the map is coarse.
  const begins = new Map<string, Set<number>>()
  const keysOf = ({ sample, source, originalLine, originalColumn }: Observation) => [
    `${source}:${originalLine}:${originalColumn}`,
    `${sample.line}`,
  ]
  for (const item of observations) {
    if (item.source === -1) continue
    const begin = script.offsetOf(item.sample.line, item.sample.column) - item.distance
    for (const key of keysOf(item)) begins.set(key, (begins.get(key) ?? new Set()).add(begin))
  }
  for (const item of inHelpers)
    if (keysOf(item).some((key) => begins.get(key)?.size !== 1)) item.finding = 'not-comparable'
}

function isInHelper({ finding, sample: { line, column }, distance }: Observation, script: ScriptFile): boolean {
  // After a map's last mapping, all remaining code shares that mapping.
  if ((finding !== 'different' && finding !== 'later') || distance > HELPER_BYTES) return false
  const offset = script.offsetOf(line, column)
  const begin = Math.max(script.lineStarts[line] as number, offset - HELPER_BYTES)
  return helperAt(script.latin1(begin, offset + HELPER_AHEAD)) !== -1
}

/** Removes samples inside strings, which look like code but are data. */
function withoutData(
  script: ScriptFile,
  observations: readonly Observation[],
  unmapped: readonly Stretch[],
): Observation[] {
  const isData = dataIn(script, unmapped)
  // The mapping of the last sample, which the next samples may share.
  let known = { line: -1, begin: -1, start: 0, text: '' }
  return observations.filter(({ sample: { line, column }, distance, source }) => {
    if (source === -1) return !isData(line, column)
    if (distance < FAR) return true
    const begin = column - distance
    if (known.line !== line || known.begin !== begin)
      known = { line, begin, start: script.offsetOf(line, begin), text: '' }
    const { start } = known
    const offset = script.offsetOf(line, column) - start
    if (offset >= MAX_LITERAL) return false
    // Extends the text for the next samples.
    if (known.text.length <= offset)
      known.text = withoutLiterals(script.latin1(start, start + Math.min(2 * offset, MAX_LITERAL)))
    return known.text[offset] !== ' '
  })
}

/**
 * Whether a position in a stretch is inside a string, a comment or an ignored module, in every possible reading of the
 * stretch.
 */
function dataIn(script: ScriptFile, stretches: readonly Stretch[]): (line: number, column: number) => boolean {
  // Caches the last stretch, because positions are sorted.
  let known: { stretch: Stretch; start: number; codes: string[] } | undefined
  return (line, column) => {
    const stretch = stretches.find(
      (it) => isBehind(line, column, it.line, it.column) && !isBehind(line, column, it.endLine, it.endColumn),
    )
    if (!stretch) return false
    if (known?.stretch !== stretch) {
      const { codes } = codesOf(script, stretch, textOf(script, stretch))
      known = { stretch, start: script.offsetOf(stretch.line, stretch.column), codes }
    }
    const offset = script.offsetOf(line, column) - known.start
    return known.codes.every((code) => code[offset] === ' ')
  }
}

function isBehind(line: number, column: number, otherLine: number, otherColumn: number): boolean {
  return line > otherLine || (line === otherLine && column >= otherColumn)
}
