import { javaScriptKernel, PLACE } from '../formats/javascript/kernel.ts'
import { RUNS, SEGMENT, type TakeSegments } from '../formats/source-map/mapping-decoder.ts'
import { isInList, RunText } from './own-sites.ts'
import type { ScriptFile } from './script-file.ts'
import { isAstraySource, isVirtualSource } from './sources.ts'
import { KINDS, keyBefore, type Token } from './tokens.ts'

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
  readonly #kernel = javaScriptKernel()
  readonly #run = new RunText()
  readonly #script: ScriptFile
  readonly #isOwn: readonly boolean[]
  /** Places that all sources' share leaves each. */
  readonly #kept: number
  readonly #tallies = new Map<number, Tally>()

  /** A segment of which the end is not known yet. */
  readonly #held = new Int32Array(SEGMENT).fill(-1)
  /** The batch, until the kernel has it. */
  #batch: Int32Array | undefined

  /**
   * @param isOwn for each source whether it is the app's own
   * @param names of the sources. Of a small script all are looked at but those that a bundler wrote.
   */
  constructor(script: ScriptFile, isOwn: readonly boolean[], names: readonly string[]) {
    this.#script = script
    this.#isOwn =
      script.bytes.size <= SMALL ? names.map((name) => !isVirtualSource(name) && !isAstraySource(name)) : isOwn
    const count = isOwn.reduce((sum, own) => sum + (own ? 1 : 0), 0)
    this.#kept = Math.max(8, Math.floor(MAX_ALL / Math.max(1, count)))
  }

  take: TakeSegments = (segments, count, isOrdered) => {
    if (count === 0) return true
    if (!this.#takeHeld(segments[0] as number, segments[1] as number)) return false
    this.#batch = segments.subarray(0, count * SEGMENT)
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
      if (begin < end) {
        if (this.#batch) this.#kernel.segments.set(this.#batch)
        this.#batch = undefined
        this.#takeRun(this.#kernel.segments, begin, end, next)
      }
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
    // In the place of a batch, which is done with.
    this.#kernel.segments.set(this.#held)
    this.#takeRun(this.#kernel.segments, 0, 1, nextLine === line ? nextColumn : undefined)
    return true
  }

  /** Sources of which so much code shares each mapping that hardly any of it leads to its line. */
  sparse(): Set<number> {
    const found = [...this.#tallies].filter(
      ([, { letters, segments, minified, places }]) =>
        letters >= MIN_LETTERS &&
        letters > SPARSE * minified &&
        // Compilers write long lines of their own into code of which each line is mapped.
        2 * minified > segments &&
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
    const tally = { places: [], stride: 1, skip: 0, letters: 0, segments: 0, minified: 0 }
    this.#tallies.set(source, tally)
    return tally
  }

  /** @param segments in the kernel's memory. */
  #takeRun(segments: Int32Array, begin: number, end: number, next: number | undefined): void {
    const first = begin * SEGMENT
    const line = segments[first] as number
    const tally = this.#tallyOf(segments[first + 2] as number)
    const from = segments[first + 1] as number
    const last = segments[(end - 1) * SEGMENT + 1] as number
    const start = Math.max(0, from - 2)
    const kernel = this.#kernel
    const isMinified = this.#script.lineEnd(line) - (this.#script.lineStarts[line] as number) >= MINIFIED_LINE
    // Of a text that begins behind its indentation the kernel cannot tell.
    if (!isMinified && start > 0 && this.#isComment(line)) return
    const length = this.#script.copyText(kernel.text, line, start, Math.min(next ?? last + MAX_RUN, start + MAX_RUN))
    this.#run.begin(length)
    kernel.judge = this.#run
    const numbers = kernel.tally
    numbers[0] = tally.places.length
    numbers[1] = this.#kept
    numbers[2] = tally.stride
    numbers[3] = tally.skip
    const found = kernel.run.findPlaces(length, segments.byteOffset + 4 * first, end - begin, start, isMinified)
    // A comment.
    if (found === -1) return
    tally.stride = numbers[2]
    tally.skip = numbers[3]
    tally.segments += end - begin
    // On a line as people write them, a mapping a line is enough.
    if (isMinified) {
      tally.minified += end - begin
      tally.letters += numbers[4] as number
    }
    const halvings = numbers[5] as number
    if (halvings > 0) tally.places = eachNth(tally.places, 2 ** halvings)
    if (found === 0) return
    const where = { segments, begin, end, start, text: this.#run }
    for (let nth = 0; nth < found; nth++) tally.places.push(this.#placeOf(nth, where))
  }

  /** Most lines are not copied for it. */
  #isComment(line: number): boolean {
    if (this.#script.beginsWithCode(line)) return false
    const { text, run } = this.#kernel
    return run.isComment(this.#script.copyText(text, line, 0, MINIFIED_LINE)) !== 0
  }

  /** A place of a run that the kernel has found. */
  #placeOf(nth: number, { segments, begin, end, start, text: { text } }: Run): Place {
    const numbers = this.#kernel.places
    const from = nth * PLACE
    const segment = begin + (numbers[from] as number)
    const index = numbers[from + 1] as number
    const what = numbers[from + 2] as number
    const wordAt = numbers[from + 3] as number
    const at = segment * SEGMENT
    const column = start + index
    const distance = column - (segments[at + 1] as number)
    const kind = KINDS[what & IS_KIND] as Token['kind']
    const isSite = (what & IS_SITE) !== 0
    // Field by field and always the same: there are very many, and a spread costs ten times as much.
    return {
      kind,
      word: text.slice(wordAt, wordAt + (numbers[from + 4] as number)),
      key: kind === 'name' ? keyBefore(text, index) : undefined,
      line: segments[at] as number,
      column,
      source: segments[at + 2] as number,
      originalLine: segments[at + 3] as number,
      originalColumn: segments[at + 4] as number,
      isSite,
      isBehind: segment === end - 1 && distance > 1,
      distance,
      said: isSite && kind === 'keyword' ? MADE.exec(text.slice(index, index + MAX_MADE))?.[1] : undefined,
      isShared: !isSite && ((what & IS_SHARED) !== 0 || (kind === 'text' && isInList(text, index))),
    }
  }
}

/** Not within what collects them: for a function there V8 makes room with each run. */
function eachNth(places: readonly Place[], step: number): Place[] {
  return places.filter((_, nth) => nth % step === 0)
}

/** Segments of a run, from `begin` to before `end`, and its text, which begins in a column. */
interface Run {
  segments: Int32Array
  begin: number
  end: number
  start: number
  text: RunText
}

/** How the kernel says what a place is. */
const [IS_KIND, IS_SITE, IS_SHARED] = [7, 8, 16]

interface Tally {
  places: Place[]
  /** Of so many places in a row one is kept. */
  stride: number
  /** Places to pass over before the next one is kept. */
  skip: number
  segments: number
  /** Those on lines that nobody writes so long, and the letters of code that they lead from, without texts. */
  minified: number
  letters: number
}

/** Letters for each mapping from which a map is coarse: in what bundlers and compilers make there are at most 6. */
const SPARSE = 15
/** Bytes of a line that no formatter leaves so long. */
const MINIFIED_LINE = 300
/** Fewer tell nothing. */
const MIN_LETTERS = 200
const MIN_SITES = 2

/** Whether a segment and the next lead to one position. */
function isSameOriginal(segments: Int32Array, segment: number): boolean {
  const at = segment * SEGMENT
  return segments[at + 3] === segments[at + SEGMENT + 3] && segments[at + 4] === segments[at + SEGMENT + 4]
}

/** Whether a segment begins a line in the middle of a text of several lines: its mapping is that of the text's start. */
function goesOn(segments: Int32Array, index: number): boolean {
  const at = index * SEGMENT
  const isNextLine = segments[at] === (segments[at - SEGMENT] as number) + 1 && segments[at + 1] === 0
  return isNextLine && segments[at + 2] === segments[at - SEGMENT + 2] && isSameOriginal(segments, index - 1)
}
