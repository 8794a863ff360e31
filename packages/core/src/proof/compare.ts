import { isInWord } from '../formats/javascript/characters.ts'
import { type ContentCursor, endsLine, isEscaped, lineEnd } from '../formats/source-map/content-cursor.ts'
import type { MapFile } from './map-file.ts'
import { eachOriginal } from './observe.ts'
import { TextsWithMaps } from './own-maps.ts'
import type { Place } from './own-sources.ts'
import { SourceTexts } from './source-texts.ts'
import { LEAD, LINE_BEFORE, ONLY_LINES, TEMPLATE_LINES, TOKEN_BEFORE, TOKEN_LATER, TOKEN_SOON } from './thresholds.ts'
import type { Token } from './tokens.ts'
import { hasTemplate, isEndOfBigInt, listenerOf, MARKED_UP } from './tools/index.ts'

/**
 * How a position's word compares with the original text:
 * - `exact`: the same word; `line`: the word is at another column of that line.
 * - `later`: the word is on one of the next lines, because the mapping is coarse.
 * - `absent`: the word is missing. `outside`: the source has no such line or column.
 * - `unknown`: the map does not contain the source's text.
 */
export type Agreement = 'exact' | 'line' | 'later' | 'absent' | 'outside' | 'unknown'

const LOOSE: ReadonlySet<Agreement> = new Set(['line', 'later', 'absent', 'outside'])
const PROPERTIES: ReadonlySet<Token['kind']> = new Set(['property', 'key'])
/** Other characters that may begin a name, a string or an element. */
const BEGINS: ReadonlySet<string> = new Set("#@'`<")
/**
 * Text before a key, in raw JSON. Bundlers map the key that they add to a shorthand property to the end of the
 * preceding text. For an enum member, whose value often equals its name, this includes the brackets of a computed key.
 */
const BEFORE_KEY = /^(?:[{,\s]|\\[rnt])*(?:\[(?:[\w$]+\.)+)?([\w$]+)/

/**
 * Compares positions with the text of their sources, reading each source once.
 * @param names of the sources.
 * @returns an agreement per position.
 */
export function compareAll(map: MapFile, places: readonly Place[], names: readonly string[]): Agreement[] {
  const agreements = new Array<Agreement>(places.length).fill('unknown')
  const isByLine = hasOnlyLines(places)
  const texts = new SourceTexts(map)
  const withMaps = new TextsWithMaps(map)
  const components = new Set([...names.keys()].filter((source) => MARKED_UP.test(names[source] as string)))
  const take = (index: number, cursor: ContentCursor | undefined): void => {
    const place = places[index] as Place
    if (withMaps.has(place.source)) return
    if (place.kind === 'inside') {
      agreements[index] = cursor && endsSameWord(cursor, place) ? 'unknown' : 'absent'
      return
    }
    const isTemplate = components.has(place.source)
    const agreement = cursor ? compareOne(cursor, place, { isByLine, isTemplate }) : 'outside'
    // In a coarse map, a throw or call may be far from its line.
    if (!place.isSite || (agreement !== 'absent' && agreement !== 'later')) agreements[index] = agreement
    else agreements[index] = isInSource(texts, place) ? 'later' : 'absent'
  }
  eachOriginal(map, places, take)
  forgetWritten(places, agreements, texts)
  forgetTemplates(places, agreements, { texts, names })
  forgetLists(places, agreements, components)
  return agreements
}

/**
 * Ignores sources that contain only strings, without throws and calls. They are data, and minifiers give them one
 * mapping.
 */
function forgetLists(places: readonly Place[], agreements: Agreement[], components: ReadonlySet<number>): void {
  const code = new Set<number>()
  for (const { isSite, kind, source } of places) if (isSite && kind !== 'text') code.add(source)
  for (let index = 0; index < places.length; index++) {
    const { isSite, source } = places[index] as Place
    if (isSite && !code.has(source) && !components.has(source)) agreements[index] = 'unknown'
  }
}

/**
 * Ignores code generated from templates. Compilers map it to the element or to nearby lines, so it shows nothing about
 * a map.
 */
function forgetTemplates(
  places: readonly Place[],
  agreements: Agreement[],
  { texts, names }: { texts: SourceTexts; names: readonly string[] },
): void {
  const templates = new Map<number, ReturnType<SourceTexts['templateOf']>>()
  for (let index = 0; index < places.length; index++) {
    const { source, originalLine } = places[index] as Place
    const agreement = agreements[index] as Agreement
    if (!LOOSE.has(agreement) || !hasTemplate(names[source] ?? '')) continue
    if (!templates.has(source)) templates.set(source, texts.templateOf(source))
    const template = templates.get(source)
    if (template && originalLine >= template.from && originalLine <= template.to)
      agreements[index] = agreement === 'line' ? 'exact' : 'unknown'
  }
}

/**
 * Whether a source contains the word of a throw or call anywhere.
 * A method needs a dot before it in the source, too. Otherwise a compiler generated the call from a plain name, such as
 * a prop's, without mapping it. A string may have been generated from an element's name or from a key, such as a class
 * in a list.
 */
function isInSource(texts: SourceTexts, { source, kind, word }: Place): boolean {
  // Sources in a map are JSON strings.
  const made = [`<${word}`, `'${word}':`, `\\"${word}\\":`]
  if (kind === 'text' && made.some((it) => texts.has(source, it))) return false
  return texts.count(source, { kind, word: kind === 'property' ? `.${word}` : word }) > 0
}

/**
 * Ignores compiler-generated throws and calls: every occurrence of their word in the source belongs to another
 * position.
 */
function forgetWritten(places: readonly Place[], agreements: Agreement[], texts: SourceTexts): void {
  if (!agreements.includes('later')) return
  const sites = [...places.keys()].filter((index) => (places[index] as Place).isSite)
  const exact = new Map<string, number>()
  const keyOf = ({ source, word }: Place) => `${source} ${word}`
  for (const index of sites) {
    const key = keyOf(places[index] as Place)
    if (agreements[index] === 'exact') exact.set(key, (exact.get(key) ?? 0) + 1)
  }
  for (const index of sites) {
    if (agreements[index] !== 'later') continue
    const place = places[index] as Place
    const found = exact.get(keyOf(place)) ?? 0
    if (found > 0 && found >= texts.count(place.source, place)) agreements[index] = 'absent'
  }
}

/** Whether the map has lines but no columns, so that a word may be anywhere on its line. */
function hasOnlyLines(places: readonly Place[]): boolean {
  const atBegin = places.filter(({ originalColumn }) => originalColumn === 0).length
  return places.length > 0 && atBegin >= ONLY_LINES * places.length
}

function compareOne(
  cursor: ContentCursor,
  { kind, word, key, originalColumn }: Place,
  { isByLine, isTemplate }: { isByLine: boolean; isTemplate: boolean },
): Agreement {
  if (isByLine && kind === 'name') return 'unknown'
  cursor.toColumn(originalColumn - LINE_BEFORE)
  // Most words are exactly where they should be, so read only this much first.
  const place = cursor.around(originalColumn, TOKEN_BEFORE, LEAD + word.length)
  if (!place) return 'outside'
  const { text: near, at: lead } = place
  if (key !== undefined && endsAt(near, lead, key)) return 'exact'
  if (kind === 'name') return isBehindWord(near, lead) ? 'absent' : beginsName(near, lead, originalColumn === 0)
  const behind = near.indexOf(word, lead)
  if (behind !== -1 && behind < lineEnd(near, lead)) return 'exact'
  if (PROPERTIES.has(kind) && endsAt(near, lead, word)) return 'exact'
  if (kind !== 'key' && isAhead(cursor, originalColumn, word)) return isByLine ? 'exact' : 'line'
  const { text = '' } = cursor.around(originalColumn, TOKEN_BEFORE, TOKEN_LATER) ?? {}
  if (kind === 'key' && (BEFORE_KEY.exec(text.slice(lead))?.[1] ?? '') === word) return 'exact'
  const listener = kind === 'key' ? listenerOf(word) : undefined
  if (listener !== undefined && text.startsWith(listener, lead)) return 'exact'
  const found = text.indexOf(word, lead)
  const end = lineEnd(text, lead)
  if (found !== -1 && found < end) return isByLine ? 'exact' : 'line'
  if (isTemplate && kind === 'text' && found !== -1 && newlinesIn(text, lead, found) <= TEMPLATE_LINES) return 'line'
  const onLine = cursor.around(originalColumn, LINE_BEFORE, 0)
  if (onLine?.text.includes(word) || text.lastIndexOf(word, lead) !== -1) return 'line'
  return found === -1 ? 'absent' : 'later'
}

/** Whether a word follows soon after a column on the same line. This is usual if a whole statement has one mapping. */
function isAhead(cursor: ContentCursor, column: number, word: string): boolean {
  const { text, at } = cursor.around(column, 0, TOKEN_SOON) ?? { text: '', at: 0 }
  const found = text.indexOf(word, at)
  return found !== -1 && found < lineEnd(text, at)
}

/**
 * Whether a word or its string literal ends at an index. Minifiers map the name of a shorthand property, and of
 * `a["b"]`, to its end.
 */
function endsAt(near: string, index: number, word: string): boolean {
  const quotes = /(?:\\?["'`])?$/.exec(near.slice(0, index))?.[0].length ?? 0
  return near.endsWith(word, index - quotes)
}

/**
 * Whether a mapping from inside a word leads into a word with the same ending. Some compilers map each character of a
 * script.
 */
function endsSameWord(cursor: ContentCursor, { word, originalColumn }: Place): boolean {
  cursor.toColumn(originalColumn - LINE_BEFORE)
  const { text, at } = cursor.around(originalColumn, TOKEN_BEFORE, word.length + 1) ?? { text: '', at: 0 }
  if (isEndOfBigInt(word, text.slice(0, at))) return true
  return text.startsWith(word, at) && isBehindWord(text, at) && !isInWord(text.charCodeAt(at + word.length))
}

/** Whether the character before an index is a letter, but not part of an escape such as `\t`. */
function isBehindWord(near: string, at: number): boolean {
  return at > 0 && isInWord(near.charCodeAt(at - 1)) && !isEscaped(near, at - 1)
}

/**
 * Whether a name begins here: a variable, a string (in raw JSON, its double quote is `\"`), or an element of a
 * template. At a line's end, an element may end whose generated code is unknown. An unchanged module may be mapped by
 * statement to the line's start, so text before the indent is unknown, too.
 */
function beginsName(near: string, at: number, isByStatement: boolean): Agreement {
  if (endsLine(near, at)) return 'unknown'
  if (isByStatement && (near.startsWith(' ', at) || near.startsWith('\\t', at))) return 'unknown'
  const begins =
    isInWord(near.charCodeAt(at)) ||
    BEGINS.has(near.charAt(at)) ||
    near.charCodeAt(at) > 0x7f ||
    near.startsWith('\\"', at)
  return begins ? 'exact' : 'absent'
}

function newlinesIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = lineEnd(text, from); at < to; at = lineEnd(text, at + 2)) count++
  return count
}
