import { isInWord } from '../formats/javascript/characters.ts'
import { eachOriginal, type SourceLine } from './originals.ts'
import { TextsWithMaps } from './own-maps.ts'
import type { Place } from './own-sources.ts'
import type { SourceTexts } from './source-texts.ts'
import { LEAD, LINE_BEFORE, ONLY_LINES, TEMPLATE_LINES, TOKEN_BEFORE, TOKEN_LATER } from './thresholds.ts'
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

export function isOnLine(agreement: Agreement | undefined): boolean {
  return agreement === 'exact' || agreement === 'line'
}

const LOOSE: ReadonlySet<Agreement> = new Set(['line', 'later', 'absent', 'outside'])
const PROPERTIES: ReadonlySet<Token['kind']> = new Set(['property', 'key'])
/** Other characters that may begin a name, a string or an element. */
const BEGINS: ReadonlySet<string> = new Set('#@\'`<"')
const QUOTES: ReadonlySet<string> = new Set('\'`"')
/**
 * Text before a key. Bundlers map a key they add to a shorthand property to the end of the text before it. For an enum's
 * member, whose value often equals its name, it includes the brackets of a computed key.
 */
const BEFORE_KEY = /^[{,\s]*(?:\[(?:[\w$]+\.)+)?([\w$]+)/

/**
 * Compares positions with the text of their sources, reading each source once.
 * @param names of the sources.
 * @returns an agreement per position.
 */
export function compareAll(texts: SourceTexts, places: readonly Place[], names: readonly string[]): Agreement[] {
  const agreements = new Array<Agreement>(places.length).fill('unknown')
  const isByLine = hasOnlyLines(places)
  const withMaps = new TextsWithMaps(texts.map)
  const components = new Set([...names.keys()].filter((source) => MARKED_UP.test(names[source] as string)))
  const take = (index: number, line: SourceLine | undefined): void => {
    const place = places[index] as Place
    if (withMaps.has(place.source)) return
    if (place.kind === 'inside') {
      agreements[index] = line && endsSameWord(line, place) ? 'unknown' : 'absent'
      return
    }
    const isTemplate = components.has(place.source)
    const agreement = line ? compareOne(line, place, { isByLine, isTemplate }) : 'outside'
    // In a coarse map, a throw or call may be far from its line.
    if (!place.isSite || (agreement !== 'absent' && agreement !== 'later')) agreements[index] = agreement
    else agreements[index] = isInSource(texts, place) ? 'later' : 'absent'
  }
  eachOriginal(texts, places, take)
  forgetWritten(places, agreements, texts)
  forgetTemplates(places, agreements, { texts, names })
  forgetLists(places, agreements, components)
  return agreements
}

/** Ignores sources that contain only strings, without throws and calls. They are data, and minifiers emit one mapping for each. */
function forgetLists(places: readonly Place[], agreements: Agreement[], components: ReadonlySet<number>): void {
  const code = new Set<number>()
  for (const { isSite, kind, source } of places) if (isSite && kind !== 'text') code.add(source)
  for (let index = 0; index < places.length; index++) {
    const { isSite, source } = places[index] as Place
    if (isSite && !code.has(source) && !components.has(source)) agreements[index] = 'unknown'
  }
}

/** Ignores code generated from templates. Compilers map it to the element or to nearby lines, so it shows nothing about a map. */
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
 * Whether a source contains the word of a throw or call anywhere. A method needs a dot before it in the source, too. Otherwise a compiler
 * generated the call from a plain name, such as a prop's, without mapping it. A string may have been generated from an element's name or
 * from a key, such as a class in a list.
 */
function isInSource(texts: SourceTexts, { source, kind, word }: Place): boolean {
  const made = [`<${word}`, `'${word}':`, `"${word}":`]
  if (kind === 'text' && made.some((it) => texts.has(source, it))) return false
  return texts.count(source, { kind, word: kind === 'property' ? `.${word}` : word }) > 0
}

/** Ignores compiler-generated throws and calls: every occurrence of their word in the source belongs to another position. */
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
  { text, start, end }: SourceLine,
  { kind, word, key, originalColumn }: Place,
  { isByLine, isTemplate }: { isByLine: boolean; isTemplate: boolean },
): Agreement {
  if (isByLine && kind === 'name') return 'unknown'
  const at = start + originalColumn
  if (at > end) return 'outside'
  if (key !== undefined && endsAt(text, at, key)) return 'exact'
  if (kind === 'name')
    return originalColumn > 0 && isInWord(text.charCodeAt(at - 1)) ? 'absent' : beginsName(text, at, { start, end })
  const ahead = text.slice(at, at + TOKEN_LATER)
  const found = ahead.indexOf(word)
  const isOnLine = found !== -1 && found < end - at
  if ((isOnLine && found <= LEAD) || (PROPERTIES.has(kind) && endsAt(text, at, word))) return 'exact'
  if (kind === 'key' && BEFORE_KEY.exec(ahead)?.[1] === word) return 'exact'
  const listener = kind === 'key' ? listenerOf(word) : undefined
  if (listener !== undefined && ahead.startsWith(listener)) return 'exact'
  if (isOnLine) return isByLine ? 'exact' : 'line'
  if (isTemplate && kind === 'text' && found !== -1 && linesIn(ahead.slice(0, found)) <= TEMPLATE_LINES) return 'line'
  // The word may also precede the position on its line, or overlap the position.
  if (text.slice(Math.max(start, at - LINE_BEFORE), Math.min(end, at + word.length)).includes(word)) return 'line'
  return found === -1 ? 'absent' : 'later'
}

/**
 * Whether a word or its string literal ends at an index. Minifiers map the name of a shorthand property, and the name in `a["b"]`, to its
 * end.
 */
function endsAt(text: string, index: number, word: string): boolean {
  return text.endsWith(word, QUOTES.has(text.charAt(index - 1)) ? index - 1 : index)
}

/** Whether a mapping from inside a word points into a word with the same ending. Some compilers map each character of a script. */
function endsSameWord({ text, start, end }: SourceLine, { word, originalColumn }: Place): boolean {
  const at = start + originalColumn
  if (at > end) return false
  if (isEndOfBigInt(word, text.slice(Math.max(start, at - TOKEN_BEFORE), at))) return true
  const isInside = originalColumn > 0 && isInWord(text.charCodeAt(at - 1))
  return isInside && text.startsWith(word, at) && !isInWord(text.charCodeAt(at + word.length))
}

/**
 * Whether a name begins at an index: a variable, a text, or an element of a template. A position at the end of a line may be the end of an
 * element, whose generated code is unknown. For an unchanged module, bundlers may map each statement to the start of its line, so positions
 * before the indentation are unknown, too.
 */
function beginsName(text: string, at: number, { start, end }: Pick<SourceLine, 'start' | 'end'>): Agreement {
  const first = text.charAt(at)
  if (at === end || (at === start && (first === ' ' || first === '\t'))) return 'unknown'
  return isInWord(text.charCodeAt(at)) || BEGINS.has(first) || first > '\x7f' ? 'exact' : 'absent'
}

function linesIn(text: string): number {
  return text.split('\n').length - 1
}
