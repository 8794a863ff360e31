import { withoutLiterals } from '../formats/javascript/code.ts'
import type { TakeSegments } from '../formats/source-map/mapping-decoder.ts'
import { Coverage, type Stretch } from './coverage.ts'
import { compareWithDisk, type OnDisk } from './disk-sources.ts'
import { CALL_BYTES, HELPER_AHEAD, HELPER_BYTES, helperAt, isAppendedCall } from './helper-code.ts'
import type { MapFile } from './map-file.ts'
import { type Observation, observe } from './observe.ts'
import { OwnSources, type Place } from './own-sources.ts'
import { areInProject } from './project-sources.ts'
import { pickSamples, type Sample } from './samples.ts'
import type { ScriptFile } from './script-file.ts'
import { areOwnSources, isAstraySource, isDataSource } from './sources.ts'
import { codesOf, textOf } from './stretch-text.ts'
import { TemplateLines } from './template-lines.ts'
import { LinesAstray, type MovedLines, movedLinesOf, type TransformFaults } from './transform-faults.ts'

/** Nearer to the start of its segment, a sample is hardly in another token. */
const FAR = 40
/** Bytes of a text that samples may stand in; what is behind them is in it too. */
const MAX_TEXT = 1024 * 1024

/** What is known of a script's sources beside the map. */
export interface Known {
  /** What its bundler knows of transforms. */
  faults?: TransformFaults | undefined
  /** Where the sources may lie. */
  disk?: OnDisk
}

/** What there is to judge a script by. */
export interface ScriptEvidence {
  map: MapFile
  script: ScriptFile
  /** Of the map's sources. */
  names: readonly string[]
  /** For each source whether it is the app's own. */
  isOwn: readonly boolean[]
  samples: Sample[]
  /** What became of the samples but for those that stand in a text. */
  observations: Observation[]
  /** How many samples there were with them. */
  tried: number
  coverage: Coverage
  /** Of the app's own sources. */
  places: readonly Place[]
  /** Sources with hardly any mappings. */
  sparse: ReadonlySet<number>
  /** Lines that a transform moved, as far as the map leads to them; undefined where no transform is known to have. */
  astray: MovedLines | undefined
  /** Sources whose text in the map is that of another file, and the source of that. */
  swapped: ReadonlyMap<number, number>
  /** Mappings into templates that lead behind the end of their line. */
  templateLines: TemplateLines
}

/**
 * Goes over the mappings once.
 * @throws SourceMapFlaw when the mappings cannot be decoded.
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
  // A bundler knows what became of each line.
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
  const tried = observed.length
  return {
    ...{ map, script, names, isOwn, samples, observations, tried, coverage, places, sparse, templateLines },
    astray: astray?.found,
    swapped: onDisk?.swapped ?? new Map(),
  }
}

/** With data there is nothing to compare, nor with packages whose lines are off. */
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

/** Calls that a compiler appended to a source: the source has no such line. */
function forgetAppended(observations: readonly Observation[], script: ScriptFile): void {
  for (const item of observations) {
    if (item.finding !== 'outside') continue
    const begin = script.offsetOf(item.sample.line, item.sample.column - item.distance)
    if (isAppendedCall(script.latin1(Math.max(0, begin - CALL_BYTES), begin + CALL_BYTES)))
      item.finding = 'not-comparable'
  }
}

/** What leads to one position in a compiler's helper: Babel maps all of it to the comment that a source begins with; of one that swc inlined, a mapping amid the line leads from all. */
function forgetHelpers(observations: readonly Observation[], script: ScriptFile): void {
  const inHelpers = observations.filter((item) => isInHelper(item, script))
  if (inHelpers.length === 0) return
  // Begins of mappings by the position that they lead to, and by the line that they are on: whole lines that are mapped as one are a coarse map.
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
  // Behind a map's end one mapping leads from all that is left.
  if ((finding !== 'different' && finding !== 'later') || distance > HELPER_BYTES) return false
  const offset = script.offsetOf(line, column)
  const begin = Math.max(script.lineStarts[line] as number, offset - HELPER_BYTES)
  return helperAt(script.latin1(begin, offset + HELPER_AHEAD)) !== -1
}

/** Without the samples that stand in a text: they look like code, and are data. */
function withoutData(
  script: ScriptFile,
  observations: readonly Observation[],
  unmapped: readonly Stretch[],
): Observation[] {
  const isData = dataIn(script, unmapped)
  // Of the mapping that the last one falls on: more may.
  let known = { line: -1, begin: -1, start: 0, text: '' }
  return observations.filter(({ sample: { line, column }, distance, source }) => {
    if (source === -1) return !isData(line, column)
    if (distance < FAR) return true
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

/** Whether a position in one of the stretches is in a text, a comment or a module that is nobody's here, in whichever way the stretch can be read. */
function dataIn(script: ScriptFile, stretches: readonly Stretch[]): (line: number, column: number) => boolean {
  // Of the stretch that was asked of last: positions come in their order.
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
