import { endianness } from 'node:os'
import { type ByteSource, firstAbove } from '@symup/core/resolving'

/** Increase this number when the format of any index changes, so that existing indexes are rebuilt. */
export const INDEX_VERSION = 4

const NUMBER_BYTES = 4
const MAX_FACTS = 64 * 1024

/** The tables in an index file. Records consist of 32-bit numbers. */
export interface IndexFormat<Table extends string> {
  magic: number
  /** The number of fields in each table's records. The tables are listed in the order in which they are stored. */
  records: Readonly<Record<Table, number>>
}

/**
 * The header contains the magic number, the version, the total size and the size of the metadata. The offset and record count of each table
 * follow.
 */
function headerNumbers(format: IndexFormat<string>): number {
  return 4 + 2 * Object.keys(format.records).length
}

/** Writes an index that consists of tables and JSON metadata. Numbers are little-endian on every machine. */
export function writeIndexFile<Table extends string>(
  format: IndexFormat<Table>,
  tables: Partial<Record<Table, Uint32Array>>,
  facts: object,
): Buffer {
  const text = Buffer.from(JSON.stringify(facts))
  const padded = Buffer.alloc(Math.ceil(text.length / NUMBER_BYTES) * NUMBER_BYTES)
  text.copy(padded)
  const header = new Uint32Array(headerNumbers(format))
  const contents: Uint32Array[] = []
  let offset = header.byteLength + padded.length
  for (const [index, name] of (Object.keys(format.records) as Table[]).entries()) {
    const numbers = tables[name] ?? new Uint32Array(0)
    header[4 + 2 * index] = offset
    header[5 + 2 * index] = numbers.length / format.records[name]
    contents.push(numbers)
    offset += numbers.length * NUMBER_BYTES
  }
  header.set([format.magic, INDEX_VERSION, offset, text.length])
  return Buffer.concat([littleEndian(header), padded, ...contents.map(littleEndian)])
}

function littleEndian(numbers: Uint32Array): Buffer {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  return endianness() === 'LE' ? bytes : Buffer.from(bytes).swap32()
}

/** Reads an index without loading it into memory. */
export class IndexFile<Table extends string, Facts extends object> {
  readonly facts: Facts
  readonly #bytes: ByteSource
  readonly #records: Readonly<Record<Table, number>>
  readonly #offsets = new Map<Table, number>()
  readonly #counts = new Map<Table, number>()

  /** @throws Error if the bytes are not a complete index of the current version. */
  constructor(format: IndexFormat<Table>, bytes: ByteSource) {
    this.#bytes = bytes
    this.#records = format.records
    const headerBytes = headerNumbers(format) * NUMBER_BYTES
    const header = bytes.read(0, headerBytes)
    if (header.length < headerBytes) throw new Error('The symbol index is truncated.')
    const [magic, version, size, factsLength] = [0, 1, 2, 3].map((at) => header.readUInt32LE(at * NUMBER_BYTES)) as [
      number,
      number,
      number,
      number,
    ]
    if (magic !== format.magic || version !== INDEX_VERSION)
      throw new Error('The version of the symbol index is not supported.')
    if (size !== bytes.size || factsLength > MAX_FACTS) throw new Error('The symbol index is damaged.')
    for (const [index, name] of (Object.keys(format.records) as Table[]).entries()) {
      const offset = header.readUInt32LE((4 + 2 * index) * NUMBER_BYTES)
      const count = header.readUInt32LE((5 + 2 * index) * NUMBER_BYTES)
      if (offset + count * format.records[name] * NUMBER_BYTES > size) throw new Error('The symbol index is damaged.')
      this.#offsets.set(name, offset)
      this.#counts.set(name, count)
    }
    this.facts = JSON.parse(bytes.read(headerBytes, factsLength).toString('utf8'))
  }

  count(table: Table): number {
    return this.#counts.get(table) as number
  }

  /** Returns one field of a record. @throws RangeError if the record does not exist. */
  at(table: Table, record: number, field = 0): number {
    return this.record(table, record).readUInt32LE(field * NUMBER_BYTES)
  }

  /** Returns the bytes of a record, which are valid until the next call. */
  record(table: Table, record: number): Buffer {
    if (!(record >= 0 && record < this.count(table)))
      throw new RangeError(`The symbol index does not contain ${table}[${record}].`)
    const size = this.#records[table] * NUMBER_BYTES
    return this.#bytes.read((this.#offsets.get(table) as number) + record * size, size)
  }

  /**
   * Returns the number of records at the start of a table that meet a condition. Records that meet the condition must precede all other
   * records.
   */
  countWhile(table: Table, holds: (record: Buffer) => boolean): number {
    return firstAbove(this.count(table), (at) => !holds(this.record(table, at)))
  }
}

export function field(record: Buffer, index: number): number {
  return record.readUInt32LE(index * NUMBER_BYTES)
}
