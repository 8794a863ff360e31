import { constants, createDeflateRaw } from 'node:zlib'
import { crc32 } from '../formats/crc32.ts'
import { freeMemory } from '../transport/free-memory.ts'
import { compressOnce, compressWhole, outputBytes } from './compress.ts'
import { isMostlyVlq, stretchesOf } from './stretches.ts'

/** 1 (fastest) to 9 (smallest). */
export type GzipLevel = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/** How hard to compress, each 1 to 9. */
export interface GzipLevels {
  level: number
  /** Of the mappings of source maps; default: `level`. */
  mappingsLevel?: number
}

/** Large enough that a block of its own costs under 1 % more bytes, small enough that a few of them are no memory to speak of. */
export const BLOCK_BYTES = 1024 * 1024
/** Blocks of one body that are compressed at the same time: the threads that Node's pool has. */
const BLOCKS_AT_ONCE = 4

/** Header of RFC 1952: deflate, no name, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty last block with fixed codes: ends a deflate stream whose other blocks were only flushed. */
const LAST_BLOCK = Buffer.from([3, 0])

/** Compresses one buffer into one gzip stream, its text and its mappings each at their level. */
export async function gzipWhole(bytes: Buffer, { level, mappingsLevel = level }: GzipLevels): Promise<Buffer[]> {
  const stretches = mappingsLevel === level ? [] : stretchesOf(bytes)
  const levelOf = (isVlq: boolean | undefined) => (isVlq ? mappingsLevel : level)
  if (stretches.length < 2) {
    return compressWhole(bytes, { encoding: 'gzip', level: levelOf(stretches[0]?.isVlq) })
  }
  const deflated = stretches.map(({ from, to, isVlq }) => deflate(bytes.subarray(from, to), levelOf(isVlq)))
  return [HEADER, ...(await Promise.all(deflated)).flat(), trailer(crc32(bytes), bytes.length)]
}

/**
 * Compresses a body of any size into one gzip stream, block by block: blocks are deflated in parallel in the thread pool, each ended
 * by a sync flush at a byte boundary, so that they can be put together (as pigz does). Holds {@link BLOCKS_AT_ONCE} blocks at a time.
 * @param read fills the buffer that it is given and says with how many bytes; 0 at the end.
 */
export async function* gzipBlocks(
  read: (target: Buffer) => number,
  { level, mappingsLevel = level }: GzipLevels,
): AsyncGenerator<Buffer> {
  const spare: Buffer[] = []
  const underWay: { block: Buffer; deflated: Promise<Buffer[]> }[] = []
  let checksum = 0
  let length = 0
  const next = () => {
    const block = spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
    const count = read(block)
    if (count === 0) {
      freeMemory(block)
      return false
    }
    const filled = block.subarray(0, count)
    checksum = crc32(filled, checksum)
    length += count
    const deflated = deflate(filled, mappingsLevel !== level && isMostlyVlq(filled) ? mappingsLevel : level)
    // The consumer may stop before it comes to this one.
    deflated.catch(() => undefined)
    underWay.push({ block, deflated })
    return true
  }
  yield HEADER
  let more = true
  for (;;) {
    while (more && underWay.length < BLOCKS_AT_ONCE) more = next()
    const first = underWay.shift()
    if (!first) break
    const pieces = await first.deflated
    if (more) spare.push(first.block)
    else freeMemory(first.block)
    yield* pieces
  }
  for (const block of spare) freeMemory(block)
  yield trailer(checksum, length)
}

/** A part of a deflate stream that ends at a byte boundary and refers to nothing before it. */
function deflate(bytes: Buffer, level: number): Promise<Buffer[]> {
  const chunkSize = outputBytes(bytes.length)
  return compressOnce(createDeflateRaw({ level, memLevel: 9, flush: constants.Z_SYNC_FLUSH, chunkSize }), bytes)
}

/** The last block, and what RFC 1952 has after it: checksum, and size modulo 2^32. */
function trailer(checksum: number, length: number): Buffer {
  const sums = Buffer.alloc(8)
  sums.writeUInt32LE(checksum, 0)
  sums.writeUInt32LE(length % 2 ** 32, 4)
  return Buffer.concat([LAST_BLOCK, sums])
}
