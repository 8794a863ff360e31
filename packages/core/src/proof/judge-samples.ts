import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { MapFile } from './map-file.ts'
import { type Observation, observe } from './observe.ts'
import { findOffset, type Offset } from './offset.ts'
import type { Sample } from './samples.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import type { ScriptFile } from './script-file.ts'
import { AGREES, COARSE, EXPLAINED, MAX_HELPER_SITES, MIN_COMPARED, RUN, RUN_AGREES } from './thresholds.ts'

/** Samples of a script and their results. Without `isOwn`, all sources belong to the app. */
type Evidence = Pick<ScriptEvidence, 'map' | 'script' | 'samples' | 'observations'> &
  Partial<Pick<ScriptEvidence, 'isOwn'>>

/** The result of the samples for a whole script. */
export interface SampleVerdict {
  positions: number
  resolved: number
  /** Whether the map contains the text of the app's own sources for most samples. */
  hasText: boolean
  problems: Problem[]
}

/** Judges a script, including libraries, by positions spread over it. */
export function judgeSamples(file: string, evidence: Evidence): SampleVerdict {
  const { observations } = evidence
  const mapped = observations.filter(({ finding }) => finding !== 'unmapped')
  const sites = observations.filter(({ sample }) => sample.word !== undefined)
  const unmapped = sites.filter(({ finding }) => finding === 'unmapped').length
  const leadsSomewhere = mapped.filter(({ finding }) => finding !== 'outside' && finding !== 'without-content').length
  const compared = sites.filter(isCompared)
  const agreement = agreementOf(compared)

  // If the map has only the names of sources, nothing can be compared. All files get the same sentence, so it is shown
  // once.
  const textless = mapped.filter(({ finding }) => finding === 'without-content').length
  const tried = mapped.length - textless
  // Polyfills may be most of a script, and some compilers omit their text.
  const own = mapped.filter(({ source }) => evidence.isOwn?.[source] ?? true)
  const judged = own.length > 0 ? own : mapped
  const lacking = judged.filter(({ finding }) => finding === 'without-content').length
  const hasText = lacking * 2 < judged.length || lacking === 0
  const problems: Problem[] = []
  if (textless > 0) {
    const of = hasText ? t`some of its sources` : t`its sources`
    problems.push(problem('sources-without-content', t`The map does not contain the text of ${of}.`, { file }))
  }
  const mostlyUnmapped = sites.length >= MIN_COMPARED && unmapped * 2 > sites.length
  const disagrees = compared.length >= MIN_COMPARED && agreement < AGREES
  const offset = mostlyUnmapped || disagrees ? confirmedOffset(evidence) : undefined
  const isIncomplete =
    mostlyUnmapped && (unmapped >= MAX_HELPER_SITES || mapped.length === 0) && evidence.map.layout.sourceCount > 0
  if (!offset && !isIncomplete && !disagrees) {
    const broken = changeInTheMiddle(compared)
    if (broken) {
      const { line, column } = broken.from
      const message = t`Up to line ${line + 1}, column ${column + 1} the code matches the map. After that, ${broken.different} of ${broken.of} names are at other positions.`
      problems.push(problem('map-stale', message, { file }))
      return { hasText, positions: tried, resolved: tried - broken.different, problems }
    }
    const gap = runWithoutSource(sites)
    if (gap) {
      const message = t`From line ${gap.line + 1}, column ${gap.column + 1} on ${gap.length} positions in a row have no source in the map.`
      problems.push(problem('map-incomplete', message, { file }))
      return { hasText, positions: tried + gap.length, resolved: leadsSomewhere, problems }
    }
    const shift = shiftOfFirstLine(evidence, compared)
    if (shift) {
      problems.push(offsetProblem(file, shift))
      return {
        hasText,
        positions: tried,
        resolved: leadsSomewhere - compared.filter(isInSource).length,
        problems,
      }
    }
    const outside = tried - leadsSomewhere
    if (outside > 0) {
      const message = t`${outside} of ${tried} positions point to lines that their sources do not have.`
      problems.push(problem('map-stale', message, { file }))
    }
    return { hasText, positions: tried, resolved: leadsSomewhere, problems }
  }
  const right = compared.filter(({ finding }) => finding === 'same').length
  const verdict = { hasText, positions: observations.length, resolved: right, problems }
  if (offset) problems.push(offsetProblem(file, offset))
  else if (isIncomplete) {
    const message = t`${unmapped} of ${sites.length} positions have no source in the map.`
    problems.push(problem('map-incomplete', message, { file }))
  } else if (isCoarse(compared)) {
    const message = t`${compared.length} positions share ${distinctMappings(compared)} mappings: each mapping covers whole lines.`
    problems.push(problem('map-low-resolution', message, { file }))
  } else {
    const message = t`${right} of ${compared.length} compared names are at the position in the map.`
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

/** A run of mismatching words in an otherwise matching file. */
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

/** The first run of unmapped sites that is longer than a bundler's helpers. */
function runWithoutSource(sites: readonly Observation[]) {
  let start = 0
  for (let at = 0; at <= sites.length; at++) {
    if (sites[at]?.finding === 'unmapped') continue
    if (at - start >= MAX_HELPER_SITES) return { ...(sites[start] as Observation).sample, length: at - start }
    start = at + 1
  }
  return undefined
}

/** The offset of a whole script, if words of its sources agree on one. */
export function confirmedShift(map: MapFile, script: ScriptFile): Offset | undefined {
  const offset = findOffset(map, script)
  return offset?.isFromStart ? offset : undefined
}

/** The offset that explains the mismatches, if any. */
function confirmedOffset({ map, script, samples }: Evidence): Offset | undefined {
  const offset = findOffset(map, script)
  if (!offset) return undefined
  const { kept, moved } = shifted(samples, offset)
  const compared = observe(map, kept, { at: moved }).filter(isCompared)
  return compared.length >= MIN_COMPARED && agreementOf(compared) >= AGREES ? offset : undefined
}

/**
 * Detects a few characters prepended to a minified file. Most positions still have a mapping on the same line, so only
 * the distance to it reveals the shift.
 */
function shiftOfFirstLine({ map, script, samples }: Evidence, compared: readonly Observation[]): Offset | undefined {
  const first = compared.filter(({ sample }) => sample.line === 0)
  const displaced = first.filter(({ distance }) => distance > 0)
  if (first.length < MIN_COMPARED || displaced.length * 2 < first.length) return undefined
  const exact = (observations: readonly Observation[]) =>
    observations.filter(({ sample, distance, isExact }) => sample.line === 0 && isExact && distance === 0).length
  // Nearly every script has so many matching words that no offset could explain more.
  const needed = EXPLAINED * Math.max(1, exact(first))
  if (needed >= samples.filter(({ line, word }) => line === 0 && word !== undefined).length) return undefined
  const offset = findOffset(map, script)
  if (offset?.lines !== 0) return undefined
  const { kept, moved } = shifted(samples, offset)
  return exact(observe(map, kept, { at: moved })) > needed ? offset : undefined
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

export function offsetProblem(file: string, { lines, columns, isFromStart }: Offset): Problem {
  const far = Math.abs(lines === 0 ? columns : lines)
  const by = lines === 0 ? t`${far} column${far === 1 ? '' : 's'}` : t`${far} line${far === 1 ? '' : 's'}`
  const way = lines !== 0 ? (lines > 0 ? t`down` : t`up`) : columns > 0 ? t`right` : t`left`
  if (!isFromStart)
    return problem('map-stale', t`Part of the code is ${by} further ${way} than its map expects.`, { file })
  const cause = lines + columns > 0 ? t`something was prepended` : t`something before it was removed`
  return problem(
    'map-offset',
    t`The code is ${by} further ${way} than its map expects: ${cause} after the map was generated.`,
    {
      file,
    },
  )
}
