import { type ContentCursor, isEscaped, isNewline } from '../formats/source-map/content-cursor.ts'
import type { MapFile } from './map-file.ts'
import { originals } from './observe.ts'
import { TextsWithMaps } from './own-maps.ts'
import type { Place } from './own-sources.ts'
import { SourceTexts } from './source-texts.ts'
import type { Token } from './tokens.ts'

/**
 * What stands where a place leads:
 * - `exact`: the same word; `line`: it stands elsewhere on that line.
 * - `later`: on one of the next lines: the mapping is that coarse.
 * - `absent`: not there. `outside`: the source has no such line or column.
 * - `unknown`: the source's text is not in the map.
 */
export type Agreement = 'exact' | 'line' | 'later' | 'absent' | 'outside' | 'unknown'

/** Characters before the position that belong to it: tools map to the dot, or to the expression's begin. */
const BEFORE = 60
const LATER = 1500
/** Share of mappings to a line's first column from which a map has no columns. */
const ONLY_LINES = 0.9
/** Lines that a template's text may stand behind the mapping of its element, as Svelte has it. */
const TEMPLATE_LINES = 5
const BACKSLASH = 0x5c
/** What may stand between a mapping's begin and the word: a dot, a bracket, a quote. */
const LEAD = 4

const PROPERTIES: ReadonlySet<Token['kind']> = new Set(['property', 'key'])
/** What may stand before a key that bundlers add to a shorthand property, which lead to the end of what is before it; as it is in JSON. */
const BEFORE_KEY = /^(?:[{,\s]|\\[rnt])*([\w$]+)/

/** Compares places with the text of their sources, each source read once. @returns an agreement for each place. */
export function compareAll(map: MapFile, places: readonly Place[]): Agreement[] {
  const agreements = new Array<Agreement>(places.length).fill('unknown')
  const isByLine = hasOnlyLines(places)
  const texts = new SourceTexts(map)
  const withMaps = new TextsWithMaps(map)
  for (const [index, cursor] of originals(map, places)) {
    const place = places[index] as Place
    if (withMaps.has(place.source)) continue
    if (place.kind === 'inside') {
      agreements[index] = 'absent'
      continue
    }
    const agreement = cursor ? compareOne(cursor, place, isByLine) : 'outside'
    // A site of a coarse map leads far away from its line.
    if (!place.isSite || (agreement !== 'absent' && agreement !== 'later')) agreements[index] = agreement
    else agreements[index] = texts.count(place.source, asWritten(place)) > 0 ? 'later' : 'absent'
  }
  forgetWritten(places, agreements, texts)
  return agreements
}

/** A method has a dot before it in its source too, or a compiler made it of a plain name: Svelte and Vue do of props, and map no such call. */
function asWritten(place: Place): Token {
  return place.kind === 'property' ? { kind: 'property', word: `.${place.word}` } : place
}

/** A throw or call is a compiler's own when each place of its source that has its word is another's. */
function forgetWritten(places: readonly Place[], agreements: Agreement[], texts: SourceTexts): void {
  const sites = [...places.keys()].filter((index) => (places[index] as Place).isSite)
  const later = sites.filter((index) => agreements[index] === 'later')
  if (later.length === 0) return
  const exact = new Map<string, number>()
  const keyOf = ({ source, word }: Place) => `${source} ${word}`
  for (const index of sites) {
    const key = keyOf(places[index] as Place)
    if (agreements[index] === 'exact') exact.set(key, (exact.get(key) ?? 0) + 1)
  }
  for (const index of later) {
    const place = places[index] as Place
    const found = exact.get(keyOf(place)) ?? 0
    if (found > 0 && found >= texts.count(place.source, place)) agreements[index] = 'absent'
  }
}

/** Whether the map leads to lines, not to columns: then a word may stand anywhere on its line. */
function hasOnlyLines(places: readonly Place[]): boolean {
  const atBegin = places.filter(({ originalColumn }) => originalColumn === 0).length
  return places.length > 0 && atBegin >= ONLY_LINES * places.length
}

function compareOne(cursor: ContentCursor, { kind, word, key, originalColumn }: Place, isByLine: boolean): Agreement {
  if (isByLine && kind === 'name') return 'unknown'
  cursor.toColumn(originalColumn - BEFORE)
  const place = cursor.copy()
  place.toColumn(originalColumn)
  if (place.column < originalColumn) return 'outside'
  const lead = place.offset - cursor.offset
  // Most words stand just where they should: no more than that is read first.
  const bytes = cursor.ahead(lead + LEAD + word.length)
  const near = bytes.toString('latin1')
  if (key !== undefined && endsAt(near, lead, key)) return 'exact'
  if (kind === 'name')
    return /[\w$#@"'`]|[^\0-\x7f]/.test(near[lead] ?? '') && !isBehindWord(near, bytes, lead) ? 'exact' : 'absent'
  if (near.includes(word, lead) || (PROPERTIES.has(kind) && endsAt(near, lead, word))) return 'exact'
  const ahead = cursor.ahead(lead + LATER)
  const text = ahead.toString('latin1')
  if (kind === 'key' && BEFORE_KEY.exec(text.slice(lead))?.[1] === word) return 'exact'
  const found = text.indexOf(word, lead)
  const end = lineEnd(ahead, lead)
  if (found !== -1 && found < end) return isByLine ? 'exact' : 'line'
  if (kind === 'text' && found !== -1 && newlinesIn(ahead, lead, found) <= TEMPLATE_LINES) return 'line'
  const before = text.lastIndexOf(word, lead)
  if (before !== -1) return 'line'
  return found === -1 ? 'absent' : 'later'
}

/** Whether a word, or the text that it is in, ends at an index: terser maps the name of a shorthand property, and that of `a["b"]`, to its end. */
function endsAt(near: string, index: number, word: string): boolean {
  const quotes = /(?:\\?["'`])?$/.exec(near.slice(0, index))?.[0].length ?? 0
  return near.endsWith(word, index - quotes)
}

/** Whether a letter stands before an index that is not that of an escape, such as a tab's. */
function isBehindWord(near: string, bytes: Buffer, at: number): boolean {
  return at > 0 && /[\w$]/.test(near[at - 1] as string) && !isEscaped(bytes, at - 1)
}

function newlinesIn(text: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = lineEnd(text, from); at < to; at = lineEnd(text, at + 2)) count++
  return count
}

/** Index behind the line's last byte. */
function lineEnd(text: Buffer, from: number): number {
  for (let at = text.indexOf(BACKSLASH, from); at !== -1; at = text.indexOf(BACKSLASH, at + 2))
    if (isNewline(text, at)) return at
  return text.length
}
