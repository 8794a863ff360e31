import { lineStartsOf } from '../line-starts.ts'
import { type Hit, lookUp, type MapDocument, type MapLayer } from './map-document.ts'
import type { GeneratedPosition } from './mappings.ts'
import type { Sample } from './samples.ts'

/**
 * What became of a sample:
 * - `unmapped`: no source for it.
 * - `without-content`: a source, but its text is not in the map.
 * - `outside`: a line that the source does not have.
 * - `same`: the sample's word stands on the original line, from the original position on (or the sample has no word to compare).
 * - `later`: the word stands on one of the next lines: the mapping is that coarse.
 * - `different`: the word is not there.
 */
type Finding = 'unmapped' | 'without-content' | 'outside' | 'same' | 'later' | 'different'

export interface Observation {
  sample: Sample
  finding: Finding
  /** Characters of generated code between the mapping's begin and the sample; 0 when unmapped. */
  distance: number
}

/** Some tools map a call to the begin of its expression, or to its dot: the word may stand a little before the position. */
const BEFORE = 40
/** How far a coarse mapping may be off before the text there is another one. */
const LATER = 4000

/** Resolves samples, in ascending order, through a map and compares them with the sources in it. */
export function observe(
  map: MapDocument,
  samples: readonly Sample[],
  at: readonly GeneratedPosition[] = samples,
): Observation[] {
  const texts = new SourceTexts()
  return lookUp(map, at).map((hit, index) => {
    const sample = samples[index] as Sample
    const position = at[index] as GeneratedPosition
    return { sample, finding: judge(sample, hit, texts), distance: hit ? position.column - hit.column : 0 }
  })
}

function judge({ word }: Sample, hit: Hit | undefined, texts: SourceTexts): Finding {
  if (!hit || hit.source < 0 || hit.source >= hit.layer.sources.length) return 'unmapped'
  const text = hit.layer.contents[hit.source]
  if (text === undefined) return 'without-content'
  const starts = texts.lineStarts(hit.layer, hit.source, text)
  const start = starts[hit.originalLine]
  if (start === undefined) return 'outside'
  if (word === undefined) return 'same'
  const mapped = start + hit.originalColumn
  const end = (starts[hit.originalLine + 1] ?? text.length + 1) - 1
  if (mapped < end && text.startsWith(word, mapped)) return 'same'
  const from = Math.max(start, mapped - BEFORE)
  const found = text.slice(from, from + LATER).indexOf(word)
  return found === -1 ? 'different' : from + found < end ? 'same' : 'later'
}

/** Line starts of the sources that were asked for, each found once. */
class SourceTexts {
  readonly #known = new Map<MapLayer, Map<number, number[]>>()

  lineStarts(layer: MapLayer, source: number, text: string): number[] {
    const ofLayer = this.#known.get(layer) ?? new Map<number, number[]>()
    this.#known.set(layer, ofLayer)
    const starts = ofLayer.get(source) ?? lineStartsOf(text)
    ofLayer.set(source, starts)
    return starts
  }
}
