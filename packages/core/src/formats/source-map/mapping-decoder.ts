import { t } from '../../text.ts'
import { SourceMapFlaw } from './flaw.ts'
import { BATCH, kernel, SEGMENT } from './kernel.ts'

export { SEGMENT } from './kernel.ts'
/** Where the numbers of runs stand, behind the segments. */
export const RUNS = BATCH * SEGMENT

/**
 * What is given segments as they are decoded: `count` of them, {@link SEGMENT} numbers each, in memory that is used again, also by other decoders, of which it uses none; whether the columns of each line
 * ascend. From {@link RUNS} on stands where runs begin, stretches of one line and one source: the number of the first segment of each, and at last how many segments there are, or
 * more. Returns `false` to end the walk.
 */
export type TakeSegments = (segments: Int32Array, count: number, isOrdered: boolean) => boolean | undefined

export interface MappingContext {
  /** Where the mappings begin in the generated file, and how sources and names are numbered. */
  line: number
  column: number
  firstSource: number
  firstName: number
  /** How many sources and names there are to lead to. */
  sources: number
  names: number
}

/** Where decoding stands between two segments: what it takes to go on from there. Columns and numbers are the map's own, before any offset is added. */
export interface MappingState {
  line: number
  column: number
  source: number
  originalLine: number
  originalColumn: number
  name: number
}

/**
 * Which number is which of those with which the kernel decodes. First is the {@link MappingState}, then how many numbers of the segment are read; segments in the batch, all differences
 * between its columns, negative when one was, runs, and the line of the last one; the {@link MappingContext}; what is wrong.
 */
const [SOURCE, NAME, FIELDS, COUNT, SIGNS, RUN_COUNT, RUN_LINE, CONTEXT, SOURCES, NAMES, FLAW] = [
  2, 5, 6, 9, 10, 11, 12, 14, 18, 19, 20,
]

/** Whose numbers the kernel has. */
let current: MappingDecoder | undefined

/** Decodes `mappings` from bytes that come in pieces of any size; memory does not grow with the map. */
export class MappingDecoder {
  readonly #kernel = kernel()
  readonly #take: TakeSegments
  /** The kernel's numbers, and segments of a batch that is not full, while another decoder uses it. */
  readonly #state = new Int32Array(this.#kernel.state.length)
  #segments: Int32Array | undefined

  /** @param from where to go on; without it, at the beginning. */
  constructor(context: MappingContext, take: TakeSegments, from?: MappingState) {
    this.#take = take
    const { line, column, firstSource, firstName, sources, names } = context
    const { source = 0, originalLine = 0, originalColumn = 0, name = 0 } = from ?? {}
    const state = this.#state
    state.set([from?.line ?? line, from?.column ?? 0, source, originalLine, originalColumn, name])
    state[RUN_LINE] = -1
    state.set([line, column, firstSource, firstName, sources, names], CONTEXT)
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
  push(bytes: Buffer): boolean {
    this.#enter()
    const { run, state } = this.#kernel
    for (let index = 0; index < bytes.length; ) {
      const piece = this.#kernel.within(bytes, index)
      index += piece.length
      const end = piece.byteOffset + piece.length
      for (let at = piece.byteOffset; at < end; ) {
        at = run.decodeSegments(at, end)
        if (state[FLAW] !== 0) throw flawOf(state)
        if (state[COUNT] === BATCH && !this.#giveOn()) return false
      }
    }
    return true
  }

  /**
   * Gives on what is left. More may be pushed afterwards, which begins with a new segment.
   * @throws SourceMapFlaw where the mappings end in the middle of a number.
   */
  end(): boolean {
    const goesOn = this.push(END) && this.#giveOn()
    this.#leave()
    current = undefined
    return goesOn
  }

  #giveOn(): boolean {
    const { state, segments } = this.#kernel
    const count = state[COUNT] as number
    const isOrdered = (state[SIGNS] as number) >= 0
    segments[RUNS + (state[RUN_COUNT] as number)] = count
    state[COUNT] = 0
    state[SIGNS] = 0
    state[RUN_COUNT] = 0
    state[RUN_LINE] = -1
    return count === 0 || this.#take(segments, count, isOrdered) !== false
  }

  #enter(): void {
    if (current === this) return
    if (current) current.#leave()
    current = this
    this.#kernel.state.set(this.#state)
    if (this.#segments) this.#kernel.segments.set(this.#segments)
    this.#segments = undefined
  }

  #leave(): void {
    const { state, segments } = this.#kernel
    this.#state.set(state)
    if (state[COUNT] !== 0) this.#segments = segments.slice()
  }
}

const END = Buffer.of(44)

/** What is wrong, by the kernel's number for it. */
function flawOf(state: Int32Array): SourceMapFlaw {
  const [fields, source, name, sources, names] = [FIELDS, SOURCE, NAME, SOURCES, NAMES].map((it) => state[it])
  const messages = [
    () => t`have a number that is out of range`,
    () => t`hold a character that is not a number`,
    () => t`end in the middle of a number`,
    () => t`lead to a negative position`,
    () => t`have a segment of ${fields} numbers`,
    () => t`lead to source ${source} of ${sources}`,
    () => t`lead to name ${name} of ${names}`,
  ]
  const message = messages[(state[FLAW] as number) - 1] as () => string
  return new SourceMapFlaw('bad-mappings', t`has mappings that ${message()}`)
}
