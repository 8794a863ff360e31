import { endianness } from 'node:os'
import type { ByteSource } from '@symup/core/internal'

/** Raise it whenever the bytes change, or what they mean: an index of another version is made anew. */
export const INDEX_VERSION = 1

const MAGIC = 0x494d_5953 // SYMI
const NUMBER_BYTES = 4
/**
 * Lists of records, numbers of 32 bits each, in this order in the file. Offsets are into the map's bytes, generated lines and columns count from 0.
 * - `layers`: one for the map, or one for each section: see `LAYER`.
 * - `blocks`: see `BLOCK`.
 * - `sources`, `contents`, `names`, `metadata`: begin and end of each text, 0 and 0 for `null`; of sources, contents and metadata by the number of the source.
 * - `ignored`: numbers of sources.
 * - `unordered`: lines whose segments are not in order.
 * - `lines`: offset in the script, in UTF-16 code units, where each line begins, and at last the length of the script and one; none without a script.
 * - `functions`: see `FUNCTION`, in the order of their begin.
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
  functions: 6,
} as const

export type IndexTable = keyof typeof RECORD_NUMBERS
const TABLES = Object.keys(RECORD_NUMBERS) as IndexTable[]

/** Where a section begins, its first source and name, and where its `sourceRoot` and `scopes` stand; 0 and 0 for none. */
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

/** A stretch of `mappings` that can be decoded on its own: where it is, the decoder's state before it, its first segment, and how many it has. */
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
 * A function of the script. Offsets are in UTF-16 code units; those of the names and the number of the function around it are one more than they say, 0 for none.
 */
export const FUNCTION = { start: 0, end: 1, name: 2, owner: 3, around: 4, isConstructor: 5 } as const

/** Why the names of functions are not known. */
export type NamelessReason = 'too-large' | 'too-expensive'

/** What there is beside the tables. */
export interface IndexFacts {
  /** Why the map cannot be used, as the end of a sentence; the tables are empty then. */
  flaw?: string
  nameless?: NamelessReason
  /** Some section has scopes. */
  hasScopes?: boolean
}

/** Magic, version, size of all; length of the facts; then offset and count of each table. */
const HEADER_NUMBERS = 4 + 2 * TABLES.length
const HEADER_BYTES = HEADER_NUMBERS * NUMBER_BYTES
const MAX_FACTS = 64 * 1024

/** The bytes of an index. They are little-endian on every machine. */
export function writeIndex(tables: Partial<Record<IndexTable, Uint32Array>>, facts: IndexFacts): Buffer {
  const text = Buffer.from(JSON.stringify(facts))
  const padded = Buffer.alloc(Math.ceil(text.length / NUMBER_BYTES) * NUMBER_BYTES)
  text.copy(padded)
  const header = new Uint32Array(HEADER_NUMBERS)
  const contents: Uint32Array[] = []
  let offset = HEADER_BYTES + padded.length
  for (const [index, name] of TABLES.entries()) {
    const numbers = tables[name] ?? new Uint32Array(0)
    header[4 + 2 * index] = offset
    header[5 + 2 * index] = numbers.length / RECORD_NUMBERS[name]
    contents.push(numbers)
    offset += numbers.length * NUMBER_BYTES
  }
  header.set([MAGIC, INDEX_VERSION, offset, text.length])
  return Buffer.concat([littleEndian(header), padded, ...contents.map(littleEndian)])
}

function littleEndian(numbers: Uint32Array): Buffer {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  return endianness() === 'LE' ? bytes : Buffer.from(bytes).swap32()
}

/** Reads numbers of an index where they are, without holding it. */
export class IndexReader {
  readonly facts: IndexFacts
  readonly #bytes: ByteSource
  readonly #offsets = new Map<IndexTable, number>()
  readonly #counts = new Map<IndexTable, number>()

  /** @throws Error when the bytes are not an index of this version, or not whole. */
  constructor(bytes: ByteSource) {
    this.#bytes = bytes
    const header = bytes.read(0, HEADER_BYTES)
    if (header.length < HEADER_BYTES) throw new Error('the index is truncated')
    const [magic, version, size, factsLength] = [0, 1, 2, 3].map((at) => header.readUInt32LE(at * NUMBER_BYTES)) as [
      number,
      number,
      number,
      number,
    ]
    if (magic !== MAGIC || version !== INDEX_VERSION) throw new Error('this is not an index of the current version')
    if (size !== bytes.size || factsLength > MAX_FACTS) throw new Error('the index is damaged')
    for (const [index, name] of TABLES.entries()) {
      const offset = header.readUInt32LE((4 + 2 * index) * NUMBER_BYTES)
      const count = header.readUInt32LE((5 + 2 * index) * NUMBER_BYTES)
      if (offset + count * RECORD_NUMBERS[name] * NUMBER_BYTES > size) throw new Error('the index is damaged')
      this.#offsets.set(name, offset)
      this.#counts.set(name, count)
    }
    this.facts = JSON.parse(bytes.read(HEADER_BYTES, factsLength).toString('utf8'))
  }

  count(table: IndexTable): number {
    return this.#counts.get(table) as number
  }

  /** One number of a record. @throws RangeError when there is none. */
  at(table: IndexTable, record: number, field = 0): number {
    return this.record(table, record).readUInt32LE(field * NUMBER_BYTES)
  }

  /** The bytes of a record; valid until the next call. */
  record(table: IndexTable, record: number): Buffer {
    if (!(record >= 0 && record < this.count(table))) throw new RangeError(`the index has no ${table}[${record}]`)
    const size = RECORD_NUMBERS[table] * NUMBER_BYTES
    return this.#bytes.read((this.#offsets.get(table) as number) + record * size, size)
  }

  /** How many of the first records fulfil a condition that none fulfils after one that does not. */
  countWhile(table: IndexTable, holds: (record: Buffer) => boolean): number {
    let low = 0
    let high = this.count(table)
    while (low < high) {
      const middle = (low + high) >> 1
      if (holds(this.record(table, middle))) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** A field of a record. */
export function field(record: Buffer, index: number): number {
  return record.readUInt32LE(index * NUMBER_BYTES)
}
