import { SEGMENT, type TakeSegments } from '../formats/source-map/mapping-decoder.ts'
import { isInList, lettersIn, RunText } from './own-sites.ts'
import { isPassedOver, type Place, type Tally } from './places.ts'
import type { ScriptFile } from './script-file.ts'
import type { Site } from './sites.ts'
import { isVirtualSource } from './sources.ts'
import {
  LARGE,
  LONG,
  MAX_ALL,
  MAX_MADE,
  MAX_OF_LARGE,
  MAX_PLACES,
  MAX_RUN,
  MIN_KEPT,
  MIN_LETTERS,
  MIN_SITES,
  MINIFIED_LINE,
  SMALL_SCRIPT,
  SPARSE,
} from './thresholds.ts'
import { keyBefore, type Token, tokenAt, type Word } from './tokens.ts'
import { isAstraySource } from './tools/index.ts'

const DOT = 0x2e

/** Matches code that creates an error with a message, up to the first character that serializers escape. */
const MADE = /^new \w+\(["'`]([ !#%&(-[\]^_a-z|~]{4,40})/i

/** Samples positions in the examined sources, spread evenly over each source. */
export class OwnSources {
  readonly #text = new RunText()
  readonly #script: ScriptFile
  readonly #isExamined: readonly boolean[]
  readonly #kept: number
  readonly #tallies = new Map<number, Tally>()

  /** The last segment of a batch, which is kept because its end depends on the next segment. */
  readonly #held = new Int32Array(SEGMENT).fill(-1)
  readonly #word: Word = { at: 0, length: 0 }

  /**
   * @param isOwn whether each source belongs to the app.
   * @param names the names of the sources. If a script is small or contains only libraries, all sources except generated modules are
   * examined.
   */
  constructor(script: ScriptFile, isOwn: readonly boolean[], names: readonly string[]) {
    this.#script = script
    const areAll = script.bytes.length <= SMALL_SCRIPT || !isOwn.includes(true)
    this.#isExamined = areAll ? names.map((name) => !isVirtualSource(name) && !isAstraySource(name)) : isOwn
    const count = this.#isExamined.filter(Boolean).length
    this.#kept = Math.max(MIN_KEPT, Math.floor(MAX_ALL / Math.max(1, count)))
  }

  take: TakeSegments = (segments, count) => {
    if (count === 0) return true
    if (!this.#takeHeld(segments[0] as number, segments[1] as number)) return false
    const last = count - 1
    for (let index = 0, end = 0; index < last; index = end) {
      end = endOfRun(segments, index, last)
      const line = segments[index * SEGMENT] as number
      const source = segments[index * SEGMENT + 2] as number
      if (source < 0 || !this.#isExamined[source]) continue
      if (line >= this.#script.lineStarts.length) return false
      const next = segments[end * SEGMENT] === line ? (segments[end * SEGMENT + 1] as number) : undefined
      const begin = index > 0 && goesOn(segments, index) ? index + 1 : index
      if (begin < end) this.#takeRun(segments, begin, end, next)
    }
    this.#held.set(segments.subarray(last * SEGMENT, count * SEGMENT))
    return true
  }

  end(): void {
    this.#takeHeld(-1, 0)
  }

  #takeHeld(nextLine: number, nextColumn: number): boolean {
    const [line, , source] = this.#held as unknown as [number, number, number]
    if (source < 0 || !this.#isExamined[source]) return true
    if (line >= this.#script.lineStarts.length) return false
    this.#takeRun(this.#held, 0, 1, nextLine === line ? nextColumn : undefined)
    return true
  }

  /** Returns the sources with so few mappings that most of their code resolves to the wrong line. */
  sparse(): Set<number> {
    const found = [...this.#tallies].filter(
      ([, { letters, segments, minified, places }]) =>
        letters >= MIN_LETTERS &&
        letters > SPARSE * minified &&
        // Compilers may insert a few long lines into code that is fully mapped, so most segments must be on long lines.
        2 * minified > segments &&
        // Code without throws and calls, such as a list of long names, does not appear in stacks.
        places.filter(({ isSite }) => isSite).length >= MIN_SITES,
    )
    return new Set(found.map(([source]) => source))
  }

  places(): Place[] {
    const all: Place[] = []
    for (const { places } of this.#tallies.values()) for (const place of places) all.push(place)
    return all
  }

  unmappedNames(): Place[] {
    return [...this.#tallies.values()].flatMap(({ unmappedNames }) => unmappedNames)
  }

  #tallyOf(source: number): Tally {
    const known = this.#tallies.get(source)
    if (known) return known
    const tally = { places: [], unmappedNames: [], stride: 1, skip: 0, letters: 0, segments: 0, minified: 0 }
    this.#tallies.set(source, tally)
    return tally
  }

  #takeRun(segments: Int32Array, begin: number, end: number, next: number | undefined): void {
    const line = segments[begin * SEGMENT] as number
    const from = segments[begin * SEGMENT + 1] as number
    const last = segments[(end - 1) * SEGMENT + 1] as number
    const start = Math.max(0, from - 2)
    const isMinified = this.#script.lineEnd(line) - (this.#script.lineStarts[line] as number) >= MINIFIED_LINE
    // Skip a run if its line starts within a comment. The run contains the start of the line only if it starts at column 0.
    const text = this.#text
    if (!isMinified && start > 0) {
      text.read(this.#script, line, 0, MINIFIED_LINE)
      if (text.isComment()) return
    }
    text.read(this.#script, line, start, Math.min(next ?? last + MAX_RUN, start + MAX_RUN))
    if (start === 0 && text.isComment()) return
    const tally = this.#tallyOf(segments[begin * SEGMENT + 2] as number)
    const { sites, code } = text.sites(from - start)
    tally.segments += end - begin
    // One mapping per line is enough for handwritten code, so only minified lines are counted.
    if (isMinified) {
      tally.minified += end - begin
      tally.letters += lettersIn(code, from - start, Math.min(code.length, last - start + LONG))
    }
    this.#takePlaces({ tally, segments, begin, end, start }, sites)
  }

  /** Collects, in script order, the tokens at the start of mappings, the throws and calls, and the strings in long stretches. */
  #takePlaces(run: Run, sites: readonly Site[]): void {
    const { tally, segments, begin, end, start } = run
    const { bytes } = this.#text
    // A map without columns has only one mapping for each line of the source.
    const isWholeLine = end === begin + 1 && start === 0 && bytes.length < MINIFIED_LINE
    let site = 0
    for (let segment = begin; segment < end; segment++) {
      const index = (segments[segment * SEGMENT + 1] as number) - start
      if (index >= bytes.length) break
      const isLast = segment + 1 === end
      const until = isLast ? bytes.length : (segments[(segment + 1) * SEGMENT + 1] as number) - start
      this.#takeToken(run, segment, index, isPassedOver(tally))
      for (; site < sites.length && (sites[site] as Site).index < until; site++) {
        const found = sites[site] as Site
        const isAdded = this.#isAddedTo(found, index, { isLast, isWholeLine })
        if (!isAdded && !isPassedOver(tally)) this.#keepSite(run, segment, found)
      }
      if (until - index > 2 && !isLast && !this.#hasAllNames(tally)) this.#takeUnmappedNames(run, segment, index, until)
      if (until - index <= LONG) continue
      for (const found of this.#text.textsIn(index, until))
        if (!isPassedOver(tally)) this.#keepSite(run, segment, found)
    }
  }

  #takeToken(run: Run, segment: number, index: number, isPassed: boolean): void {
    const { segments, begin, end } = run
    if (isPassed && this.#text.bytes[index - 1] !== DOT) return
    const kind = tokenAt(this.#text.bytes, index, this.#word)
    if (kind === undefined) return
    const isShared =
      (segment > begin && isSameOriginal(segments, segment - 1)) ||
      (segment + 1 < end && isSameOriginal(segments, segment))
    if (kind === 'inside' && isShared) return
    const { at: wordAt, length } = this.#word
    const found = { segment, index, kind, wordAt, length, isSite: false, isShared }
    if (isShared && kind === 'property') this.#keepUnmappedName(run, found)
    if (!isPassed) this.#keep(run, found)
  }

  #takeUnmappedNames(run: Run, segment: number, index: number, until: number): void {
    for (const found of this.#text.namesIn(index, Math.min(until, index + LONG)))
      this.#keepUnmappedName(run, { segment, ...found, wordAt: found.index, isSite: false, isShared: false })
  }

  #keepUnmappedName(run: Run, found: FoundPlace): void {
    if (!this.#hasAllNames(run.tally)) run.tally.unmappedNames.push(this.#placeOf(run, found))
  }

  #hasAllNames({ unmappedNames }: Tally): boolean {
    return unmappedNames.length >= Math.min(MAX_OF_LARGE, this.#kept)
  }

  #isAddedTo(
    { index: place, kind }: Site,
    index: number,
    { isLast, isWholeLine }: { isLast: boolean; isWholeLine: boolean },
  ): boolean {
    if (place > index + (isLast ? 1 : LONG) && this.#text.isByHelper(index, place)) return true
    return kind === 'keyword' && ((isLast && !isWholeLine && place > index + 1) || this.#text.isHelpersError(place))
  }

  #keepSite(run: Run, segment: number, { index, kind, length }: Site): void {
    const wordAt = kind === 'text' ? index + 1 : index
    this.#keep(run, { segment, index, kind, wordAt, length, isSite: true, isShared: false })
  }

  #keep(run: Run, found: FoundPlace): void {
    const { tally } = run
    tally.places.push(this.#placeOf(run, found))
    const most = Math.min(tally.stride < LARGE ? MAX_PLACES : MAX_OF_LARGE, this.#kept)
    if (tally.places.length >= 2 * most) {
      tally.places = tally.places.filter((_, nth) => nth % 2 === 0)
      tally.stride *= 2
    }
    tally.skip = tally.stride - 1
  }

  #placeOf({ segments, end, start }: Run, found: FoundPlace): Place {
    const { segment, index, kind, wordAt, length, isSite } = found
    const { text } = this.#text
    const at = segment * SEGMENT
    const column = start + index
    const distance = column - (segments[at + 1] as number)
    // The fields are listed explicitly and in a fixed order. A spread would take ten times as long for millions of positions.
    return {
      kind,
      word: text.slice(wordAt, wordAt + length),
      key: kind === 'name' ? keyBefore(text, index) : undefined,
      line: segments[at] as number,
      column,
      source: segments[at + 2] as number,
      originalLine: segments[at + 3] as number,
      originalColumn: segments[at + 4] as number,
      isSite,
      isBehind: segment === end - 1 && distance > 1,
      distance,
      errorText: isSite && kind === 'keyword' ? MADE.exec(text.slice(index, index + MAX_MADE))?.[1] : undefined,
      isAssigned: kind === 'property' && isAssignedAt(text, wordAt + length),
      isShared: !isSite && (found.isShared || (kind === 'text' && isInList(text, index))),
    }
  }
}

interface FoundPlace {
  segment: number
  index: number
  kind: Token['kind']
  wordAt: number
  length: number
  isSite: boolean
  isShared: boolean
}

function isAssignedAt(text: string, end: number): boolean {
  const at = text[end] === ' ' ? end + 1 : end
  return text[at] === '=' && text[at + 1] !== '='
}

/** The segments from `begin` (inclusive) to `end` (exclusive). `start` is the column at which their text starts. */
interface Run {
  tally: Tally
  segments: Int32Array
  begin: number
  end: number
  start: number
}

/** Returns the index after the segments that have the same line and source, and ascending columns. */
function endOfRun(segments: Int32Array, from: number, last: number): number {
  let end = from + 1
  while (end < last) {
    const at = end * SEGMENT
    const before = at - SEGMENT
    if (segments[at] !== segments[before] || segments[at + 2] !== segments[before + 2]) break
    if ((segments[at + 1] as number) < (segments[before + 1] as number)) break
    end++
  }
  return end
}

function isSameOriginal(segments: Int32Array, segment: number): boolean {
  const at = segment * SEGMENT
  return segments[at + 3] === segments[at + SEGMENT + 3] && segments[at + 4] === segments[at + SEGMENT + 4]
}

/** Returns whether a segment continues a multi-line string, in which every line is mapped to the start of the string. */
function goesOn(segments: Int32Array, index: number): boolean {
  const at = index * SEGMENT
  const isNextLine = segments[at] === (segments[at - SEGMENT] as number) + 1 && segments[at + 1] === 0
  return isNextLine && segments[at + 2] === segments[at - SEGMENT + 2] && isSameOriginal(segments, index - 1)
}
