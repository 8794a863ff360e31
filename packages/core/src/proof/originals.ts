import { ContentCursor } from '../formats/source-map/content-cursor.ts'
import { readableContentOf } from '../formats/source-map/text.ts'
import type { MapFile } from './map-file.ts'
import { lineEndsOf } from './source-line-ends.ts'

/** An original position, 0-based. */
export interface Original {
  /** Number of the source; -1 if there is none. */
  source: number
  originalLine: number
  originalColumn: number
}

/**
 * Visits the original lines of hits, source by source, so that each source is read once.
 * @param take receives the index of each hit whose source has a text, with a cursor on its line at or before its column, or undefined if
 * the line does not exist. The cursor is reused and may be moved up to the column.
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

/** The hits of one source, from its first one in an order on. */
function* hitsFrom(nth: number, order: readonly number[], hits: readonly (Original | undefined)[]): Iterable<Original> {
  const { source } = hits[order[nth] as number] as Original
  for (let at = nth; at < order.length; at++) {
    const hit = hits[order[at] as number] as Original
    if (hit.source !== source) return
    yield hit
  }
}

/** Indexes of hits by source and line. Most are already in that order, and are not sorted again. */
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
