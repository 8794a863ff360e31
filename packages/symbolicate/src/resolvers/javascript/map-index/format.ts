import type { ByteSource } from '@symup/core/resolving'
import { IndexFile, type IndexFormat, writeIndexFile } from '../../../index-file.ts'

export { field } from '../../../index-file.ts'

const MAGIC = 0x494d_5953 // The ASCII characters SYMI
/**
 * The tables in an index, in the order in which they are stored, with the number of 32-bit numbers per record. Offsets are in bytes and
 * relative to the start of the map. Generated lines and columns are zero-based.
 * - `layers`: one `LAYER` record for the map, or one per section.
 * - `blocks`: one `BLOCK` record per block.
 * - `sources`, `contents`, `names`, `metadata`: the start and end of each string, or 0 and 0 for `null`. `contents` and `metadata` are
 *   indexed by source.
 * - `ignored`: the indexes of ignored sources.
 * - `unordered`: the lines with unsorted segments.
 * - `lines`: the offset of each line in the script in UTF-16 code units, followed by the length of the script plus one. The table is empty
 *   if there is no script.
 * - `mapLines`: like `lines`, but according to the map. The table is used if the map counts lines differently from JavaScript engines.
 * - `pages`: the first eight bytes of the SHA-256 hash of each 32 KiB of the map. The table is empty in a temporary index.
 * - `functions`: one `FUNCTION` record per function, sorted by start.
 */
export const RECORD_NUMBERS = {
  layers: 8,
  blocks: 12,
  sources: 2,
  contents: 2,
  names: 2,
  metadata: 2,
  ignored: 1,
  unordered: 1,
  lines: 1,
  mapLines: 1,
  pages: 2,
  functions: 6,
} as const

export type IndexTable = keyof typeof RECORD_NUMBERS
const FORMAT: IndexFormat<IndexTable> = { magic: MAGIC, records: RECORD_NUMBERS }

/** The number of bytes that each checksum covers. */
export const CHECKED_BYTES = 32 * 1024

/**
 * Fields of a layer: the start of the section, the indexes of its first source and first name, and the ranges of its `sourceRoot` and
 * `scopes`. A missing range is stored as 0 and 0.
 */
export const LAYER = {
  line: 0,
  column: 1,
  firstSource: 2,
  firstName: 3,
  sourceRoot: 4,
  sourceRootEnd: 5,
  scopes: 6,
  scopesEnd: 7,
} as const

/**
 * Fields of a block, which is a part of `mappings` that can be decoded separately. `line` to `name` contain the state of the decoder at the
 * start of the block.
 */
export const BLOCK = {
  start: 0,
  end: 1,
  line: 2,
  column: 3,
  source: 4,
  originalLine: 5,
  originalColumn: 6,
  name: 7,
  firstLine: 8,
  firstColumn: 9,
  count: 10,
  layer: 11,
} as const

/**
 * Fields of a function in the script. Offsets are in UTF-16 code units. Name offsets and the index of the enclosing function are stored
 * plus one, because 0 represents a missing value.
 */
export const FUNCTION = { start: 0, end: 1, name: 2, owner: 3, around: 4, isConstructor: 5 } as const

export type NamelessReason = 'too-large' | 'too-expensive'

export interface IndexFacts {
  /** A sentence that explains why the map is unusable. If set, the tables are empty. */
  flaw?: string
  nameless?: NamelessReason
  hasScopes?: boolean
}

export function writeIndex(tables: Partial<Record<IndexTable, Uint32Array>>, facts: IndexFacts): Buffer {
  return writeIndexFile(FORMAT, tables, facts)
}

export class IndexReader extends IndexFile<IndexTable, IndexFacts> {
  /** @throws Error if the bytes are not a complete index of the current version. */
  constructor(bytes: ByteSource) {
    super(FORMAT, bytes)
  }
}
