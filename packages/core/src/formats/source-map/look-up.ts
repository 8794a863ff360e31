import { firstAbove } from '../../first-above.ts'
import { SEGMENT, type TakeSegments } from './mapping-decoder.ts'

/** A position in a generated file. */
export interface GeneratedPosition {
  /** 0-based. */
  line: number
  /** 0-based, in UTF-16 code units. */
  column: number
}

/** The segment at a position. All numbers are 0-based. */
export interface Hit {
  /** Generated column where the segment begins, at or before the position. */
  column: number
  /** Number of the source, counted across all layers; -1 if the segment has no source. */
  source: number
  originalLine: number
  originalColumn: number
  /** -1 if the segment has no name. */
  name: number
}

const NOT_FOUND = -1
const AFTER_ALL = Int32Array.of(2 ** 31 - 1, 2 ** 31 - 1)

/**
 * Finds the segments of positions during a walk over the mappings (pass {@link PositionFinder.take} to the walk). A
 * position belongs to the last segment of its line that begins at or before it. If several segments share the column,
 * the last one counts, or the first if the position is exactly there. This matches `@jridgewell/trace-mapping`, even
 * for unsorted lines.
 */
export class PositionFinder {
  /** Line and column of each position. */
  readonly #positions: Float64Array
  readonly #count: number
  /** {@link SEGMENT} numbers for each position. */
  readonly #hits: Int32Array
  /** Index of the next position. Earlier positions are done, except for unsorted segments. */
  #next = 0
  /** The segment with the highest column of the current line. The first number is -1 if there is none. */
  readonly #last = new Int32Array(SEGMENT).fill(NOT_FOUND)

  /** @param positions in ascending order. */
  constructor(positions: readonly GeneratedPosition[]) {
    this.#count = positions.length
    this.#positions = new Float64Array(2 * positions.length)
    let at = 0
    for (const { line, column } of positions) {
      this.#positions[at++] = line
      this.#positions[at++] = column
    }
    this.#hits = new Int32Array(positions.length * SEGMENT).fill(NOT_FOUND)
  }

  take: TakeSegments = (segments, count, isOrdered) => {
    const lastAt = (count - 1) * SEGMENT
    if (isOrdered && !isBehind(this.#last, segments, 0)) {
      for (;;) {
        if (this.#next === this.#count) break
        const line = this.#positions[2 * this.#next] as number
        const column = this.#positions[2 * this.#next + 1] as number
        if (isBefore(segments, lastAt, line, column)) break
        const index = firstAbove(count, (at) => !isBefore(segments, at * SEGMENT, line, column))
        if (index > 0) this.#remember(segments, (index - 1) * SEGMENT)
        this.#passTo(segments, index * SEGMENT)
      }
      this.#remember(segments, lastAt)
    } else for (let at = 0; at <= lastAt; at += SEGMENT) this.#takeOne(segments, at)
    return true
  }

  #takeOne(segments: Int32Array, at: number): void {
    if (isBehind(this.#last, segments, at)) this.#insert(segments, at)
    else {
      this.#passTo(segments, at)
      this.#remember(segments, at)
    }
  }

  #remember(segments: Int32Array, at: number): void {
    this.#last.set(segments.subarray(at, at + SEGMENT))
  }

  /** After the walk: the segment of each position, or undefined if its line has none before it. */
  hits(): (Hit | undefined)[] {
    this.#passTo(AFTER_ALL, 0)
    return Array.from({ length: this.#count }, (_, index) => {
      const hits = this.#hits
      const at = index * SEGMENT
      if (hits[at] === NOT_FOUND) return undefined
      return {
        column: hits[at + 1] as number,
        source: hits[at + 2] as number,
        originalLine: hits[at + 3] as number,
        originalColumn: hits[at + 4] as number,
        name: hits[at + 5] as number,
      }
    })
  }

  /**
   * Assigns the previous segment to all positions before this segment. A position exactly at its start gets this
   * segment.
   */
  #passTo(segments: Int32Array, at: number): void {
    const line = segments[at] as number
    const column = segments[at + 1] as number
    for (; this.#next < this.#count; this.#next++) {
      const ownLine = this.#positions[2 * this.#next] as number
      const ownColumn = this.#positions[2 * this.#next + 1] as number
      if (ownLine > line || (ownLine === line && ownColumn > column)) return
      if (ownLine === line && ownColumn === column) this.#set(this.#next, segments, at)
      else if (this.#last[0] === ownLine) this.#set(this.#next, this.#last, 0)
    }
  }

  /** Handles an unsorted segment, which may be closer to a position than the segment found so far. */
  #insert(segments: Int32Array, at: number): void {
    const line = segments[at] as number
    const column = segments[at + 1] as number
    for (let index = this.#next - 1; index >= 0; index--) {
      const ownColumn = this.#positions[2 * index + 1] as number
      if (this.#positions[2 * index] !== line || ownColumn < column) return
      const found = this.#hits[index * SEGMENT] === NOT_FOUND ? -1 : (this.#hits[index * SEGMENT + 1] as number)
      if (found < column || (found === column && ownColumn !== column)) this.#set(index, segments, at)
    }
  }

  #set(index: number, segments: Int32Array, at: number): void {
    this.#hits.set(segments.subarray(at, at + SEGMENT), index * SEGMENT)
  }
}

/** Whether a segment begins before a position. */
function isBefore(segments: Int32Array, at: number, line: number, column: number): boolean {
  const own = segments[at] as number
  return own < line || (own === line && (segments[at + 1] as number) < column)
}

/** Whether an earlier segment has a higher column than a later one on the same line. */
function isBehind(last: Int32Array, segments: Int32Array, at: number): boolean {
  return last[0] === segments[at] && (last[1] as number) > (segments[at + 1] as number)
}
