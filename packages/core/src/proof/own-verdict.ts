import type { Agreement } from './compare.ts'
import { LONG } from './coverage.ts'
import { type Elsewhere, findElsewhere, LINES_ELSEWHERE, leadsToSame } from './elsewhere.ts'
import type { Place } from './own-sources.ts'
import type { SourceCounts } from './source-counts.ts'
import { positionOf } from './template-lines.ts'
import type { MovedLines } from './transform-faults.ts'

/** What comes of the places of the app's own sources. */
export interface OwnVerdict {
  /** Places that were compared, and how many of them lead to their line. */
  places: number
  resolved: number
  /** The same of each source that has any. */
  sources: ReadonlyMap<number, SourceCounts>
  /** Of each source of which a transform is known to have moved lines: how many that the map leads to, and throws and calls that lead to another line than theirs. */
  strays: ReadonlyMap<number, number>
  /** Whether so many tokens are where the map says, and so few are not, that the script is certainly the map's: of all, or of the app's own. */
  isSure: boolean
  elsewhere?: Elsewhere | undefined
  /** Sources whose throws and calls lead to other lines, because mappings are few. */
  coarse: ReadonlySet<number>
}

/** Tokens, and the share of them that agree, from which a script is certainly the map's. */
const SURE = 40
const SURE_SHARE = 0.9
/** Share of a source's throws and calls on other lines from which it counts as coarse. */
const COARSE_SHARE = 0.2
/** Different words behind a source's last mapping from which they are the source's own. */
const MIN_BEHIND = 2
/** The same for all sources together. */
const COARSE_ALL = 0.15
const MIN_ALL = 8

/**
 * Judges the places of a script by what they were compared to.
 * @param isOwn for each source whether it is the app's own: only these are counted. The others tell too whether the map is the script's.
 * @param astray lines that a transform moved and gave no map for, as far as the map leads to them. Default: nobody knows of any.
 */
export function judgeOwn(
  places: readonly Place[],
  agreements: readonly Agreement[],
  isOwn: readonly boolean[],
  astray?: MovedLines,
): OwnVerdict {
  const judge = areOnLines(places, agreements) ? rightVerdict : weighed
  return judge(places, agreements, isOwn, astray)
}

function weighed(
  places: readonly Place[],
  agreements: readonly Agreement[],
  isOwn: readonly boolean[],
  astray: MovedLines | undefined,
): OwnVerdict {
  const order = generatedOrder(places)
  // By loops, as there are very many: of a filter for each V8 compiles the function that it is given.
  const [tokens, own, sites] = [[], [], []] as [number[], number[], number[]]
  const ours = { count: 0, exact: 0 }
  let exact = 0
  for (const index of order) {
    const agreement = agreements[index]
    if (agreement === 'unknown') continue
    const { isSite, source } = places[index] as Place
    if (!isSite) {
      tokens.push(index)
      if (agreement === 'exact') exact++
      if (isOwn[source]) {
        ours.count++
        if (agreement === 'exact') ours.exact++
      }
    }
    if (!isOwn[source]) continue
    own.push(index)
    if (isSite) sites.push(index)
  }
  const positions = inverseOf(order)
  // A site with a mapping of its own leads where the compiler wants it to: it was renamed, or inlined.
  const isKnownSite = (index: number) => {
    if (agreements[index] === 'absent') return false
    if (agreements[index] !== 'later' || (places[index] as Place).distance > 0) return true
    const at = positions[index] as number
    return [at - 2, at - 1, at + 1, at + 2].some((other) => {
      const near = places[order[other] ?? -1]
      if (!near || near.column === places[index]?.column || isObjectOf(near, places[index] as Place)) return false
      return leadsToSame(places, index, order[other])
    })
  }
  const elsewhere = findElsewhere(tokens, places, agreements, isOwn)
  const known = sites.filter(isKnownSite)
  const coarse = coarseOf(known, places, agreements)
  const lost = new Set(known.filter((index) => agreements[index] === 'later' && !places[index]?.isBehind))
  for (const index of misplacedNames(own, places, agreements)) lost.add(index)
  const compared: number[] = []
  const resolved: number[] = []
  for (const index of own) {
    const { kind, source } = places[index] as Place
    if (kind === 'name') continue
    const agreement = agreements[index]
    const isElsewhere = elsewhere?.sources.has(source) ?? false
    // What stands at no place of a source that is right was written by a compiler.
    if (!isOnLine(agreement) && !lost.has(index) && !coarse.has(source) && !isElsewhere) continue
    compared.push(index)
    // Where the code stands elsewhere, the same word may stand on the line by chance.
    if (isOnLine(agreement) && !(agreement === 'line' && isElsewhere)) resolved.push(index)
  }
  const sources = bySource(places, compared, new Set(resolved))
  return {
    places: [...sources.values()].reduce((sum, source) => sum + source.places, 0),
    resolved: resolved.length,
    sources,
    strays: astray ? straysOf(sites, places, agreements, { astray, isOwn }) : new Map(),
    isSure: !elsewhere && (isEnough(exact, tokens.length) || isEnough(ours.exact, ours.count)),
    ...(elsewhere && { elsewhere }),
    coarse,
  }
}

function isEnough(exact: number, tokens: number): boolean {
  return tokens >= SURE && exact >= SURE_SHARE * tokens
}

/** Whether all that can be compared stands on its line, and too few tokens of it elsewhere on the line to say anything. */
function areOnLines(places: readonly Place[], agreements: readonly Agreement[]): boolean {
  let lines = 0
  for (let index = 0; index < agreements.length; index++) {
    const agreement = agreements[index]
    if (agreement === 'line') lines += places[index]?.isSite ? 0 : 1
    else if (agreement !== 'exact' && agreement !== 'unknown') return false
  }
  return lines < LINES_ELSEWHERE
}

/** Of nearly every script: there is nothing to weigh. */
function rightVerdict(
  places: readonly Place[],
  agreements: readonly Agreement[],
  isOwn: readonly boolean[],
  astray: MovedLines | undefined,
): OwnVerdict {
  const sources = new Map<number, SourceCounts>()
  let [count, tokens, exact] = [0, 0, 0]
  for (let index = 0; index < places.length; index++) {
    const { isSite, kind, source } = places[index] as Place
    if (agreements[index] === 'unknown') continue
    if (!isSite) {
      tokens++
      if (agreements[index] === 'exact') exact++
    }
    if (kind === 'name' || !isOwn[source]) continue
    const found = sources.get(source) ?? { places: 0, resolved: 0, failed: [] }
    sources.set(source, found)
    found.places++
    found.resolved++
    count++
  }
  const strays = astray ? straysOf([], places, agreements, { astray, isOwn }) : new Map()
  return { places: count, resolved: count, sources, strays, isSure: isEnough(exact, tokens), coarse: new Set() }
}

function straysOf(
  sites: readonly number[],
  places: readonly Place[],
  agreements: readonly Agreement[],
  { astray, isOwn }: { astray: MovedLines; isOwn: readonly boolean[] },
): Map<number, number> {
  const strays = new Map<number, number>()
  const add = (source: number, count: number) => {
    if (count > 0) strays.set(source, (strays.get(source) ?? 0) + count)
  }
  for (const [source, lines] of astray) if (isOwn[source]) add(source, lines.size)
  for (const index of sites) {
    const { source } = places[index] as Place
    const isElsewhere = agreements[index] === 'later' || agreements[index] === 'outside'
    if (isElsewhere && astray.has(source)) add(source, 1)
  }
  return strays
}

function bySource(places: readonly Place[], compared: readonly number[], resolved: ReadonlySet<number>) {
  const counts = new Map<number, SourceCounts>()
  const seen = new Set<string>()
  for (const index of compared) {
    const { source, line, column, originalLine, originalColumn } = places[index] as Place
    const count = counts.get(source) ?? { places: 0, resolved: 0, failed: [] }
    counts.set(source, count)
    if (resolved.has(index)) count.resolved++
    else {
      // A call is a token, too.
      const key = `${line}:${column}`
      if (seen.has(key)) continue
      seen.add(key)
      count.failed.push(positionOf(originalLine, originalColumn))
    }
    count.places++
  }
  return counts
}

/** Methods and properties of the language, of which compilers' helpers are made. */
const OF_LANGUAGE: ReadonlySet<string> = new Set(
  [Array, Function, Map, Object, Promise, RegExp, Set, String].flatMap((type) => [
    ...Object.getOwnPropertyNames(type),
    ...Object.getOwnPropertyNames(type.prototype),
  ]),
)

/**
 * Names of properties that the map leads to another line, and others of the same name to their own: the app has the name, so what a compiler copied without a mapping of its own takes
 * the mapping before it (the checks of React's compiler whether a value changed).
 */
function misplacedNames(own: readonly number[], places: readonly Place[], agreements: readonly Agreement[]): number[] {
  const properties = own.filter((index) => {
    const { kind, word, isAssigned } = places[index] as Place
    return kind === 'property' && !isAssigned && !OF_LANGUAGE.has(word)
  })
  const keyOf = (index: number) => `${places[index]?.source} ${places[index]?.word}`
  const right = new Set(properties.filter((index) => agreements[index] === 'exact').map(keyOf))
  return properties.filter((index) => !isOnLine(agreements[index]) && right.has(keyOf(index)))
}

function isOnLine(agreement: Agreement | undefined): boolean {
  return agreement === 'exact' || agreement === 'line'
}

function coarseOf(sites: readonly number[], places: readonly Place[], agreements: readonly Agreement[]): Set<number> {
  const counts = new Map<number, { all: number; wrong: number; behind: Set<string>; far: Set<string> }>()
  let wrong = 0
  for (const index of sites) {
    const { source, word, isBehind, distance } = places[index] as Place
    const count = counts.get(source) ?? { all: 0, wrong: 0, behind: new Set(), far: new Set() }
    counts.set(source, count)
    count.all++
    if (agreements[index] !== 'later') continue
    count.wrong++
    wrong++
    count.behind.add(isBehind ? word : '')
    if (isBehind && distance > LONG) count.far.add(word)
  }
  const areAll = sites.length >= MIN_ALL && wrong >= COARSE_ALL * sites.length
  const coarse = [...counts].filter(([, { all, wrong, behind, far }]) => {
    // Its mappings end long before its code does.
    if (far.size >= MIN_BEHIND) return true
    // What stands behind a source's last mapping may be another's, of which one word is in the source by chance.
    if (!behind.has('') && behind.size < MIN_BEHIND) return false
    // A minifier that inlines a function of one call leaves one mapping of it.
    return areAll ? wrong > 0 : wrong > 1 && wrong >= COARSE_SHARE * all
  })
  return new Set(coarse.map(([source]) => source))
}

/** `n` of `n.render`: bundlers make both of the one name that was imported. */
function isObjectOf(object: Place, { line, column }: Place): boolean {
  return object.kind === 'name' && object.line === line && object.column + object.word.length + 1 === column
}

/** Where each index stands in an order. A loop of its own, so that V8 does not compile all around it. */
function inverseOf(order: readonly number[]): Int32Array {
  const positions = new Int32Array(order.length)
  for (let at = 0; at < order.length; at++) positions[order[at] as number] = at
  return positions
}

/** Indexes of places as they stand in the script. Those of one source come so; sources follow each other as they first appear, and few are cut. */
function generatedOrder(places: readonly Place[]): number[] {
  const order = [...places.keys()]
  const isBehind = (index: number, before: number) =>
    inGeneratedOrder(places[before] as Place, places[index] as Place) > 0
  if (!order.some((index) => index > 0 && isBehind(index, index - 1))) return order
  return order.sort((a, b) => inGeneratedOrder(places[a] as Place, places[b] as Place))
}

function inGeneratedOrder(a: Place, b: Place): number {
  return a.line - b.line || a.column - b.column
}
