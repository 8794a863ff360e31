import { WeightedCache } from '../../cache.ts'
import type { StoredBytes } from '../../stored-bytes.ts'
import { type MappedClass, parseMappedClass, sourceFileIn } from './mapped-class.ts'
import { infoVersion, MAPPING_VERSION_ID, parseClassLine, parseInfo } from './mapping-line.ts'

/** Where each class of a mapping is; the classes themselves are read when a stack names them. */
export interface MappingIndex {
  /** Classes in the file. */
  classes: number
  /** R8's id of the mapping, when it has one. */
  pgMapId?: string
  /** Whether R8 wrote it: its rules then hold where they differ from ProGuard's. */
  isR8: boolean
  /** The obfuscated class's original name. */
  originalName(obfuscated: string): string | undefined
  /** @throws MappingError when the class is too large to be one. */
  find(obfuscated: string): Promise<MappedClass | undefined>
  /** The source file that R8 wrote for an original class. */
  sourceFileOf(original: string): Promise<string | undefined>
  /** Bytes that the index takes, about. */
  weight: number
}

/** Why a mapping cannot be used, as the end of a sentence. */
export class MappingError extends Error {}

const CHUNK_BYTES = 4 * 1024 * 1024
const HEADER_BYTES = 8 * 1024
/** A class line is its two names; a longer one is none. */
const MAX_CLASS_LINE = 16 * 1024
/** The largest apps have a third of it. */
const MAX_CLASSES = 1_000_000
/** Bytes of class names: half of what a resolver may take. */
const MAX_NAME_BYTES = 128 * 1024 * 1024
/** Several times what the largest generated classes take. */
const MAX_CLASS = 8 * 1024 * 1024
/** What R8 says of a class stands right below its line. */
const CLASS_COMMENT_BYTES = 1024
const CACHED_CLASS_BYTES = 16 * 1024 * 1024

const NEWLINE = 10
const SPACE = 32
const TAB = 9
const HASH = 35
const COLON = 58
const RETURN = 13

interface Blocks {
  originals: string[]
  /** Position after the class line, and the end of the block. */
  starts: number[]
  ends: number[]
  /** Version of R8's information that holds from the start of the block. */
  versions: number[]
  byObfuscated: Map<string, number>
  nameBytes: number
  /** Whether R8 said a version, or a source file, anywhere. */
  sawInfo: boolean
}

/**
 * Goes through a mapping once, a few MB at a time, and notes where each class is.
 * @throws MappingError when the file is not a mapping, or is larger than any real one; whatever reading throws.
 */
export async function indexMapping(source: StoredBytes): Promise<MappingIndex> {
  const header = Buffer.from(await source.read(0, Math.min(HEADER_BYTES, source.size))).toString('utf8')
  const blocks = await findBlocks(source)
  const pgMapId = /^# pg_map_id: (\S{1,200})/m.exec(header)?.[1]
  let byOriginal: Map<string, number> | undefined
  const cache = new WeightedCache<MappedClass>(CACHED_CLASS_BYTES)

  const read = async (block: number): Promise<MappedClass> => {
    const cached = cache.get(String(block))
    if (cached) return cached
    const start = blocks.starts[block] as number
    const length = (blocks.ends[block] as number) - start
    const original = blocks.originals[block] as string
    if (length > MAX_CLASS) throw new MappingError(`the class ${original} alone has ${length} bytes`)
    const text = Buffer.from(await source.read(start, length)).toString('utf8')
    const found = parseMappedClass(original, text, blocks.versions[block] as number)
    // Parsed, a class takes several times its text.
    cache.set(String(block), found, length * 4 + 200)
    return found
  }
  return {
    classes: blocks.originals.length,
    isR8: blocks.sawInfo || /^# compiler: (?:R8|D8)/m.test(header),
    ...(pgMapId !== undefined && { pgMapId }),
    weight: blocks.nameBytes * 2 + blocks.originals.length * 120 + CACHED_CLASS_BYTES,
    originalName(obfuscated) {
      const block = blocks.byObfuscated.get(obfuscated)
      return block === undefined ? undefined : blocks.originals[block]
    },
    async find(obfuscated) {
      const block = blocks.byObfuscated.get(obfuscated)
      return block === undefined ? undefined : read(block)
    },
    async sourceFileOf(original) {
      byOriginal ??= new Map(blocks.originals.map((name, block) => [name, block]))
      const block = byOriginal.get(original)
      if (block === undefined) return undefined
      const start = blocks.starts[block] as number
      const length = Math.min(CLASS_COMMENT_BYTES, (blocks.ends[block] as number) - start)
      return sourceFileIn(Buffer.from(await source.read(start, length)).toString('utf8'))
    },
  }
}

async function findBlocks(source: StoredBytes): Promise<Blocks> {
  const blocks: Blocks = {
    originals: [],
    starts: [],
    ends: [],
    versions: [],
    byObfuscated: new Map(),
    nameBytes: 0,
    sawInfo: false,
  }
  let version = 0
  for (let position = 0; position < source.size; ) {
    const chunk = bufferOf(await source.read(position, Math.min(CHUNK_BYTES, source.size - position)))
    if (chunk.length === 0) break
    const isLast = position + chunk.length >= source.size
    // A line whose end is in the next chunk is read again with it.
    const end = isLast ? chunk.length : chunk.lastIndexOf(NEWLINE) + 1
    if (end === 0) throw new MappingError(`it has a line of more than ${CHUNK_BYTES} bytes`)
    version = findBlocksIn(chunk, end, position, version, blocks)
    position += end
  }
  blocks.ends.push(source.size)
  if (blocks.originals.length === 0) throw new MappingError('no line of it names a class')
  return blocks
}

/**
 * Notes the blocks that begin in whole lines.
 * @param base where the chunk stands in the file.
 * @returns the version that holds after them.
 */
function findBlocksIn(chunk: Buffer, end: number, base: number, version: number, blocks: Blocks): number {
  let current = version
  for (let at = 0, next = 0; at < end; at = next) {
    const newline = chunk.indexOf(NEWLINE, at)
    next = newline === -1 ? end : newline + 1
    const first = chunk[at]
    if (first === SPACE || first === TAB || first === NEWLINE) continue
    let last = newline === -1 ? end : newline
    while (last > at && (chunk[last - 1] === RETURN || chunk[last - 1] === SPACE)) last--
    if (first === HASH) current = versionSaid(chunk, at, last, blocks) ?? current
    else if (chunk[last - 1] === COLON && last - at <= MAX_CLASS_LINE) {
      addBlock(blocks, chunk.toString('utf8', at, last), base + at, base + next, current)
    }
  }
  return current
}

/** The same bytes. */
function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

/** How R8 begins the comments that are most of those outside of members. */
const SOURCE_FILE = Buffer.from('# {"id":"sourceFile"')

function versionSaid(chunk: Buffer, start: number, end: number, blocks: Blocks): number | undefined {
  if (end - start > MAX_CLASS_LINE) return undefined
  if (blocks.sawInfo && chunk.compare(SOURCE_FILE, 0, SOURCE_FILE.length, start, start + SOURCE_FILE.length) === 0)
    return undefined
  const comment = chunk.toString('latin1', start, end)
  blocks.sawInfo ||= comment.includes('"sourceFile"')
  if (!comment.includes(MAPPING_VERSION_ID)) return undefined
  const info = parseInfo(comment)
  if (info?.id !== MAPPING_VERSION_ID) return undefined
  blocks.sawInfo = true
  return infoVersion(info.version)
}

function addBlock(blocks: Blocks, line: string, lineStart: number, start: number, version: number): void {
  const names = parseClassLine(line)
  if (!names) return
  const block = blocks.originals.length
  if (block > 0) blocks.ends.push(lineStart)
  blocks.originals.push(names.original)
  blocks.starts.push(start)
  blocks.versions.push(version)
  // The last one counts, as in ReTrace.
  blocks.byObfuscated.set(names.obfuscated, block)
  blocks.nameBytes += line.length
  if (block >= MAX_CLASSES) throw new MappingError(`it names more than ${MAX_CLASSES} classes`)
  if (blocks.nameBytes > MAX_NAME_BYTES) throw new MappingError('its class names are longer than any real ones')
}
