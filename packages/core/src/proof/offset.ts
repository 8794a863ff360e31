import { lineAt, lineStartsOf } from '../line-starts.ts'
import type { MapDocument } from './map-document.ts'
import { MappingWalk } from './mappings.ts'

/** How far the code stands from where its map says: what was put before it after the map was made. */
export interface Offset {
  lines: number
  /** Only where `lines` is 0, and only on the first line. */
  columns: number
}

/** Words of the sources that are looked for in the generated file. */
const WORDS = 200
/** Only the beginning of a large file is searched. */
const MOST_MAPPINGS = 200_000
const SEARCHED = 2 * 1024 * 1024
/** A word that stands in the file more often tells nothing. */
const MOST_OCCURRENCES = 20
/** Shorter ones are rarely alone. */
const WORD = /^[A-Za-z_$][\w$]{4,60}/
/** Enough that chance does not bring so many words to agree. */
const LEAST_VOTES = 5

/**
 * Finds out how far a file was shifted after its map was made: takes words of the sources, looks where they stand in the file, and
 * lets each place vote for the offset from where the map says. Costs two walks of the mappings and some searching; it is for files
 * that were found not to agree.
 * @returns undefined when there is no such offset, or it is none.
 */
export function findOffset(map: MapDocument, script: string, lineStarts: readonly number[]): Offset | undefined {
  const layer = map.layers[0]
  if (!layer || map.layers.length > 1) return undefined
  let mappings = 0
  for (const counted = new MappingWalk(layer.mappings); mappings < MOST_MAPPINGS && counted.next(); ) mappings++
  const beginning = script.slice(0, SEARCHED)
  const texts = new Map<number, number[]>()
  const votes = new Map<string, Offset & { count: number }>()
  const seen = new Set<string>()
  const step = Math.max(1, Math.floor(mappings / (WORDS * 20)))
  const walk = new MappingWalk(layer.mappings)
  for (let index = 0; seen.size < WORDS && walk.next(); index++) {
    if (index % step !== 0) continue
    const { line, column, source, originalLine, originalColumn } = walk
    const text = layer.contents[source]
    if (text === undefined) continue
    const starts = texts.get(source) ?? lineStartsOf(text)
    texts.set(source, starts)
    const start = starts[originalLine]
    if (start === undefined) continue
    const word = WORD.exec(text.slice(start + originalColumn, start + originalColumn + 64))?.[0]
    if (word === undefined || seen.has(word)) continue
    seen.add(word)
    for (const place of placesOf(word, beginning, lineStarts)) {
      const lines = place.line - line
      const columns = place.column - column
      // A line that was pushed down keeps its columns; only the first can be pushed to the right.
      if (lines !== 0 ? columns !== 0 : line !== 0 && columns !== 0) continue
      const key = `${lines}:${columns}`
      const vote = votes.get(key)
      if (vote) vote.count++
      else votes.set(key, { lines, columns, count: 1 })
    }
  }
  let best: (Offset & { count: number }) | undefined
  for (const vote of votes.values()) if (vote.count > (best?.count ?? 0)) best = vote
  if (!best || best.count < LEAST_VOTES || (best.lines === 0 && best.columns === 0)) return undefined
  return { lines: best.lines, columns: best.columns }
}

function placesOf(word: string, script: string, lineStarts: readonly number[]): { line: number; column: number }[] {
  const places: { line: number; column: number }[] = []
  for (let at = script.indexOf(word); at !== -1; at = script.indexOf(word, at + word.length)) {
    if (places.length === MOST_OCCURRENCES) return []
    const line = lineAt(at, lineStarts)
    places.push({ line, column: at - (lineStarts[line] as number) })
  }
  return places
}
