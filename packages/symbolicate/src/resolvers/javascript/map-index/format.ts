import type { ByteSource } from '@symup/core/resolving'
import { IndexFile, type IndexFormat, writeIndexFile } from '../../../index-file.ts'

export { field } from '../../../index-file.ts'

const MAGIC = 0x494d_5953 // SYMI
/**
 * Tables whose records consist of 32-bit numbers, in file order. Offsets refer to the map's bytes; generated lines and columns are 0-based.
 * - `layers`: one for the map, or one per section: see `LAYER`.
 * - `blocks`: see `BLOCK`.
 * - `sources`, `contents`, `names`, `metadata`: start and end of each text, 0 and 0 for `null`; for sources, contents
 *   and metadata by source number.
 * - `ignored`: numbers of sources.
 * - `unordered`: lines with unsorted segments.
 * - `lines`: where each line starts in the script, in UTF-16 code units, followed by the script's length plus
 *   one; empty without a script.
 * - `mapLines`: the same for the lines that the map counts, if they differ from the lines that JavaScript engines count.
 * - `pages`: the first eight bytes of the SHA-256 of each 32 KiB of the map; empty in a temporary index.
 * - `functions`: see `FUNCTION`, ordered by start.
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

/** How many bytes of the map each checksum covers. */
export const CHECKED_BYTES = 32 * 1024

/** Start of a section, its first source and name, and the ranges of its `sourceRoot` and `scopes`; 0 and 0 if missing. */
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
 * A part of `mappings` that can be decoded separately: its range, the decoder's state before it, its first segment, and
 * its number of segments.
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
 * A function in the script. Offsets are in UTF-16 code units. Name offsets and the index of the enclosing function are
 * stored plus one; 0 means none.
 */
export const FUNCTION = { start: 0, end: 1, name: 2, owner: 3, around: 4, isConstructor: 5 } as const

/** Why function names are unknown. */
export type NamelessReason = 'too-large' | 'too-expensive'

/** Facts that the tables do not contain. */
export interface IndexFacts {
  /** Why the map is unusable, as a sentence. The tables are then empty. */
  flaw?: string
  nameless?: NamelessReason
  /** Whether at least one section has scopes. */
  hasScopes?: boolean
}

/** The bytes of an index. */
export function writeIndex(tables: Partial<Record<IndexTable, Uint32Array>>, facts: IndexFacts): Buffer {
  return writeIndexFile(FORMAT, tables, facts)
}

/** Reads the index of a source map in place. */
export class IndexReader extends IndexFile<IndexTable, IndexFacts> {
  /** @throws Error if the bytes are not a complete index of this version. */
  constructor(bytes: ByteSource) {
    super(FORMAT, bytes)
  }
}
