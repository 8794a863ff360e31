import {
  COLUMN,
  type DecoderState,
  decodeSegments,
  endBatch,
  isFull,
  LINE,
  type MappingContext,
  NAME,
  newBatch,
  newState,
  ORIGINAL_COLUMN,
  ORIGINAL_LINE,
  SOURCE,
} from './decode-segments.ts'

export { RUNS, SEGMENT } from './decode-segments.ts'

/**
 * What is given segments as they are decoded: `count` of them, {@link SEGMENT} numbers each, in memory that is used again; whether the columns of each line ascend. From
 * {@link RUNS} on stands where runs begin, stretches of one line and one source: the number of the first segment of each, and at last how many segments there are, or more. Returns
 * `false` to end the walk.
 */
export type TakeSegments = (segments: Int32Array, count: number, isOrdered: boolean) => boolean | undefined

/** Where decoding stands between two segments: what it takes to go on from there. Columns and numbers are the map's own, before any offset is added. */
export interface MappingState {
  line: number
  column: number
  source: number
  originalLine: number
  originalColumn: number
  name: number
}

/** Decodes `mappings` from bytes that come in pieces of any size into one small typed array; memory does not grow with the map. */
export class MappingDecoder {
  readonly #segments: Int32Array
  readonly #take: TakeSegments
  readonly #context: MappingContext
  readonly #state: DecoderState

  /**
   * @param from where to go on; without it, at the beginning.
   * @param memory one may serve several decoders, one after the other.
   */
  constructor(context: MappingContext, take: TakeSegments, from?: MappingState, memory = MappingDecoder.memory()) {
    this.#segments = memory
    this.#context = context
    this.#take = take
    const state = newState()
    this.#state = state
    state[LINE] = from?.line ?? context.line
    if (!from) return
    state[COLUMN] = from.column
    state[SOURCE] = from.source
    state[ORIGINAL_LINE] = from.originalLine
    state[ORIGINAL_COLUMN] = from.originalColumn
    state[NAME] = from.name
  }

  static memory(): Int32Array {
    return newBatch()
  }

  /** After {@link MappingDecoder.end}. */
  get state(): MappingState {
    const [line, column, source, originalLine, originalColumn, name] = this.#state as unknown as number[]
    return { line, column, source, originalLine, originalColumn, name } as MappingState
  }

  /**
   * @returns false when whoever takes the segments wants no more.
   * @throws SourceMapFlaw where the bytes are not mappings.
   */
  push(bytes: Uint8Array): boolean {
    for (let index = 0; index < bytes.length; ) {
      index = decodeSegments(bytes, index, this.#segments, this.#state, this.#context)
      if (isFull(this.#state) && !this.#giveOn()) return false
    }
    return true
  }

  /**
   * Gives on what is left. More may be pushed afterwards, which begins with a new segment.
   * @throws SourceMapFlaw where the mappings end in the middle of a number.
   */
  end(): boolean {
    return this.push(END) && this.#giveOn()
  }

  #giveOn(): boolean {
    const { count, isOrdered } = endBatch(this.#state, this.#segments)
    return count === 0 || this.#take(this.#segments, count, isOrdered) !== false
  }
}

/** A buffer as all that is decoded, so that one compiled loop serves. */
const END = Buffer.of(44)
