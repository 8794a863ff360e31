import { lineAt, lineStartsOf } from '../files/line-starts.ts'
import { SEGMENT } from '../formats/source-map/mapping-decoder.ts'
import { walkMappings } from '../formats/source-map/walk.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { MapFile } from './map-file.ts'
import { eachOriginal, type Original } from './originals.ts'
import type { ScriptFile } from './script-file.ts'
import type { SourceTexts } from './source-texts.ts'
import {
  BY_CHANCE,
  CHANCE_SHARE,
  MAX_OCCURRENCES,
  MIN_VOTES,
  MOVED_SHARE,
  OFFSET_BYTES,
  OFFSET_MAPPINGS,
  OFFSET_WORDS,
} from './thresholds.ts'

/**
 * The distance between the actual position of the code and the position that the map expects. The positions differ if text was prepended
 * after the map was generated.
 */
export interface Offset {
  lines: number
  /** The column offset, which applies only to the first line and only if `lines` is 0. */
  columns: number
}

/** The minimum word length is 5, because shorter words are rarely unique. */
const WORD = /^[A-Za-z_$][\w$]{4,60}/

/**
 * Determines how far a file was shifted after its map was generated. Each occurrence of a source word votes for its distance from the
 * expected position. The search walks over the mappings twice and is therefore slow, so it is used only for files that do not match.
 * @returns undefined if no offset explains most of the words, or if some words match without an offset. In the latter case, the change is
 * further inside the file.
 */
export function findOffset(texts: SourceTexts, script: ScriptFile): Offset | undefined {
  if (texts.map.layout.layers.length > 1) return undefined
  const candidates = spreadSegments(texts.map)
  const beginning = script.bytes.read(0, OFFSET_BYTES).toString('utf8')
  const lineStarts = lineStartsOf(beginning)
  const words = wordsAt(texts, candidates)
  const votes = new Map<string, Vote>()
  /** The number of words at their expected position: in the whole file, and on the first line. */
  let [unmoved, unmovedFirst] = [0, 0]
  const seen = new Set<string>()
  let found = 0
  for (const [index, { line, column }] of candidates.entries()) {
    const word = words[index]
    if (word === undefined || seen.has(word) || seen.size === OFFSET_WORDS) continue
    seen.add(word)
    const occurrences = placesOf(word, beginning, lineStarts)
    if (occurrences.length > 0) found++
    for (const place of occurrences) {
      const lines = place.line - line
      const columns = place.column - column
      // Lines that were moved down keep their columns. Columns can change only on the first line.
      if (lines !== 0 ? columns !== 0 : line !== 0 && columns !== 0) continue
      if (lines === 0 && columns === 0) {
        unmoved++
        if (line === 0) unmovedFirst++
      }
      const key = `${lines}:${columns}`
      const vote = votes.get(key)
      if (vote) vote.count++
      else votes.set(key, { lines, columns, count: 1 })
    }
  }
  let best: Vote | undefined
  for (const vote of votes.values()) if (vote.count > (best?.count ?? 0)) best = vote
  if (!best || best.count < Math.max(MIN_VOTES, MOVED_SHARE * found) || (best.lines === 0 && best.columns === 0))
    return undefined
  const { lines, columns, count } = best
  const stayed = lines === 0 ? unmovedFirst : unmoved
  return stayed <= Math.max(BY_CHANCE, CHANCE_SHARE * count) ? { lines, columns } : undefined
}

type Vote = Offset & { count: number }

interface Candidate extends Original {
  line: number
  column: number
}

/** Returns a few thousand segments, spread evenly over the start of the map. */
function spreadSegments({ bytes, layout }: MapFile): Candidate[] {
  let mappings = 0
  walkMappings(bytes, layout, (_, count) => {
    mappings += count
    return mappings < OFFSET_MAPPINGS
  })
  const step = Math.max(1, Math.floor(Math.min(mappings, OFFSET_MAPPINGS) / (OFFSET_WORDS * 20)))
  const candidates: Candidate[] = []
  let before = 0
  walkMappings(bytes, layout, (segments, count) => {
    for (let index = (step - (before % step)) % step; index < count; index += step) {
      const at = index * SEGMENT
      const [line, column, source, originalLine, originalColumn] = segments.subarray(at, at + SEGMENT)
      candidates.push({ line, column, source, originalLine, originalColumn } as Candidate)
    }
    before += count
    return before < OFFSET_MAPPINGS
  })
  return candidates
}

function wordsAt(texts: SourceTexts, candidates: readonly Candidate[]): (string | undefined)[] {
  const words = new Array<string | undefined>(candidates.length)
  eachOriginal(texts, candidates, (index, line) => {
    const at = (line?.start ?? 0) + (candidates[index] as Candidate).originalColumn
    if (line) words[index] = WORD.exec(line.text.slice(at, Math.min(line.end, at + 64)))?.[0]
  })
  return words
}

function placesOf(word: string, script: string, lineStarts: readonly number[]): { line: number; column: number }[] {
  const places: { line: number; column: number }[] = []
  for (let at = script.indexOf(word); at !== -1; at = script.indexOf(word, at + word.length)) {
    if (places.length === MAX_OCCURRENCES) return []
    const line = lineAt(at, lineStarts)
    places.push({ line, column: at - (lineStarts[line] as number) })
  }
  return places
}

export function offsetProblem(file: string, { lines, columns }: Offset): Problem {
  return problem('map-offset', lines === 0 ? columnsMessage(columns) : linesMessage(lines), { file })
}

function linesMessage(lines: number): string {
  return lines > 0
    ? t`The line numbers in the script are ${lines} higher than in the source map because text was prepended after the map was generated.`
    : t`The line numbers in the script are ${-lines} lower than in the source map because text before the code was removed after the map was generated.`
}

function columnsMessage(columns: number): string {
  return columns > 0
    ? t`The column numbers in the script are ${columns} higher than in the source map because text was prepended after the map was generated.`
    : t`The column numbers in the script are ${-columns} lower than in the source map because text before the code was removed after the map was generated.`
}
