import { withoutLiterals } from '../formats/javascript/code.ts'
import { SEGMENT } from '../formats/source-map/mapping-decoder.ts'
import { walkMappings } from '../formats/source-map/walk.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { Stretch, Tail } from './coverage.ts'
import type { MapFile } from './map-file.ts'
import { findOffset, offsetProblem } from './offset.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import type { ScriptFile } from './script-file.ts'
import type { SourceTexts } from './source-texts.ts'
import { codesOf, textBehindForeignCode, textOf } from './stretch-text.ts'
import {
  COARSE,
  HELPER_BYTES,
  MAX_ARGUMENT,
  MAX_LINES,
  MAX_SITE_TEXT,
  MAX_TEXTS,
  MAX_UNSEEN,
  MIN_COARSE,
  MIN_KNOWN,
  MIN_OTHERS_WORDS,
  MIN_REST,
  MIN_SITES,
  MIN_UNKNOWN,
} from './thresholds.ts'
import {
  EXPORTS,
  EXPORTS_AT_END,
  isHelperText,
  isLibraryCode,
  MARKS,
  obfuscatedSites,
  PROSE,
  piecesIn,
} from './tools/index.ts'
import { decoded, isInComment, sitesIn, THROWN, type UnmappedSite } from './unmapped-sites.ts'
import { codeOfUnmappedSources } from './unmapped-sources.ts'

export interface Shortfall {
  /** The number of positions in unmapped code, which are counted in addition to the compared positions. */
  positions: number
  /** The number of unmapped positions. 0 if the map belongs to another script. */
  unmapped: number
  problems: Problem[]
}

/** Matches compiled JSON files. */
const DATA = /\bJSON\.parse\(["'`]/g
const blank = (text: string) => ' '.repeat(text.length)
/** Matches the comments that tools append to a script. */
const LAST_COMMENT = /\n?\/\/[#@] ?source[\s\S]*$/

interface Gap {
  stretch: Stretch
  sites: number
  /** Set if all throws and calls may belong to a nearby helper. */
  inDoubt?: SiteTexts
}

interface SiteTexts {
  sites: number
  texts: string[]
}

/**
 * Finds throws and calls in unmapped code, because they can appear in stacks.
 * @param coarse the sources that were already reported because they have too few mappings.
 * @param foreign code after the last mapping of a source that belongs to another source.
 */
export function findShortfall(
  file: string,
  { texts, script, coverage, isOwn, names }: Pick<ScriptEvidence, 'texts' | 'script' | 'coverage' | 'isOwn' | 'names'>,
  coarse: ReadonlySet<number>,
  foreign: ReadonlySet<Tail> = new Set(),
): Shortfall {
  if (coverage.isBeyond) {
    const message = t`The source map refers to lines or columns that do not exist in the script.`
    const shift = findOffset(texts, script)
    const found = shift ? offsetProblem(file, shift) : problem('map-stale', message, { file })
    return { positions: 1, unmapped: 0, problems: [found] }
  }
  const own = [...isOwn.keys()].filter((source) => isOwn[source])
  const unseen = own.filter((source) => !coverage.seen.has(source)).slice(0, MAX_UNSEEN)
  const found = [
    ...coverage.unmapped.map(
      (stretch) => lostThrow(script, stretch, { isOwn, unseen }, texts) ?? gapWithoutSource(script, stretch),
    ),
    ...coverage.tails.map((tail) => {
      if (foreign.has(tail)) return { stretch: tail, sites: codeIn(script, tail, textOf(script, tail)).sites.length }
      const mayEnd = isOwn[tail.source] && !coarse.has(tail.source)
      return (mayEnd && gapOfRest({ script, names }, tail, texts)) || gapOfForeignCode(script, tail, texts)
    }),
  ]
  const known = texts.wordsIn(own, new Set(found.flatMap(({ inDoubt }) => inDoubt?.texts ?? [])))
  const gaps = found
    .map(({ stretch, sites, inDoubt }) => ({
      stretch,
      sites: inDoubt && isByApp(inDoubt, known) ? inDoubt.sites : sites,
    }))
    .filter(({ sites }) => sites > 0)
  if (gaps.length === 0) gaps.push(...codeOfUnmappedSources({ script, texts, coverage, isOwn }))
  gaps.sort((a, b) => a.stretch.line - b.stretch.line || a.stretch.column - b.stretch.column)
  const [first] = gaps
  if (!first) return { positions: 0, unmapped: 0, problems: [] }
  const positions = gaps.reduce((sum, { sites }) => sum + sites, 0)
  const shift = findOffset(texts, script)
  if (shift) return { positions, unmapped: 0, problems: [offsetProblem(file, shift)] }
  const hasFewLines = coverage.count < script.lineStarts.length && positions >= MIN_OTHERS_WORDS
  const hasOnlyLines = coverage.unmapped.length === 0 && (coverage.count === 1 || hasFewLines)
  const isCoarse = hasOnlyLines || positions >= Math.max(MIN_COARSE, COARSE * coverage.count)
  if (coverage.count > 0 && isCoarse) {
    const message = t`The source map contains too few mappings (${coverage.count}) to resolve ${positions} positions.`
    return { positions, unmapped: 0, problems: [problem('map-low-resolution', message, { file })] }
  }
  const { line, column } = first.stretch
  const [row, at] = [line + 1, column + 1]
  const message =
    positions === 1
      ? t`The code that starts at line ${row}, column ${at} is not mapped to a source.`
      : t`${positions} positions are not mapped to a source. The first unmapped code starts at line ${row}, column ${at}.`
  return { positions, unmapped: positions, problems: [problem('map-incomplete', message, { file })] }
}

function isByApp({ texts }: SiteTexts, known: ReadonlySet<string>): boolean {
  return texts.length >= MIN_UNKNOWN || texts.filter((text) => known.has(text)).length >= MIN_KNOWN
}

/**
 * Finds unmapped errors from an app source. The error must be within the code of that source, and the source must contain the error
 * message. Sources without any mappings in the script are also examined.
 */
function lostThrow(
  script: ScriptFile,
  stretch: Stretch,
  { isOwn, unseen }: { isOwn: readonly boolean[]; unseen: readonly number[] },
  texts: SourceTexts,
): Gap | undefined {
  const { within, column, before } = stretch
  // Code at the start of a line may be within an earlier comment, so it is not assumed to belong to the source.
  const isAmid = within !== undefined && isOwn[within] && (column > 0 || before)
  const sources = isAmid ? [within, ...unseen] : unseen
  if (sources.length === 0) return undefined
  const text = textOf(script, stretch)
  const thrown = [...text.matchAll(THROWN)]
  if (thrown.length === 0) return undefined
  const { readings } = codesOf(script, stretch, text)
  const lost = thrown.filter(({ 0: piece, 1: word = '', index }) => {
    // The error must be outside comments and strings in every possible interpretation of the code. A comment may start before the part that
    // was read.
    if (isInComment(text, index) || readings.some((code) => code[index] !== piece[0])) return false
    const isThere = (source: number) => {
      const count = texts.count(source, { kind: 'text', word: decoded(word) })
      return count > 0 && count !== Number.POSITIVE_INFINITY
    }
    return !isHelperText(piece) && sources.some(isThere)
  })
  return lost.length === 0 ? undefined : { stretch, sites: lost.length }
}

function gapWithoutSource(script: ScriptFile, stretch: Stretch): Gap {
  const text = textOf(script, stretch)
  if (isLibraryCode(text)) return { stretch, sites: 0 }
  const obfuscated = obfuscatedSites(text)
  if (obfuscated > 0) return { stretch, sites: obfuscated }
  const code = codeIn(script, stretch, text)
  // Most stretches contain so little code that the code before them need not be read.
  const { sites, siteTexts } = code.siteTexts
    ? codeIn(script, stretch, textBehindForeignCode(script, stretch, text))
    : code
  if (sites.length >= MIN_SITES) return { stretch, sites: sites.length }
  return { stretch, sites: 0, ...(siteTexts && { inDoubt: siteTexts }) }
}

/** Matches names and strings that minifiers do not change. Keywords are excluded because they occur in every source. */
export const WORD =
  /(?<![\w$])(?!(?:async|await|break|case|catch|class|const|continue|default|delete|else|export|extends|false|finally|function|import|instanceof|null|return|static|super|switch|this|throw|true|typeof|undefined|void|while|with|yield)(?![\w$]))[A-Za-z_$][\w$]{3,}/g

/**
 * Finds code after the script's last mapping that comes from the unmapped rest of the source. If such code exists, the map ends too early.
 */
function gapOfRest(
  { script, names }: Pick<ScriptEvidence, 'script' | 'names'>,
  tail: Tail,
  texts: SourceTexts,
): Gap | undefined {
  if (tail.originalLine === undefined) return undefined
  const code = textOf(script, tail).replace(LAST_COMMENT, '').replace(EXPORTS_AT_END, '')
  const text = PROSE.test(names[tail.source] ?? '')
    ? withoutLiterals(code)
    : withoutForeignTexts(code, (begin) => texts.has(tail.source, begin))
  const words = new Set(text.match(WORD))
  const { source, originalLine } = tail
  if (texts.onlyBehind(source, originalLine, words).length < MIN_REST) return undefined
  // A compiler may move code, such as static fields, to the end of the script. Later source lines that are mapped elsewhere are therefore
  // not counted as missing.
  const rest = texts.onlyBehind(source, originalLine, words, linesBehind(texts.map, source, originalLine))
  return rest.length < MIN_REST ? undefined : { stretch: tail, sites: rest.length }
}

/**
 * The first pattern matches literals that were replaced with spaces. The second pattern matches characters that serializers do not escape.
 */
const [LITERAL, PLAIN] = [/(["'`])( {8,})\1/g, /[\w :;,.=+*-]{8,16}/]

/** Removes strings that do not occur in the source. Style sheets may contain the same class and element names as the code. */
function withoutForeignTexts(code: string, isInSource: (begin: string) => boolean): string {
  let [text, end] = ['', 0]
  for (const { 0: all, 2: spaces = '', index } of withoutLiterals(code).matchAll(LITERAL)) {
    const [begin] = PLAIN.exec(code.slice(index + 1, index + 1 + spaces.length)) ?? []
    if (begin === undefined || isInSource(begin)) continue
    text += code.slice(end, index) + blank(all)
    end = index + all.length
  }
  return text + code.slice(end)
}

function linesBehind({ bytes, layout }: MapFile, source: number, line: number): Set<number> {
  const lines = new Set<number>()
  walkMappings(bytes, layout, (segments, count) => {
    for (let at = 0; at < count * SEGMENT; at += SEGMENT) {
      const original = segments[at + 3] as number
      if (segments[at + 2] === source && original > line && original < MAX_LINES) lines.add(original)
    }
    return true
  })
  return lines
}

/** Finds code that follows the last mapping of a source but does not belong to that source. */
function gapOfForeignCode(script: ScriptFile, tail: Tail, texts: SourceTexts): Gap {
  const text = textOf(script, tail)
  if (isLibraryCode(text)) return { stretch: tail, sites: 0 }
  const obfuscated = obfuscatedSites(text)
  if (obfuscated > 0 && !texts.has(tail.source, 'parseInt')) return { stretch: tail, sites: obfuscated }
  const { sites, siteTexts } = codeIn(script, tail, text)
  const others = sites.filter(({ word }) => !texts.has(tail.source, word))
  if (new Set(others.map(({ word }) => word)).size >= MIN_OTHERS_WORDS) return { stretch: tail, sites: others.length }
  const inDoubt = siteTexts && { ...siteTexts, texts: siteTexts.texts.filter((text) => !texts.has(tail.source, text)) }
  return { stretch: tail, sites: 0, ...(inDoubt && { inDoubt }) }
}

/**
 * A quick test for throws and calls, which may also match in strings and comments. Most stretches contain no match and are not examined
 * further.
 */
const SITE_LIKE = /\bthrow\b|\.[A-Za-z_$][\w$]{3,}\s*[(/]/g

/**
 * Finds throws and calls in a stretch, except those near a bundler's helpers. Also returns their strings if the stretch contains enough
 * throws and calls.
 */
function codeIn(script: ScriptFile, stretch: Stretch, text: string): { sites: UnmappedSite[]; siteTexts?: SiteTexts } {
  if ((text.match(SITE_LIKE)?.length ?? 0) < MIN_SITES) return { sites: [] }
  const { codes } = codesOf(script, stretch, text)
  const pieces = piecesIn(text)
  const isInPiece = (offset: number) => pieces.some(({ from, to }) => offset >= from && offset < to)
  const named = (code: string) => sitesIn(code.replace(DATA, blank)).filter(({ offset }) => !isInPiece(offset))
  const most = <T>(readings: T[], sitesOf: (reading: T) => UnmappedSite[]): T =>
    readings.reduce((best, one) => (sitesOf(one).length > sitesOf(best).length ? one : best))
  const all = most(
    codes.map((code) => ({ code, sites: named(code) })),
    ({ sites }) => sites,
  )
  if (all.sites.length < MIN_SITES) return { sites: [] }
  const found = codes.map((code) => named(code.replace(EXPORTS, blank)))
  const helpers = [...text.matchAll(MARKS)].map(({ index }) => index)
  const others = found.map((sites) =>
    sites.filter(({ offset }) => !helpers.some((helper) => Math.abs(helper - offset) < HELPER_BYTES)),
  )
  return {
    sites: most(others, (sites) => sites),
    siteTexts: { sites: all.sites.length, texts: siteTextsIn(text, all) },
  }
}

/**
 * Matches the start of a string that contains a space or a non-ASCII character. The match contains only characters that serializers do not
 * escape. Each character of the text is one byte.
 */
const SITE_TEXT = /["'`](?=[\w$:;,.=+*-]*[ \x80-\xff])([\w $:;,.=+*\x80-\xff-]{10,16})/

function siteTextsIn(text: string, { code, sites }: { code: string; sites: readonly UnmappedSite[] }): string[] {
  const texts = sites.flatMap(({ offset }) => {
    const piece = text.slice(offset, offset + MAX_ARGUMENT + MAX_SITE_TEXT)
    const match = SITE_TEXT.exec(piece)
    if (!match || match.index > MAX_ARGUMENT || isHelperText(piece)) return []
    const { 1: content = '', index } = match
    const isText = code.slice(offset + index + 1, offset + index + 1 + content.length).trim() === ''
    return isText ? [decoded(content)] : []
  })
  return [...new Set(texts)].slice(0, MAX_TEXTS)
}
