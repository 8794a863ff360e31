import { type ByteSource, MemoryBytes } from '@symup/core/resolving'
import { WeightedCache } from '../../cache.ts'
import { type StoredContent, withContent } from '../../content.ts'
import { field, IndexFile, type IndexFormat, writeIndexFile } from '../../index-file.ts'
import { PagedFile, readRange } from '../../paged-file.ts'
import { type ClassBlocks, findClassBlocks, MappingError } from './class-blocks.ts'
import { type MappedClass, parseMappedClass, sourceFileIn } from './mapped-class.ts'
import { parseClassLine } from './mapping-line.ts'

/** The positions of the classes in a mapping. The classes are read on demand. */
export interface MappingIndex {
  pgMapId?: string
  originalName(obfuscated: string): string | undefined
  /** @throws MappingError if the class is too large. */
  find(obfuscated: string): Promise<MappedClass | undefined>
  sourceFileOf(original: string): Promise<string | undefined>
  /** The approximate memory currently in use, in bytes. */
  readonly weight: number
  /** @param hear called whenever the weight changes. */
  watchWeight(hear: () => void): void
}

const HEADER_BYTES = 8 * 1024
/** The maximum size of a class entry in bytes. The largest generated classes are several times smaller. */
const MAX_CLASS = 8 * 1024 * 1024
/** The number of bytes to read for the comments about a class. R8 writes the comments directly below the class line. */
const CLASS_COMMENT_BYTES = 1024
const CACHED_CLASS_BYTES = 16 * 1024 * 1024
/** The approximate memory usage of an open mapping in bytes, excluding its classes. */
const MAPPING_BYTES = 2000

/** The ASCII characters SYMJ. */
const MAGIC = 0x4a4d_5953
/**
 * The numbers in each record. Records are sorted by their first number.
 * - `obfuscated`: the hash of the obfuscated name, the start and end of the class line, the end of the block, and the version of R8's
 *   information at the start of the block (see `VERSION_UNIT`).
 * - `originals`: the hash of the original name, the start and end of the class line, and the end of the block.
 */
const FORMAT: IndexFormat<MappingTable> = { magic: MAGIC, records: { obfuscated: 5, originals: 4 } }
type MappingTable = 'obfuscated' | 'originals'
const CLASS = { hash: 0, line: 1, start: 2, end: 3, version: 4 } as const

/** The factor that converts a version to an integer. Versions have up to four decimal places. */
const VERSION_UNIT = 10_000

interface MappingFacts {
  /** A sentence that explains why the mapping is unusable. */
  flaw?: string
  pgMapId?: string
}

/**
 * Creates the index for a mapping in memory. The mapping is scanned once, in chunks of a few MB.
 * @throws MappingError if the file is not a mapping or is too large, or the file system error if it cannot be read.
 */
export async function indexMapping(mapping: StoredContent): Promise<MappingIndex> {
  return openMapping(mapping, new MemoryBytes(makeMappingIndex(mapping)))
}

/**
 * Creates the index for a mapping. The index takes up about 36 bytes per class. If the file is invalid, the index contains the reason.
 * @throws the file system error if the file cannot be read.
 */
export function makeMappingIndex(mapping: StoredContent): Buffer {
  let blocks: ClassBlocks
  try {
    blocks = withContent(mapping, findClassBlocks)
  } catch (error) {
    if (!(error instanceof MappingError)) throw error
    return writeIndexFile(FORMAT, {}, { flaw: error.message } satisfies MappingFacts)
  }
  const pgMapId = readMapId(mapping)
  const facts: MappingFacts = pgMapId === undefined ? {} : { pgMapId }
  const { lines, starts, ends, versions } = blocks
  const toInteger = (version: number) => Math.round(version * VERSION_UNIT)
  const tables = {
    obfuscated: sortedTable(blocks.obfuscated, [lines, starts, ends, versions.map(toInteger)]),
    originals: sortedTable(blocks.originals, [lines, starts, ends]),
  }
  return writeIndexFile(FORMAT, tables, facts)
}

/**
 * Returns the id that R8 wrote into the mapping. Only the first lines of the mapping are read.
 * @throws the file system error if the file cannot be read.
 */
export function readMapId(mapping: StoredContent): string | undefined {
  const header = String(pagedContent(mapping, new WeightedCache(0)).read(0, HEADER_BYTES))
  return /^# pg_map_id: (\S{1,200})/m.exec(header)?.[1]
}

function pagedContent(content: StoredContent, pages: WeightedCache<unknown>): ByteSource {
  return typeof content === 'string' ? new PagedFile(content, pages) : new MemoryBytes(content)
}

/** If several classes have the same name, the last one is used, as in ReTrace. */
function sortedTable(names: readonly string[], columns: readonly (readonly number[])[]): Uint32Array {
  const last = new Map(names.map((name, block) => [name, block]))
  const sorted = Array.from(last, ([name, block]) => ({ hash: hashOf(name), block })).sort((a, b) => a.hash - b.hash)
  const width = columns.length + 1
  const table = new Uint32Array(sorted.length * width)
  for (const [index, { hash, block }] of sorted.entries())
    table.set([hash, ...columns.map((column) => column[block] as number)], index * width)
  return table
}

/** Computes an FNV-1a hash over UTF-16 code units. Hashes can collide, so callers also compare the class line. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** @throws MappingError if the file is not a mapping, or Error if the bytes are not an index of the current version. */
export function openMapping(content: StoredContent, indexBytes: ByteSource | string): MappingIndex {
  const cache = new WeightedCache<object>(CACHED_CLASS_BYTES)
  const bytes = typeof indexBytes === 'string' ? new PagedFile(indexBytes, cache) : indexBytes
  const index = new IndexFile<MappingTable, MappingFacts>(FORMAT, bytes)
  const { flaw, pgMapId } = index.facts
  if (flaw !== undefined) throw new MappingError(flaw)
  const mapping = pagedContent(content, cache)

  const textOf = (start: number, end: number): string => {
    const bytes = readRange(mapping, start, end)
    if (bytes.length < end - start) throw new Error('The file changed while it was being read.')
    return String(bytes)
  }
  const namesAt = (record: Buffer) =>
    parseClassLine(textOf(field(record, CLASS.line), field(record, CLASS.start)).trimEnd())
  const classOf = (table: MappingTable, name: string): { record: Buffer; original: string } | undefined => {
    const hash = hashOf(name)
    const count = index.count(table)
    for (let at = index.countWhile(table, (it) => field(it, CLASS.hash) < hash); at < count; at++) {
      const record = Buffer.from(index.record(table, at))
      if (field(record, CLASS.hash) !== hash) return undefined
      const names = namesAt(record)
      if (names?.[table === 'originals' ? 'original' : 'obfuscated'] === name)
        return { record, original: names.original }
    }
    return undefined
  }
  const read = (record: Buffer, original: string): MappedClass => {
    const [start, end] = [field(record, CLASS.start), field(record, CLASS.end)]
    const known = cache.get(String(start)) as MappedClass | undefined
    if (known) return known
    const length = end - start
    if (length > MAX_CLASS)
      throw new MappingError(`The entry for the class ${original} is too large (${length} bytes).`)
    const found = parseMappedClass(original, textOf(start, end), field(record, CLASS.version) / VERSION_UNIT)
    // A parsed class takes up several times as much memory as its text.
    cache.set(String(start), found, length * 4 + 200)
    return found
  }
  return {
    ...(pgMapId !== undefined && { pgMapId }),
    get weight() {
      return MAPPING_BYTES + (typeof indexBytes === 'string' ? 0 : indexBytes.size) + cache.weight
    },
    watchWeight(hear) {
      cache.onWeight = hear
    },
    originalName: (obfuscated) => classOf('obfuscated', obfuscated)?.original,
    async find(obfuscated) {
      const found = classOf('obfuscated', obfuscated)
      return found && read(found.record, found.original)
    },
    async sourceFileOf(original) {
      const found = classOf('originals', original)
      if (!found) return undefined
      const start = field(found.record, CLASS.start)
      return sourceFileIn(textOf(start, Math.min(start + CLASS_COMMENT_BYTES, field(found.record, CLASS.end))))
    },
  }
}
