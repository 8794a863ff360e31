import {
  type ByteSource,
  countBefore,
  MAX_MAP_LINES,
  type MapLayer,
  MappingDecoder,
  type MappingState,
  readPieces,
  SEGMENT,
  SourceMapFlaw,
  type SourceMapLayout,
  unescaped,
} from '@symup/core/resolving'
import { NumberList } from './number-list.ts'

/** The minimum size of a block. A block of this size contains about 1,500 segments. A lookup decodes one block. */
const BLOCK_BYTES = 8 * 1024
const [COMMA, SEMICOLON, BACKSLASH] = [0x2c, 0x3b, 0x5c]
/** A limit that accepts every source and name index. Invalid indexes are reported on lookup. */
const ANY = 2 ** 31 - 1

export interface IndexedMappings {
  blocks: NumberList
  unordered: NumberList
}

/**
 * Splits the mappings into blocks and decodes them once.
 * @param blockBytes the minimum size of a block. Each block extends to the next separator.
 * @throws SourceMapFlaw if the mappings are invalid, or the file system error if they cannot be read.
 */
export function indexMappings(
  bytes: ByteSource,
  { layers }: SourceMapLayout,
  blockBytes = BLOCK_BYTES,
): IndexedMappings {
  const indexed = { blocks: new NumberList(), unordered: new NumberList() }
  for (const index of layers.keys()) new LayerIndexer(bytes, layers, index, indexed).run(blockBytes)
  return indexed
}

class LayerIndexer {
  readonly #bytes: ByteSource
  readonly #layer: MapLayer
  readonly #next: MapLayer | undefined
  readonly #index: number
  readonly #indexed: IndexedMappings
  #state: MappingState
  #isCut = false
  #count = 0
  #firstLine = 0
  #firstColumn = 0
  #lastLine = -1
  #lastColumn = 0
  #lastUnordered = -1

  constructor(bytes: ByteSource, layers: readonly MapLayer[], index: number, indexed: IndexedMappings) {
    this.#bytes = bytes
    this.#layer = layers[index] as MapLayer
    this.#next = layers[index + 1]
    this.#index = index
    this.#indexed = indexed
    this.#state = { ...START, line: this.#layer.line }
  }

  run(blockBytes: number): void {
    const { mappings } = this.#layer
    let start = mappings.start
    let carry: Buffer[] = []
    let carried = 0
    readPieces(this.#bytes, mappings, (piece) => {
      let from = 0
      for (;;) {
        const cut = separatorFrom(piece, from + Math.max(0, blockBytes - carried))
        if (cut === -1) break
        const part = piece.subarray(from, cut + 1)
        this.#addBlock(carried > 0 ? Buffer.concat([...carry, part]) : part, start)
        start += carried + part.length
        from = cut + 1
        carry = []
        carried = 0
      }
      carry.push(Buffer.from(piece.subarray(from)))
      carried += piece.length - from
      return true
    })
    if (carried > 0) this.#addBlock(Buffer.concat(carry), start)
  }

  /** @throws SourceMapFlaw if the mappings are invalid. */
  #addBlock(raw: Buffer, start: number): void {
    const before = this.#state
    this.#count = 0
    const decoder = new MappingDecoder(contextOf(this.#layer), this.#take, before)
    decoder.push(withoutEscapes(raw))
    decoder.end()
    this.#state = decoder.state
    if (this.#state.line > MAX_MAP_LINES)
      throw new SourceMapFlaw('too-many', `The source map covers more than ${MAX_MAP_LINES} lines.`)
    this.#push(raw, start, before)
  }

  #push(raw: Buffer, start: number, { line, column, source, originalLine, originalColumn, name }: MappingState): void {
    if (this.#count === 0) return
    const state = [line, column, source, originalLine, originalColumn, name]
    const first = [this.#firstLine, this.#firstColumn, this.#count, this.#index]
    this.#indexed.blocks.push(start, start + raw.length, ...state, ...first)
  }

  #take = (segments: Int32Array, count: number): boolean => {
    // Mappings after the start of the next section are also decoded, because an invalid mapping makes the whole map invalid.
    const kept = this.#isCut ? 0 : this.#next ? countBefore(segments, count, this.#next) : count
    this.#isCut = kept < count
    if (kept === 0) return true
    if (this.#count === 0) {
      this.#firstLine = segments[0] as number
      this.#firstColumn = segments[1] as number
    }
    this.#count += kept
    for (let index = 0; index < kept; index++) this.#pass(segments, index * SEGMENT)
    return true
  }

  /** Records lines with unsorted segments. */
  #pass(segments: Int32Array, at: number): void {
    const line = segments[at] as number
    const column = segments[at + 1] as number
    if (line === this.#lastLine && column < this.#lastColumn && line !== this.#lastUnordered) {
      this.#indexed.unordered.push(line)
      this.#lastUnordered = line
    }
    this.#lastLine = line
    this.#lastColumn = column
  }
}

const START: MappingState = { line: 0, column: 0, source: 0, originalLine: 0, originalColumn: 0, name: 0 }

export function contextOf({
  line,
  column,
  firstSource,
  firstName,
}: Omit<MapLayer, 'mappings' | 'sources' | 'contents' | 'names'>) {
  return { line, column, firstSource, firstName, sources: ANY, names: ANY }
}

export function withoutEscapes(raw: Buffer): Buffer {
  return raw.includes(BACKSLASH) ? unescaped(raw.toString('latin1')) : raw
}

function separatorFrom(piece: Buffer, from: number): number {
  for (let at = from; at < piece.length; at++) if (piece[at] === COMMA || piece[at] === SEMICOLON) return at
  return -1
}
