import { ContentCursor, isEscaped, lineEnd } from '../formats/source-map/content-cursor.ts'
import { type GeneratedPosition, type Hit, PositionFinder } from '../formats/source-map/look-up.ts'
import type { TakeSegments } from '../formats/source-map/mapping-decoder.ts'
import { readableContentOf } from '../formats/source-map/text.ts'
import { walkMappings } from '../formats/source-map/walk.ts'
import type { MapFile } from './map-file.ts'
import { TextsWithMaps } from './own-maps.ts'
import type { Sample } from './samples.ts'
import { lineEndsOf } from './source-line-ends.ts'
import { SAMPLE_BEFORE, SAMPLE_LATER, SAMPLE_SOON } from './thresholds.ts'

/**
 * The result of a sample:
 * - `unmapped`: the position has no source.
 * - `without-content`: the map does not contain its source's text.
 * - `not-comparable`: the map's text of the source is not the text that its positions refer to.
 * - `outside`: the source has no such line.
 * - `same`: the word is on the original line, at or after the original position, or the sample has no word.
 * - `later`: the word is on one of the next lines, because the mapping is coarse.
 * - `different`: the word is missing.
 */
type Finding = 'unmapped' | 'without-content' | 'not-comparable' | 'outside' | 'same' | 'later' | 'different'

export interface Observation {
  sample: Sample
  finding: Finding
  /** The word is exactly at the mapped position, not only near it. */
  isExact: boolean
  /** Number of generated characters from the start of the mapping to the sample; 0 if unmapped. */
  distance: number
  /** Number of its source, and the position in it; -1 if unmapped. */
  source: number
  originalLine: number
  originalColumn: number
}

const NOWHERE = { source: -1, originalLine: -1, originalColumn: -1 }

/**
 * Resolves sorted samples with a map and compares them with its sources. Walks over the mappings once, and reads source
 * lines as bytes, up to the last position.
 * @param options.at positions of the samples in the file that the map was made for.
 * @param options.also also receives the mappings.
 * @throws SourceMapFlaw if the mappings cannot be decoded.
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
  eachOriginal({ bytes, layout }, hits, take)
  return observations
}

/** An original position. */
type Original = Pick<Hit, 'source' | 'originalLine' | 'originalColumn'>

/**
 * Visits the original lines of hits, source by source, so that each source is read once.
 * @param take receives the index of each hit whose source has text, and a cursor on its line at or before its column,
 *   or undefined if the line does not exist. The cursor is reused and may be moved up to the column.
 */
export function eachOriginal(
  { bytes, layout }: MapFile,
  hits: readonly (Original | undefined)[],
  take: (index: number, cursor: ContentCursor | undefined) => void,
): void {
  let source = -1
  let lines: ContentCursor | undefined
  let hasLine = true
  const order = inOrder(hits)
  for (const [nth, index] of order.entries()) {
    const hit = hits[index] as Original
    if (hit.source !== source) {
      source = hit.source
      const range = readableContentOf(bytes, layout, source)
      const originals = () => hitsFrom(nth, order, hits)
      lines = range && new ContentCursor(bytes, range, lineEndsOf(bytes, range, originals))
      hasLine = true
    }
    if (!lines) continue
    hasLine &&= lines.toLine(hit.originalLine)
    take(index, hasLine ? lines : undefined)
  }
}

/** The hits of one source, starting with its first hit in the order. */
function* hitsFrom(nth: number, order: readonly number[], hits: readonly (Original | undefined)[]): Iterable<Original> {
  const { source } = hits[order[nth] as number] as Original
  for (let at = nth; at < order.length; at++) {
    const hit = hits[order[at] as number] as Original
    if (hit.source !== source) return
    yield hit
  }
}

/** Indexes of hits by source and line. Most hits are already in that order and need no sorting. */
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
  cursor.toColumn(column - SAMPLE_BEFORE)
  const near = cursor.around(column, SAMPLE_BEFORE, word.length)
  if (near?.text.startsWith(word, near.at)) return 'exact'
  for (const length of [SAMPLE_SOON, SAMPLE_LATER]) {
    const text = cursor.ahead(length).toString('latin1')
    const found = indexOfWord(text, word)
    if (found !== -1) return lineEnd(text, near?.at ?? lineEnd(text, 0)) < found ? 'later' : 'same'
  }
  return 'different'
}

/** Words contain no characters that JSON escapes. The letter of a preceding escape is not part of a word. */
function indexOfWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) if (!isEscaped(text, at)) return at
  return -1
}
