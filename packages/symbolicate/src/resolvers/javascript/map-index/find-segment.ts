import { type ByteSource, firstAbove, MappingDecoder, orFlaw, SEGMENT, SourceMapFlaw } from '@symup/core/resolving'
import type { WeightedCache } from '../../../cache.ts'
import { BLOCK, field, type IndexReader } from './format.ts'
import { contextOf, withoutEscapes } from './index-mappings.ts'

/** Thrown if a map is unusable. The message is a sentence that explains why. */
export class MapError extends Error {}

/** A segment of the mappings. All numbers are zero-based. */
export interface FoundSegment {
  column: number
  /** The index of the source, or -1 if the segment has no source. */
  source: number
  originalLine: number
  originalColumn: number
  /** The index of the name, or -1 if the segment has no name. */
  name: number
}

/**
 * Looks up positions by decoding one block at a time. As in `@jridgewell/trace-mapping`, a position belongs to the last segment at or
 * before it on the same line. If several segments start at exactly that position, the first one is used.
 */
export class SegmentFinder {
  readonly #index: IndexReader
  readonly #map: ByteSource
  readonly #kept: WeightedCache<unknown>

  constructor(index: IndexReader, map: ByteSource, kept: WeightedCache<unknown>) {
    this.#index = index
    this.#map = map
    this.#kept = kept
  }

  /**
   * @param line the zero-based line number.
   * @param column the zero-based column in UTF-16 code units.
   * @throws MapError if the map is invalid, or the file system error if it cannot be read.
   */
  find(line: number, column: number): FoundSegment | undefined {
    if (this.#isUnordered(line)) return this.#findInUnordered(line, column)
    const isBefore = (block: Buffer) =>
      field(block, BLOCK.firstLine) < line ||
      (field(block, BLOCK.firstLine) === line && field(block, BLOCK.firstColumn) < column)
    // Several blocks can start at the same position, so the first segment at that position may be in the previous block.
    const next = this.#index.countWhile('blocks', isBefore)
    const segments = next === 0 ? NONE : this.#block(next - 1)
    const nth = firstNotBefore(segments, line, column)
    if (nth * SEGMENT < segments.length) {
      const isThere = segments[nth * SEGMENT] === line && segments[nth * SEGMENT + 1] === column
      return segmentAt(segments, isThere ? nth : nth - 1, line)
    }
    if (next < this.#index.count('blocks')) {
      const record = this.#index.record('blocks', next)
      if (field(record, BLOCK.firstLine) === line && field(record, BLOCK.firstColumn) === column)
        return segmentAt(this.#block(next), 0, line)
    }
    return segmentAt(segments, nth - 1, line)
  }

  /** Returns the first segment after a column on the same line. Returns undefined if there is none, or if the line is unsorted. */
  findBehind(line: number, column: number): FoundSegment | undefined {
    if (this.#isUnordered(line)) return undefined
    const next = this.#blocksUpTo(line, column)
    const segments = next === 0 ? NONE : this.#block(next - 1)
    const nth = firstNotBefore(segments, line, column + 1)
    if (nth * SEGMENT < segments.length) return segmentAt(segments, nth, line)
    return next < this.#index.count('blocks') ? segmentAt(this.#block(next), 0, line) : undefined
  }

  /** Yields original positions in a source. Only the block that contains the given position is searched. */
  *near(line: number, column: number, source: number): Generator<{ line: number; column: number }> {
    const next = this.#blocksUpTo(line, column)
    const segments = next === 0 ? NONE : this.#block(next - 1)
    for (let at = 0; at < segments.length; at += SEGMENT)
      if (segments[at + 2] === source) yield { line: segments[at + 3] as number, column: segments[at + 4] as number }
  }

  #blocksUpTo(line: number, column: number): number {
    return this.#index.countWhile('blocks', (block) => {
      const first = field(block, BLOCK.firstLine)
      return first < line || (first === line && field(block, BLOCK.firstColumn) <= column)
    })
  }

  #isUnordered(line: number): boolean {
    const nth = this.#index.countWhile('unordered', (record) => field(record, 0) < line)
    return nth < this.#index.count('unordered') && this.#index.at('unordered', nth) === line
  }

  /** Searches all blocks that contain the line. Unsorted lines are rare, so the cost is acceptable. */
  #findInUnordered(line: number, column: number): FoundSegment | undefined {
    const from = this.#index.countWhile('blocks', (block) => field(block, BLOCK.firstLine) < line)
    const to = this.#index.countWhile('blocks', (block) => field(block, BLOCK.firstLine) <= line)
    let found: FoundSegment | undefined
    let highest = -1
    for (let block = Math.max(0, from - 1); block < to; block++) {
      const segments = this.#block(block)
      for (let at = 0; at < segments.length; at += SEGMENT) {
        const own = segments[at + 1] as number
        if (segments[at] !== line || own > column || own < highest || (own === highest && own === column)) continue
        highest = own
        found = segmentAt(segments, at / SEGMENT, line)
      }
    }
    return found
  }

  #block(number: number): Int32Array {
    const key = `block ${number}`
    const known = this.#kept.get(key) as Int32Array | undefined
    if (known) return known
    const segments = orFlaw(() => this.#decode(number))
    if (segments instanceof SourceMapFlaw) throw new MapError(segments.message)
    this.#kept.set(key, segments, segments.byteLength)
    return segments
  }

  /** @throws SourceMapFlaw if the mappings are invalid. */
  #decode(number: number): Int32Array {
    const record = Buffer.from(this.#index.record('blocks', number))
    const [start, end, line, column, source, originalLine, originalColumn, name] = numbersOf<8>(record)
    const layer = numbersOf<4>(this.#index.record('layers', field(record, BLOCK.layer)))
    const [firstLine, firstColumn, firstSource, firstName] = layer
    const count = field(record, BLOCK.count)
    if (count > end - start) throw new Error('The symbol index is damaged.')
    const all = new Int32Array(count * SEGMENT)
    let length = 0
    const take = (segments: Int32Array, many: number): boolean => {
      // Ignore segments after the start of the next section.
      const kept = Math.min(many * SEGMENT, all.length - length)
      all.set(segments.subarray(0, kept), length)
      length += kept
      return length < all.length
    }
    const context = contextOf({ line: firstLine, column: firstColumn, firstSource, firstName })
    const decoder = new MappingDecoder(context, take, { line, column, source, originalLine, originalColumn, name })
    if (decoder.push(withoutEscapes(this.#map.read(start, end - start)))) decoder.end()
    return all
  }
}

const NONE = new Int32Array(0)

type Numbers<N extends number, All extends number[] = []> = All['length'] extends N ? All : Numbers<N, [...All, number]>

function numbersOf<N extends number>(record: Buffer): Numbers<N> {
  return Array.from({ length: record.length / 4 }, (_, index) => field(record, index)) as Numbers<N>
}

function firstNotBefore(segments: Int32Array, line: number, column: number): number {
  return firstAbove(segments.length / SEGMENT, (at) => {
    const own = segments[at * SEGMENT] as number
    return own > line || (own === line && (segments[at * SEGMENT + 1] as number) >= column)
  })
}

function segmentAt(segments: Int32Array, nth: number, line: number): FoundSegment | undefined {
  const at = nth * SEGMENT
  if (nth < 0 || at >= segments.length || segments[at] !== line) return undefined
  const [column, source, originalLine, originalColumn, name] = [1, 2, 3, 4, 5].map(
    (it) => segments[at + it],
  ) as Numbers<5>
  return { column, source, originalLine, originalColumn, name }
}
