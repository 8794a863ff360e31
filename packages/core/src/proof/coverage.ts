import { SEGMENT, type TakeSegments } from '../formats/source-map/mapping-decoder.ts'
import type { ScriptFile } from './script-file.ts'
import {
  LONG,
  MAX_BLANK,
  MAX_COMMENTS,
  MAX_OPENED_LINE,
  MAX_STRETCHES,
  MIN_OUTSIDE,
  MIN_UNMAPPED,
  OUTSIDE_SHARE,
} from './thresholds.ts'
import { namesOthers } from './tools/index.ts'

/** A stretch of generated code without a source, which ends before `endColumn`. Lines and columns are zero-based. */
export interface Stretch {
  line: number
  column: number
  endLine: number
  /** Infinity if the stretch extends to the end of the line. */
  endColumn: number
  /**
   * The start of the previous segment, if it is on another line. A multi-line string or comment that starts there may extend into the
   * stretch.
   */
  before?: { line: number; column: number } | undefined
  /** The source of the mappings before and after this stretch of code, if it is the same. For the code after the last mapping, the source of that mapping. */
  within?: number | undefined
}

/** Code after the last mapping in a run. The code belongs either to the source of that mapping or to no source. */
export interface Tail extends Stretch {
  source: number
  /** The zero-based original line of the script's last mapping. Set only on the tail at the end of the script. */
  originalLine?: number
}

const NOTHING = -2
/** Matches indentation, punctuation and keywords, which are frequent in unminified scripts. */
const BLANK = /^(?:[^\w$'"`/]|\b(?:do|else|finally|for|if|try|while)\b)*$/
/**
 * Matches the rest of an earlier comment whose lines start with an asterisk, followed by comments and punctuation. Each byte can match in
 * only one way, so the pattern takes linear time.
 */
const COMMENTS =
  /^(?:(?:[ \t]*\*(?!\/)(?:[^*/\n]|\/(?!\*)|\*(?!\/))*\n)*[ \t]*\*(?:(?!\/)(?:[^*/\n]|\/(?!\*)|\*(?!\/))*\*)?\/)?(?:[^\w$'"`/]|\/\/[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/
/** Matches a comment that is not closed on its line. */
const OPENED = /(?<!\S)\/\*(?!.*\*\/)[^'"`]*$/

/**
 * Collects the parts of a script that have no source, and code that may not belong to the source before it. {@link take} receives the
 * mappings in batches.
 */
export class Coverage {
  readonly unmapped: Stretch[] = []
  readonly tails: Tail[] = []
  /** Whether any mapping refers to a line that does not exist, or many mappings refer to columns that do not exist. */
  isBeyond = false
  readonly seen = new Set<number>()
  readonly #script: ScriptFile
  #line = 0
  #column = 0
  #source = -1
  #before: Stretch['before']
  #last = -1
  #next = -1
  #originalLine = -1
  /** The number of bytes in the current line, which is an upper limit for its columns. */
  #length: number
  #outside = 0
  count = 0

  constructor(script: ScriptFile) {
    this.#script = script
    this.#length = script.lineEnd(0)
  }

  take: TakeSegments = (segments, count) => {
    const { lineStarts } = this.#script
    for (let at = 0; at < count * SEGMENT; at += SEGMENT) {
      const line = segments[at] as number
      const column = segments[at + 1] as number
      const source = segments[at + 2] as number
      const isSameLine = line === this.#line
      if (!isSameLine || this.#source === -1 || (source !== this.#source && column - this.#column > LONG)) {
        this.#next = source
        if (line >= lineStarts.length) {
          this.isBeyond ||= source >= 0
          return false
        }
        if (!isSameLine) {
          this.#length = this.#script.lineEnd(line) - (lineStarts[line] as number)
          this.#passLines(line, column)
        } else if (source !== this.#source) this.#keep(line, column)
      }
      if (column > this.#length) this.#outside++
      if (source !== -1 && source !== this.#last) this.seen.add(source)
      // Segments that are out of order are rare, so they are skipped.
      if (isSameLine && ((this.#source === -1 && source === -1) || column < this.#column)) continue
      this.#beginAt(line, column, source)
      if (source !== -1) this.#last = source
    }
    this.count += count
    if (count > 0) this.#originalLine = segments[(count - 1) * SEGMENT + 3] as number
    return true
  }

  /** Handles lines without segments. The current segment ends at the end of its line, and the following lines have no source. */
  #passLines(line: number, column: number): void {
    this.#endLine()
    if (line === this.#line + 1 && column === 0) return
    this.#beginBehind()
    this.#keep(line, column)
  }

  end(): void {
    this.isBeyond ||= this.#outside >= Math.max(MIN_OUTSIDE, OUTSIDE_SHARE * this.count)
    this.#next = NOTHING
    const before = this.tails.at(-1)
    this.#endLine()
    const tail = this.tails.at(-1)
    if (tail && tail !== before) tail.originalLine = this.#originalLine
    const last = this.#script.lineStarts.length - 1
    if (this.#line >= last) return
    this.#beginBehind()
    this.#keep(last, Number.POSITIVE_INFINITY)
  }

  #beginBehind(): void {
    this.#before = this.#source === -1 ? undefined : { line: this.#line, column: this.#codeBefore() }
    this.#beginAt(this.#line + 1, 0, -1)
  }

  /**
   * Returns the column of the current segment. If the segment is inside a comment, returns the column of the comment, because some maps
   * have a segment for each character.
   */
  #codeBefore(): number {
    const opened = OPENED.exec(this.#script.text(this.#line, 0, MAX_OPENED_LINE))
    return opened ? Math.min(opened.index, this.#column) : this.#column
  }

  #beginAt(line: number, column: number, source: number): void {
    this.#line = line
    this.#column = column
    this.#source = source
  }

  #endLine(): void {
    const { lineStarts } = this.#script
    const length = this.#script.lineEnd(this.#line) - (lineStarts[this.#line] ?? 0) - this.#column
    if (length > LONG || this.#source === -1) this.#keep(this.#line, Number.POSITIVE_INFINITY)
  }

  #keep(endLine: number, endColumn: number): void {
    const [line, column, source] = [this.#line, this.#column, this.#source]
    if (source >= 0) {
      this.#makeRoom(this.tails)
      this.tails.push({ line, column, endLine, endColumn, source })
      return
    }
    const isWithin = this.#last !== -1 && (this.#next === this.#last || this.#next === NOTHING)
    const last = this.unmapped.at(-1)
    const isNext =
      last &&
      (last.endColumn === Number.POSITIVE_INFINITY
        ? last.endLine + 1 === line && column === 0
        : last.endLine === line && last.endColumn === column)
    if (isNext) {
      last.endLine = endLine
      last.endColumn = endColumn
    } else if ((endLine > line || endColumn - column >= MIN_UNMAPPED) && !this.#isBlank(endLine, endColumn)) {
      this.#makeRoom(this.unmapped)
      this.unmapped.push({
        line,
        column,
        endLine,
        endColumn,
        before: column === 0 ? this.#before : undefined,
        within: isWithin ? this.#last : undefined,
      })
    }
    this.#before = undefined
  }

  #makeRoom<Kind extends Stretch>(stretches: Kind[]): void {
    if (stretches.length < MAX_STRETCHES) return
    const sizes = stretches.map((stretch) => this.#sizeOf(stretch))
    const bySize = [...sizes.keys()].sort((a, b) => (sizes[b] as number) - (sizes[a] as number))
    const kept = bySize.slice(0, MAX_STRETCHES / 2).sort((a, b) => a - b)
    stretches.splice(0, stretches.length, ...kept.map((index) => stretches[index] as Kind))
  }

  #sizeOf({ line, column, endLine, endColumn }: Stretch): number {
    return this.#script.offsetOf(endLine, endColumn) - this.#script.offsetOf(line, column)
  }

  /** Returns whether the text between the current segment and a position contains only whitespace, punctuation, keywords or comments. */
  #isBlank(endLine: number, endColumn: number): boolean {
    const start = this.#script.offsetOf(this.#line, this.#column)
    const end = this.#script.offsetOf(endLine, endColumn)
    if (end - start > MAX_COMMENTS) return false
    const text = this.#script.latin1(start, end)
    // If a comment refers to another module, the code after it belongs to that module.
    return (text.length <= MAX_BLANK && BLANK.test(text)) || (COMMENTS.test(text) && !namesOthers(text))
  }
}
