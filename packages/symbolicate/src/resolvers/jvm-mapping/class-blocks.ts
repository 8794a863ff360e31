import type { ByteSource } from '@symup/core/resolving'
import { infoVersion, MAPPING_VERSION_ID, parseClassLine, parseInfo } from './mapping-line.ts'

/** Thrown if a mapping is unusable. The message is a sentence that explains why. */
export class MappingError extends Error {}

const CHUNK_BYTES = 4 * 1024 * 1024
const MAX_CLASS_LINE = 16 * 1024
/** The maximum number of classes. The largest apps have about a third as many. */
const MAX_CLASSES = 1_000_000
/** The maximum size of a mapping in bytes. Positions in the index are 32-bit numbers. */
const MAX_SIZE = 2 ** 32 - 1
/** The maximum total size of class names in bytes. The limit is half of a resolver's memory limit. */
const MAX_NAME_BYTES = 128 * 1024 * 1024

const NEWLINE = 10
const SPACE = 32
const TAB = 9
const HASH = 35
const COLON = 58
const RETURN = 13

export interface ClassBlocks {
  originals: string[]
  obfuscated: string[]
  /** `lines` contains the start of each class line. `starts` and `ends` contain the start and end of the block below the class line. */
  lines: number[]
  starts: number[]
  ends: number[]
  versions: number[]
  nameBytes: number
}

/**
 * Scans a mapping once, in chunks of a few MB, and records the position of each class.
 * @throws MappingError if the file is not a mapping or is too large, or the file system error if it cannot be read.
 */
export function findClassBlocks(source: ByteSource): ClassBlocks {
  if (source.size > MAX_SIZE) throw new MappingError(`The file is larger than ${MAX_SIZE} bytes.`)
  const blocks: ClassBlocks = {
    originals: [],
    obfuscated: [],
    lines: [],
    starts: [],
    ends: [],
    versions: [],
    nameBytes: 0,
  }
  let version = 0
  for (let position = 0; position < source.size; ) {
    const chunk = source.read(position, Math.min(CHUNK_BYTES, source.size - position))
    if (chunk.length === 0) break
    const isLast = position + chunk.length >= source.size
    const end = isLast ? chunk.length : chunk.lastIndexOf(NEWLINE) + 1
    if (end === 0) throw new MappingError(`The file contains a line that is longer than ${CHUNK_BYTES} bytes.`)
    version = findBlocksIn(chunk, end, position, version, blocks)
    position += end
  }
  blocks.ends.push(source.size)
  if (blocks.originals.length === 0) throw new MappingError('The file contains no classes.')
  return blocks
}

/**
 * @param base the position of the chunk in the file.
 * @returns the version at the end of the chunk.
 */
function findBlocksIn(chunk: Buffer, end: number, base: number, version: number, blocks: ClassBlocks): number {
  let current = version
  for (let at = 0, next = 0; at < end; at = next) {
    const newline = chunk.indexOf(NEWLINE, at)
    next = newline === -1 ? end : newline + 1
    const first = chunk[at]
    if (first === SPACE || first === TAB || first === NEWLINE) continue
    let last = newline === -1 ? end : newline
    while (last > at && (chunk[last - 1] === RETURN || chunk[last - 1] === SPACE)) last--
    if (first === HASH) current = versionIn(chunk, at, last) ?? current
    else if (chunk[last - 1] === COLON && last - at <= MAX_CLASS_LINE) {
      addBlock(blocks, chunk.toString('utf8', at, last), base + at, base + next, current)
    }
  }
  return current
}

function versionIn(chunk: Buffer, start: number, end: number): number | undefined {
  if (end - start > MAX_CLASS_LINE) return undefined
  const comment = chunk.toString('latin1', start, end)
  const info = comment.includes(MAPPING_VERSION_ID) ? parseInfo(comment) : undefined
  return info?.id === MAPPING_VERSION_ID ? infoVersion(info.version) : undefined
}

function addBlock(blocks: ClassBlocks, line: string, lineStart: number, start: number, version: number): void {
  const names = parseClassLine(line)
  if (!names) return
  const block = blocks.originals.length
  if (block > 0) blocks.ends.push(lineStart)
  blocks.originals.push(names.original)
  blocks.obfuscated.push(names.obfuscated)
  blocks.lines.push(lineStart)
  blocks.starts.push(start)
  blocks.versions.push(version)
  blocks.nameBytes += line.length
  if (block >= MAX_CLASSES) throw new MappingError(`The file contains more than ${MAX_CLASSES} classes.`)
  if (blocks.nameBytes > MAX_NAME_BYTES) throw new MappingError('The class names in the file are too long.')
}
