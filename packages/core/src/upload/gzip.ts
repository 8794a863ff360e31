import { constants, createDeflateRaw } from 'node:zlib'
import { compressOnce, outputBytes } from './compress.ts'
import { crc32 } from './crc32.ts'

/** 1 (fastest) to 9 (smallest). */
export type GzipLevel = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/** Large enough that a block of its own costs under 1 % more bytes, small enough that a few of them are no memory to speak of. */
export const BLOCK_BYTES = 1024 * 1024
/** Blocks of one body that are compressed at the same time: the threads that Node's pool has. */
const BLOCKS_AT_ONCE = 4

/** Header of RFC 1952: deflate, no name, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty last block with fixed codes: ends a deflate stream whose other blocks were only flushed. */
const LAST_BLOCK = Buffer.from([3, 0])

/**
 * Compresses a body of any size into one gzip stream, block by block: blocks are deflated in parallel in the thread pool, each ended
 * by a sync flush at a byte boundary, so that they can be put together (as pigz does). Holds {@link BLOCKS_AT_ONCE} blocks at a time.
 * @param read fills the buffer that it is given and says with how many bytes; 0 at the end.
 */
export async function* gzipBlocks(read: (target: Buffer) => number, level: number): AsyncGenerator<Buffer> {
  const options = { level, memLevel: 9, flush: constants.Z_SYNC_FLUSH, chunkSize: outputBytes(BLOCK_BYTES) }
  const spare: Buffer[] = []
  const underWay: { block: Buffer; deflated: Promise<Buffer[]> }[] = []
  let checksum = 0
  let length = 0
  const next = () => {
    const block = spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
    const count = read(block)
    if (count === 0) return false
    const filled = block.subarray(0, count)
    checksum = crc32(filled, checksum)
    length += count
    const deflated = compressOnce(createDeflateRaw(options), filled)
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
    yield* await first.deflated
    spare.push(first.block)
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  // RFC 1952: the size modulo 2^32.
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  yield Buffer.concat([LAST_BLOCK, trailer])
}
