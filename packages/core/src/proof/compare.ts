import { isInWord } from '../formats/javascript/characters.ts'
import { eachOriginal, type SourceLine } from './originals.ts'
import { textsWithMaps } from './own-maps.ts'
import type { Place } from './places.ts'
import type { SourceTexts } from './source-texts.ts'
import { LEAD, LINE_BEFORE, ONLY_LINES, TEMPLATE_LINES, TOKEN_BEFORE, TOKEN_LATER } from './thresholds.ts'
import type { Token } from './tokens.ts'
import { hasTemplate, isEndOfBigInt, listenerOf, MARKED_UP } from './tools/index.ts'

/**
 * How the word at a position compares with the original text:
 * - `exact`: the word is at this position.
 * - `line`: the word is at another column on the same line.
 * - `later`: the word is on one of the next lines, because the mapping is coarse.
 * - `absent`: the source does not contain the word nearby.
 * - `outside`: the source does not have this line or column.
 * - `unknown`: nothing can be compared, for example because the map does not contain the text of the source.
 */
export type Agreement = 'exact' | 'line' | 'later' | 'absent' | 'outside' | 'unknown'

export function isOnLine(agreement: Agreement | undefined): boolean {
  return agreement === 'exact' || agreement === 'line'
}

const LOOSE: ReadonlySet<Agreement> = new Set(['line', 'later', 'absent', 'outside'])
const PROPERTIES: ReadonlySet<Token['kind']> = new Set(['property', 'key'])
/** Characters, other than letters and digits, that can begin a name, a string or an element. */
const BEGINS: ReadonlySet<string> = new Set('#@\'`<"')
const QUOTES: ReadonlySet<string> = new Set('\'`"')
/**
 * Matches the text between a position and a key. If a bundler expands a shorthand property, the new key is mapped to the end of the
 * preceding text. Computed keys such as `[Kind.total` also match, because the value of an enum member often equals its name.
 */
const BEFORE_KEY = /^[{,\s]*(?:\[(?:[\w$]+\.)+)?([\w$]+)/

/** Compares positions with the texts of their sources. Each source is read only once. */
export function compareAll(texts: SourceTexts, places: readonly Place[], names: readonly string[]): Agreement[] {
  const agreements = new Array<Agreement>(places.length).fill('unknown')
  const isByLine = hasOnlyLines(places)
  const withMaps = textsWithMaps(texts.map, new Set(places.map(({ source }) => source)))
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
    // In a coarse map, a throw or call may be mapped to a distant line.
    if (!place.isSite || (agreement !== 'absent' && agreement !== 'later')) agreements[index] = agreement
    else agreements[index] = isInSource(texts, place) ? 'later' : 'absent'
  }
  eachOriginal(texts, places, take)
  forgetWritten(places, agreements, texts)
  forgetTemplates(places, agreements, { texts, names })
  forgetLists(places, agreements, components)
  return agreements
}

/**
 * Ignores sources that contain strings but no throws or calls. Such sources are data, and minifiers emit one mapping for each of their
 * strings.
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
 * Ignores code that was generated from templates. Compilers map generated code to the element or to nearby lines, so the code does not show
 * whether the map is right.
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
 * Returns whether a source contains the word of a throw or call. A method name must follow a dot, because a compiler may have generated the
 * call from a plain name, such as the name of a prop. Strings that may come from an element name or a key do not count.
 */
function isInSource(texts: SourceTexts, { source, kind, word }: Place): boolean {
  const made = [`<${word}`, `'${word}':`, `"${word}":`]
  if (kind === 'text' && made.some((it) => texts.has(source, it))) return false
  return texts.count(source, { kind, word: kind === 'property' ? `.${word}` : word }) > 0
}

/**
 * Ignores throws and calls that a compiler generated. A throw or call was generated if every occurrence of its word in the source belongs
 * to another position.
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

/** Returns whether the map contains lines but no columns. In a map without columns, a word can be anywhere on its line. */
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
  // On the same line, the word may also start before the position.
  if (text.slice(Math.max(start, at - LINE_BEFORE), Math.min(end, at + word.length)).includes(word)) return 'line'
  return found === -1 ? 'absent' : 'later'
}

/**
 * Returns whether a word, or the string literal that contains it, ends at an index. Minifiers map some words to their end: the name of a
 * shorthand property, and the `b` in `a["b"]`.
 */
function endsAt(text: string, index: number, word: string): boolean {
  return text.endsWith(word, QUOTES.has(text.charAt(index - 1)) ? index - 1 : index)
}

/**
 * Returns whether the rest of a word is the same at the mapped position. Some compilers map each character of a script, so a mapping may
 * point into a word.
 */
function endsSameWord({ text, start, end }: SourceLine, { word, originalColumn }: Place): boolean {
  const at = start + originalColumn
  if (at > end) return false
  if (isEndOfBigInt(word, text.slice(Math.max(start, at - TOKEN_BEFORE), at))) return true
  const isInside = originalColumn > 0 && isInWord(text.charCodeAt(at - 1))
  return isInside && text.startsWith(word, at) && !isInWord(text.charCodeAt(at + word.length))
}

/**
 * Returns whether a variable, a string or a template element starts at an index. The result is `unknown` at the end of a line, where a
 * template element may end. It is also `unknown` before the indentation, because bundlers may map the statements of an unchanged module to
 * the start of the line.
 */
function beginsName(text: string, at: number, { start, end }: Pick<SourceLine, 'start' | 'end'>): Agreement {
  const first = text.charAt(at)
  if (at === end || (at === start && (first === ' ' || first === '\t'))) return 'unknown'
  return isInWord(text.charCodeAt(at)) || BEGINS.has(first) || first > '\x7f' ? 'exact' : 'absent'
}

function linesIn(text: string): number {
  return text.split('\n').length - 1
}
