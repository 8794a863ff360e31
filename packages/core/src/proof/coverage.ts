import { SEGMENT, type TakeSegments } from '../formats/source-map/mapping-decoder.ts'
import type { ScriptFile } from './script-file.ts'

/** Generated code that has no source, or that leads to one place of a source as a whole. 0-based; it ends before `endColumn`, or where its last line does. */
export interface Stretch {
  line: number
  column: number
  endLine: number
  /** Infinity: to the line's end. */
  endColumn: number
  /** -1 for none. */
  source: number
  /** Where the segment before it begins, when that is on another line: a text or comment of several lines may reach into it. */
  before?: { line: number; column: number }
}

/** Generated characters in one segment from which a stack's frame may well be wrong. */
export const COARSE = 100
/** Shorter ones hold no code that throws. */
const MIN_UNMAPPED = 12
/** More are not looked at; they only ever are where nearly everything is wrong. */
const MAX_STRETCHES = 500

/**
 * Finds out while mappings pass by how finely a script is mapped: how much of it leads to each source, and which stretches lead nowhere, or to one place. Segments that follow
 * each other and lead to the same place are one.
 */
export class Coverage {
  /** Generated characters of each source; of what stands at a line's end, bytes. */
  readonly lengths: Float64Array
  readonly unmapped: Stretch[] = []
  readonly coarse: Stretch[] = []
  /** Whether there are mappings for lines that the script does not have. */
  isBeyond = false
  /** What stands behind the last mapping of all, on its line. */
  tail: Stretch | undefined
  readonly #script: ScriptFile
  readonly #isOwn: readonly boolean[]
  /** The segment that has not ended yet. */
  #line = 0
  #column = 0
  #source = -1
  #originalLine = -1
  #originalColumn = -1
  #before: Stretch['before']

  /** @param isOwn for each source whether it is the app's own; coarse stretches of others do not matter. */
  constructor(script: ScriptFile, isOwn: readonly boolean[]) {
    this.#script = script
    this.#isOwn = isOwn
    this.lengths = new Float64Array(isOwn.length)
  }

  take: TakeSegments = (segments, count) => {
    const { lengths } = this
    // In locals while segments follow each other on a line: that is most of them.
    let line = this.#line
    let column = this.#column
    let source = this.#source
    let originalLine = this.#originalLine
    let originalColumn = this.#originalColumn
    for (let at = 0; at < count * SEGMENT; at += SEGMENT) {
      const nextLine = segments[at] as number
      const nextColumn = segments[at + 1] as number
      const nextSource = segments[at + 2] as number
      if (nextLine !== line || source === -1 || nextColumn - column > COARSE) {
        this.#beginAt(line, column, source)
        if (nextLine >= this.#script.lineStarts.length) {
          this.isBeyond ||= nextSource >= 0
          return false
        }
        if (nextLine !== line) this.#passLines(nextLine, nextColumn)
        else if (nextSource !== source || !isSame(segments, at, originalLine, originalColumn))
          this.#keep(line, nextColumn)
      }
      if (nextLine === line) {
        // Out of order: rare, and not worth more.
        if (nextColumn < column) continue
        if (nextSource === source && isSame(segments, at, originalLine, originalColumn)) continue
        if (source >= 0) (lengths[source] as number) += nextColumn - column
      }
      line = nextLine
      column = nextColumn
      source = nextSource
      originalLine = segments[at + 3] as number
      originalColumn = segments[at + 4] as number
    }
    this.#beginAt(line, column, source)
    this.#originalLine = originalLine
    this.#originalColumn = originalColumn
    return true
  }

  /** The segment ends with its line, and the next one begins on a later one: what is between has none. */
  #passLines(line: number, column: number): void {
    this.#endLine()
    if (line === this.#line + 1 && column === 0) return
    this.#beginBehind()
    this.#keep(line, column)
  }

  /** After the walk: what stands behind the last segment. */
  end(): void {
    this.#endLine()
    const length = this.#script.lineEnd(this.#line) - this.#script.offsetOf(this.#line, this.#column)
    if (this.#source >= 0 && length > COARSE)
      this.tail = {
        line: this.#line,
        column: this.#column,
        endLine: this.#line,
        endColumn: Number.POSITIVE_INFINITY,
        source: this.#source,
      }
    const last = this.#script.lineStarts.length - 1
    if (this.#line >= last) return
    this.#beginBehind()
    this.#keep(last, Number.POSITIVE_INFINITY)
  }

  /** Lines without segments come. */
  #beginBehind(): void {
    this.#before = this.#source === -1 ? undefined : { line: this.#line, column: this.#column }
    this.#beginAt(this.#line + 1, 0, -1)
  }

  #beginAt(line: number, column: number, source: number): void {
    this.#line = line
    this.#column = column
    this.#source = source
  }

  #endLine(): void {
    const { lineStarts } = this.#script
    const length = this.#script.lineEnd(this.#line) - (lineStarts[this.#line] ?? 0) - this.#column
    if (this.#source >= 0) (this.lengths[this.#source] as number) += Math.max(0, length)
    if (length > COARSE || this.#source === -1) this.#keep(this.#line, Number.POSITIVE_INFINITY)
  }

  #keep(endLine: number, endColumn: number): void {
    const [line, column, source] = [this.#line, this.#column, this.#source]
    if (source >= 0) {
      if (this.#isOwn[source] && this.coarse.length < MAX_STRETCHES)
        this.coarse.push({ line, column, endLine, endColumn, source })
      return
    }
    const last = this.unmapped.at(-1)
    const isNext =
      last &&
      (last.endColumn === Number.POSITIVE_INFINITY
        ? last.endLine + 1 === line && column === 0
        : last.endLine === line && last.endColumn === column)
    if (isNext) {
      last.endLine = endLine
      last.endColumn = endColumn
    } else if (this.unmapped.length < MAX_STRETCHES && (endLine > line || endColumn - column >= MIN_UNMAPPED))
      this.unmapped.push({
        line,
        column,
        endLine,
        endColumn,
        source,
        ...(column === 0 && this.#before && { before: this.#before }),
      })
    this.#before = undefined
  }
}

/** Whether a segment leads to the same place as the one before it, of the same source. */
function isSame(segments: Int32Array, at: number, originalLine: number, originalColumn: number): boolean {
  return segments[at + 2] === -1 || (segments[at + 3] === originalLine && segments[at + 4] === originalColumn)
}
