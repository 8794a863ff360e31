import { type Agreement, isOnLine } from './compare.ts'
import { findMismatch, leadsToSame, type Mismatch } from './mismatch.ts'
import { misplacedNames } from './misplaced-names.ts'
import type { Place } from './places.ts'
import { positionOf, type SourceCounts } from './source-counts.ts'
import { COARSE_ALL, COARSE_SHARE, LONG, MIN_ALL, MIN_BEHIND } from './thresholds.ts'
import type { MovedLines } from './transform-faults.ts'

export interface OwnVerdict {
  /** The number of compared positions, and how many of them resolve to the correct line. */
  places: number
  resolved: number
  sources: ReadonlyMap<number, SourceCounts>
  /**
   * The number of moved lines that the map uses plus the number of throws and calls that are mapped to other lines. Set for each source in
   * which a transform moved lines.
   */
  strays: ReadonlyMap<number, number>
  mismatch?: Mismatch | undefined
  /** The sources whose throws and calls are mapped to other lines because they have too few mappings. */
  coarse: ReadonlySet<number>
}

/**
 * Evaluates how well the positions in a script match the source texts.
 * @param isOwn whether each source belongs to the app. Other sources are not counted, but can reveal a mismatch.
 * @param astray the mapped lines that a transform moved without returning a map.
 */
export function judgeOwn(
  places: readonly Place[],
  agreements: readonly Agreement[],
  isOwn: readonly boolean[],
  astray?: MovedLines,
): OwnVerdict {
  const order = generatedOrder(places)
  // A loop is faster than several `filter` calls if a script has a very large number of positions.
  const [tokens, own, sites] = [[], [], []] as [number[], number[], number[]]
  for (const index of order) {
    const agreement = agreements[index]
    if (agreement === 'unknown') continue
    const { isSite, source } = places[index] as Place
    if (!isSite) tokens.push(index)
    if (!isOwn[source]) continue
    own.push(index)
    if (isSite) sites.push(index)
  }
  const positions = new Int32Array(order.length)
  for (let at = 0; at < order.length; at++) positions[order[at] as number] = at
  // If a throw or call has its own mapping but does not match the source, the compiler renamed or inlined the called function.
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
  const mismatch = findMismatch(tokens, places, agreements, isOwn)
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
    const isMismatch = mismatch?.sources.has(source) ?? false
    // If the rest of the source matches, a compiler generated the code that does not match.
    if (!isOnLine(agreement) && !lost.has(index) && !coarse.has(source) && !isMismatch) continue
    compared.push(index)
    // In a source that does not match, a word may be on the expected line by chance.
    if (isOnLine(agreement) && !(agreement === 'line' && isMismatch)) resolved.push(index)
  }
  const sources = bySource(places, compared, new Set(resolved))
  return {
    places: [...sources.values()].reduce((sum, source) => sum + source.places, 0),
    resolved: resolved.length,
    sources,
    strays: astray ? straysOf(sites, places, agreements, { astray, isOwn }) : new Map(),
    ...(mismatch && { mismatch }),
    coarse,
  }
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
    const isOnOtherLine = agreements[index] === 'later' || agreements[index] === 'outside'
    if (isOnOtherLine && astray.has(source)) add(source, 1)
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
      // A call may also have been collected as a token, so repeated positions are skipped.
      const key = `${line}:${column}`
      if (seen.has(key)) continue
      seen.add(key)
      count.failed.push(positionOf(originalLine, originalColumn))
    }
    count.places++
  }
  return counts
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
    // If many words of the source follow its last mapping, its mappings are too coarse.
    if (far.size >= MIN_BEHIND) return true
    // A single word after the last mapping of a source may match by chance, because the code may belong to another source.
    if (!behind.has('') && behind.size < MIN_BEHIND) return false
    // If a minifier inlines a function that consists of a single call, only one of the function's mappings remains.
    return areAll ? wrong > 0 : wrong > 1 && wrong >= COARSE_SHARE * all
  })
  return new Set(coarse.map(([source]) => source))
}

/**
 * Returns whether a name is the object of a member access, such as `n` in `n.render`. Bundlers generate the object and the member from one
 * imported name.
 */
function isObjectOf(object: Place, { line, column }: Place): boolean {
  return object.kind === 'name' && object.line === line && object.column + object.word.length + 1 === column
}

/** Returns the indexes of the positions in script order. */
function generatedOrder(places: readonly Place[]): number[] {
  const at = (index: number) => places[index] as Place
  return [...places.keys()].sort((a, b) => at(a).line - at(b).line || at(a).column - at(b).column)
}
