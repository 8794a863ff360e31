import { ContentCursor, isEscaped, lineEnd } from '../formats/source-map/content-cursor.ts'
import { type GeneratedPosition, type Hit, PositionFinder } from '../formats/source-map/look-up.ts'
import type { TakeSegments } from '../formats/source-map/mapping-decoder.ts'
import { readableContentOf } from '../formats/source-map/text.ts'
import { walkMappings } from '../formats/source-map/walk.ts'
import { WordsAt } from '../formats/source-map/words-at.ts'
import type { MapFile } from './map-file.ts'
import { TextsWithMaps } from './own-maps.ts'
import type { Sample } from './samples.ts'

/**
 * What became of a sample:
 * - `unmapped`: no source for it.
 * - `without-content`: a source, but its text is not in the map.
 * - `not-comparable`: a source of which the map holds another text than its positions are made for.
 * - `outside`: a line that the source does not have.
 * - `same`: the sample's word stands on the original line, from the original position on (or the sample has no word to compare).
 * - `later`: the word stands on one of the next lines: the mapping is that coarse.
 * - `different`: the word is not there.
 */
type Finding = 'unmapped' | 'without-content' | 'not-comparable' | 'outside' | 'same' | 'later' | 'different'

export interface Observation {
  sample: Sample
  finding: Finding
  /** The word stands just where the mapping leads, not only near it. */
  isExact: boolean
  /** Characters of generated code between the mapping's begin and the sample; 0 when unmapped. */
  distance: number
  /** Number of the source that it leads to, and the position in it; -1 when unmapped. */
  source: number
  originalLine: number
  originalColumn: number
}

const NOWHERE = { source: -1, originalLine: -1, originalColumn: -1 }
/** Some tools map a call to the start of its expression, or to its dot: the word may stand a little before the position. */
const BEFORE = 40
/** How far a coarse mapping may be off before the text there is another one; in bytes. */
const LATER = 4000
/** So far most words are. */
const SOON = 300

/**
 * Resolves samples, in ascending order, through a map and compares them with the sources in it. One walk over the mappings; of the sources only the lines up to the last
 * position are looked at, as bytes.
 * @param options.at where the samples stand in the file that the map was made for. @param options.also is given the mappings too.
 * @throws SourceMapFlaw when the mappings cannot be decoded.
 */
export function observe(
  { bytes, layout }: MapFile,
  samples: readonly Sample[],
  { at = samples, also }: { at?: readonly GeneratedPosition[]; also?: TakeSegments } = {},
): Observation[] {
  const finder = new PositionFinder(at)
  let wantsMore = true
  const flaw = walkMappings(bytes, layout, (segments, count, isOrdered) => {
    if (also && wantsMore) wantsMore = also(segments, count, isOrdered) !== false
    return finder.take(segments, count, isOrdered)
  })
  if (flaw) throw flaw
  const hits = finder.hits()
  const observations = samples.map((sample, index): Observation => {
    const hit = hits[index]
    if (!hit || hit.source < 0) return { sample, finding: 'unmapped', isExact: false, distance: 0, ...NOWHERE }
    const { source, originalLine, originalColumn } = hit
    const distance = (at[index] as GeneratedPosition).column - hit.column
    return { sample, finding: 'without-content', isExact: false, distance, source, originalLine, originalColumn }
  })
  const withMaps = new TextsWithMaps({ bytes, layout })
  const wordOf = (index: number): string | undefined => {
    const { sample, source } = observations[index] as Observation
    return withMaps.has(source) ? undefined : sample.word
  }
  const isThere = (index: number): void => {
    const observation = observations[index] as Observation
    observation.isExact = true
    observation.finding = 'same'
  }
  const take = (index: number, cursor: ContentCursor | undefined): void => {
    const observation = observations[index] as Observation
    if (withMaps.has(observation.source)) {
      observation.finding = 'not-comparable'
      return
    }
    const finding = compare(cursor, (hits[index] as Hit).originalColumn, observation.sample)
    observation.isExact = finding === 'exact'
    observation.finding = finding === 'exact' ? 'same' : finding
  }
  eachOriginal({ bytes, layout }, hits, take, { wordOf, isThere })
  return observations
}

/** Where something leads. */
type Original = Pick<Hit, 'source' | 'originalLine' | 'originalColumn'>

/**
 * Goes to the original lines of hits, source by source, so that each source is looked at once.
 * @param take is given the index of each hit whose source has a text, with a cursor on its line, not behind its column, or undefined when there is no such line. The
 * cursor is used again for the next: it may be moved up to the column.
 * @param words what must stand there, and who is told that it does, as most does: then nothing more is done for it. Default: nobody knows.
 */
export function eachOriginal(
  { bytes, layout }: MapFile,
  hits: readonly (Original | undefined)[],
  take: (index: number, cursor: ContentCursor | undefined) => void,
  words?: { wordOf(index: number): string | undefined; isThere(index: number): void },
): void {
  const order = inOrder(hits)
  const wordsAt = new WordsAt()
  for (let begin = 0, end = 0; begin < order.length; begin = end) {
    const { source } = hits[order[begin] as number] as Original
    for (; end < order.length; end++) {
      const index = order[end] as number
      const hit = hits[index] as Original
      if (hit.source !== source) break
      if (words && !wordsAt.add(hit.originalLine, hit.originalColumn, words.wordOf(index))) break
    }
    const range = readableContentOf(bytes, layout, source)
    const found = words && wordsAt.find(bytes, range)
    if (!range) continue
    let lines: ContentCursor | undefined
    let hasLine = true
    for (let nth = begin; nth < end; nth++) {
      const index = order[nth] as number
      const there = found?.[nth - begin]
      if (there?.isThere) {
        words?.isThere(index)
        continue
      }
      lines ??= new ContentCursor(bytes, range)
      const { originalLine } = hits[index] as Original
      if (there && there.lineBegin > 0) lines.jump(originalLine, there.lineBegin)
      hasLine &&= lines.toLine(originalLine)
      take(index, hasLine ? lines : undefined)
    }
  }
}

/** Indexes of hits, source by source and each in the order of its lines. Most come so already, and are not sorted. */
function inOrder(hits: readonly (Original | undefined)[]): number[] {
  const order: number[] = []
  let isSorted = true
  let before: Original | undefined
  for (let index = 0; index < hits.length; index++) {
    const hit = hits[index]
    if (!hit || hit.source < 0) continue
    if (before && isSorted) isSorted = compareOriginals(before, hit) <= 0
    before = hit
    order.push(index)
  }
  return isSorted ? order : order.sort((a, b) => compareOriginals(hits[a] as Original, hits[b] as Original))
}

function compareOriginals(a: Original, b: Original): number {
  return a.source - b.source || a.originalLine - b.originalLine || a.originalColumn - b.originalColumn
}

function compare(cursor: ContentCursor | undefined, column: number, { word }: Sample): Finding | 'exact' {
  if (!cursor) return 'outside'
  if (word === undefined) return 'same'
  cursor.toColumn(column - BEFORE)
  const near = cursor.around(column, BEFORE, word.length)
  if (near?.text.startsWith(word, near.at)) return 'exact'
  for (const length of [SOON, LATER]) {
    const text = cursor.ahead(length).toString('latin1')
    const found = indexOfWord(text, word)
    if (found !== -1) return lineEnd(text, near?.at ?? lineEnd(text, 0)) < found ? 'later' : 'same'
  }
  return 'different'
}

/** Words have no characters that JSON escapes; the letter of an escape before one is no part of it. */
function indexOfWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) if (!isEscaped(text, at)) return at
  return -1
}
