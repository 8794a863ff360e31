import { RUNS, SEGMENT, type TakeSegments } from '../formats/source-map/mapping-decoder.ts'
import { LONG } from './coverage.ts'
import { isHelpersError } from './helpers.ts'
import { isByHelper, isInList, type Site, sitesOf, textsIn } from './own-sites.ts'
import type { ScriptFile } from './script-file.ts'
import { isVirtualSource } from './sources.ts'
import { type Token, tokenAt } from './tokens.ts'

/** A place in the generated code of one of the app's own sources, and where it leads. All 0-based. */
export interface Place extends Token {
  line: number
  column: number
  source: number
  originalLine: number
  originalColumn: number
  /** A throw or a call, which a stack may name; else only a token where a mapping begins. */
  isSite: boolean
  /** It stands behind the last mapping of a run: a bundler or compiler may have put it there. */
  isBehind: boolean
  /** Characters between the mapping's begin and the place. */
  distance: number
  /** The begin of the text of the error that is made there. */
  said?: string | undefined
  /** The mapping before or behind its own leads to the same position, as tools have several for one word; or it is a text in a list, which tools map to the line before. */
  isShared?: boolean | undefined
}

/** Places that are kept for each source; of more, every second one, every fourth and so on. */
const MAX_PLACES = 80
/** The same for a source of which not even every eighth would be: what is wrong may be a small part of it. */
const MAX_OF_LARGE = 160
const LARGE = 8
/** For all sources of a script together. */
const MAX_ALL = 40_000
const MAX_RUN = 64 * 1024
/** Bytes of a script in which libraries are looked at too: a few samples tell little of it. */
const SMALL = 32 * 1024
/** An error that is made with a text: as much of it as no serializer escapes. */
const MADE = /^new \w+\(["'`]([ !#%&(-[\]^_a-z|~]{4,40})/i
const MAX_MADE = 80
/**
 * Collects places of the app's own sources while mappings pass by, spread evenly over each source.
 */
export class OwnSources {
  readonly #script: ScriptFile
  readonly #isOwn: readonly boolean[]
  /** Places that all sources' share leaves each. */
  readonly #kept: number
  readonly #tallies = new Map<number, Tally>()

  /** A segment of which the end is not known yet. */
  readonly #held = new Int32Array(SEGMENT).fill(-1)

  /**
   * @param isOwn for each source whether it is the app's own
   * @param names of the sources. Of a small script all are looked at but those that a bundler wrote.
   */
  constructor(script: ScriptFile, isOwn: readonly boolean[], names: readonly string[]) {
    this.#script = script
    this.#isOwn = script.bytes.size <= SMALL ? names.map((name) => !isVirtualSource(name)) : isOwn
    const count = isOwn.reduce((sum, own) => sum + (own ? 1 : 0), 0)
    this.#kept = Math.max(8, Math.floor(MAX_ALL / Math.max(1, count)))
  }

  take: TakeSegments = (segments, count, isOrdered) => {
    if (count === 0) return true
    if (!this.#takeHeld(segments[0] as number, segments[1] as number)) return false
    // What comes behind the last one is not known yet.
    const last = count - 1
    for (let run = RUNS, index = 0; index < last; run++) {
      const source = segments[index * SEGMENT + 2] as number
      const until = Math.min(last, segments[run + 1] as number)
      if (source >= 0 && this.#isOwn[source] && !this.#takeRuns(segments, index, until, isOrdered)) return false
      index = until
    }
    this.#held.set(segments.subarray(last * SEGMENT, count * SEGMENT))
    return true
  }

  /** A run of the decoder, cut where it is not in order. @returns whether the script has its line. */
  #takeRuns(segments: Int32Array, from: number, until: number, isOrdered: boolean): boolean {
    const line = segments[from * SEGMENT] as number
    if (line >= this.#script.lineStarts.length) return false
    for (let index = from; index < until; ) {
      let end = isOrdered ? until : index + 1
      while (end < until && (segments[end * SEGMENT + 1] as number) >= (segments[(end - 1) * SEGMENT + 1] as number))
        end++
      const next = segments[end * SEGMENT] === line ? (segments[end * SEGMENT + 1] as number) : undefined
      const begin = index > 0 && goesOn(segments, index) ? index + 1 : index
      if (begin < end) this.#takeRun(segments, begin, end, next)
      index = end
    }
    return true
  }

  /** After the walk: what stands behind the last segment. */
  end(): void {
    this.#takeHeld(-1, 0)
  }

  /** The last segment of a batch, now that the next one is known. */
  #takeHeld(nextLine: number, nextColumn: number): boolean {
    const [line, , source] = this.#held as unknown as [number, number, number]
    if (source < 0 || !this.#isOwn[source]) return true
    if (line >= this.#script.lineStarts.length) return false
    this.#takeRun(this.#held, 0, 1, nextLine === line ? nextColumn : undefined)
    return true
  }

  /** Sources of which so much code shares each mapping that hardly any of it leads to its line. */
  sparse(): Set<number> {
    const found = [...this.#tallies].filter(
      ([, { letters, segments, places }]) =>
        letters >= MIN_LETTERS &&
        letters > SPARSE * segments &&
        // A list of long names is not code that throws.
        places.filter(({ isSite }) => isSite).length >= MIN_SITES,
    )
    return new Set(found.map(([source]) => source))
  }

  /** All places, source by source. */
  places(): Place[] {
    const all: Place[] = []
    for (const { places } of this.#tallies.values()) for (const place of places) all.push(place)
    return all
  }

  #tallyOf(source: number): Tally {
    const known = this.#tallies.get(source)
    if (known) return known
    const tally = { places: [], stride: 1, skip: 0, letters: 0, segments: 0 }
    this.#tallies.set(source, tally)
    return tally
  }

  #takeRun(segments: Int32Array, begin: number, end: number, next: number | undefined): void {
    const first = begin * SEGMENT
    const line = segments[first] as number
    const source = segments[first + 2] as number
    const tally = this.#tallyOf(source)
    const from = segments[first + 1] as number
    const last = segments[(end - 1) * SEGMENT + 1] as number
    const start = Math.max(0, from - 2)
    const text = this.#script.text(line, start, Math.min(next ?? last + MAX_RUN, start + MAX_RUN))
    const add = (index: number, segment: number, token: Token, isSite: boolean) => {
      const { places } = tally
      const at = segment * SEGMENT
      const column = start + index
      const distance = column - (segments[at + 1] as number)
      const isLast = segment === end - 1
      const { kind, word, key } = token
      const isBegun = kind === 'keyword' && isSite
      const isItem = kind === 'text' && isInList(text, index)
      // Field by field and always the same: there are very many, and a spread costs ten times as much.
      const place: Place = {
        kind,
        word,
        key,
        line,
        column,
        source,
        originalLine: segments[at + 3] as number,
        originalColumn: segments[at + 4] as number,
        isSite,
        isBehind: isLast && distance > 1,
        distance,
        said: isBegun ? MADE.exec(text.slice(index, index + MAX_MADE))?.[1] : undefined,
        isShared: !isSite && (isItem || isShared(segments, segment, begin, end)),
      }
      places.push(place)
      const most = tally.stride < LARGE ? MAX_PLACES : MAX_OF_LARGE
      if (places.length >= 2 * Math.min(most, this.#kept)) {
        tally.places = places.filter((_, kept) => kept % 2 === 0)
        tally.stride *= 2
      }
      tally.skip = tally.stride - 1
    }
    const isSkipped = () => tally.skip > 0 && tally.skip-- > 0
    if (start === 0 && COMMENT.test(text)) return
    const { codes, code, sites } = sitesOf(text, from - start)
    // On a line as people write them, a mapping a line is enough.
    if (this.#script.lineEnd(line) - (this.#script.lineStarts[line] as number) >= MINIFIED_LINE) {
      tally.segments += end - begin
      tally.letters += lettersIn(code, from - start, Math.min(code.length, last - start + LONG))
    }
    let site = 0
    for (let segment = begin; segment < end; segment++) {
      const index = (segments[segment * SEGMENT + 1] as number) - start
      const isLast = segment + 1 === end
      const until = isLast ? text.length : (segments[(segment + 1) * SEGMENT + 1] as number) - start
      if (index >= text.length) break
      const token = isSkipped() ? undefined : tokenAt(text, index)
      if (token && (token.kind !== 'inside' || !isShared(segments, segment, begin, end)))
        add(index, segment, token, false)
      for (; site < sites.length && (sites[site] as Site).index < until; site++) {
        const { index: place, token: found } = sites[site] as Site
        if (isByHelper(text, index, place, isLast)) continue
        if (found.kind === 'keyword' && ((isLast && place > index + 1) || isHelpersError(text, place))) continue
        if (!isSkipped()) add(place, segment, found, true)
      }
      if (until - index > LONG)
        for (const { index: place, token: found } of textsIn(text, codes[0] as string, [index, until]))
          if (!isSkipped()) add(place, segment, found, true)
    }
  }
}

interface Tally {
  places: Place[]
  /** Of so many places in a row one is kept. */
  stride: number
  /** Places to pass over before the next one is kept. */
  skip: number
  /** Letters of code that its mappings lead from, without texts. */
  letters: number
  segments: number
}

/** Letters for each mapping from which a map is coarse: in what bundlers and compilers make there are at most 6. */
const SPARSE = 15
/** Bytes of a line that no formatter leaves so long. */
const MINIFIED_LINE = 300
/** Fewer tell nothing. */
const MIN_LETTERS = 200
const MIN_SITES = 2

/** A line in the middle of a comment, or with nothing else on it. */
const COMMENT = /^\s*(?:\*|\/\/|\/\*(?!.*\*\/))/

/** Of each character below 128 whether it may be a letter of a name or keyword. */
const IS_LETTER = Uint8Array.from({ length: 128 }, (_, code) => Number((code | 0x20) >= 0x61 && code <= 0x7a))

/** Letters of names and keywords. */
function lettersIn(code: string, from: number, until: number): number {
  let count = 0
  for (let at = from; at < until; at++) count += IS_LETTER[code.charCodeAt(at)] ?? 0
  return count
}

/** Whether the segment before or behind one in a run leads to the same position. */
function isShared(segments: Int32Array, segment: number, begin: number, end: number): boolean {
  return (
    (segment > begin && isSameOriginal(segments, segment - 1)) ||
    (segment + 1 < end && isSameOriginal(segments, segment))
  )
}

/** Whether a segment and the next lead to one position. */
function isSameOriginal(segments: Int32Array, segment: number): boolean {
  const at = segment * SEGMENT
  return segments[at + 3] === segments[at + SEGMENT + 3] && segments[at + 4] === segments[at + SEGMENT + 4]
}

/** Whether a segment begins a line in the middle of a text of several lines: its mapping is that of the text's begin. */
function goesOn(segments: Int32Array, index: number): boolean {
  const at = index * SEGMENT
  const isNextLine = segments[at] === (segments[at - SEGMENT] as number) + 1 && segments[at + 1] === 0
  return isNextLine && segments[at + 2] === segments[at - SEGMENT + 2] && isSameOriginal(segments, index - 1)
}
