import { crc32 } from '../formats/crc32.ts'
import type { Deflater } from './deflater.ts'

/** 1 (fastest) to 9 (smallest). */
export type GzipLevel = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/** Header of RFC 1952: deflate, no name, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty last block with fixed codes: ends a deflate stream whose other blocks were only flushed. */
const LAST_BLOCK = Buffer.from([3, 0])

/**
 * Compresses a body of any size into one gzip stream, block by block: blocks are deflated side by side and put together (as pigz does).
 * @param read fills the buffer that it is given and says with how many bytes: fewer only at the end.
 */
export async function* gzip(read: (target: Buffer) => number, deflater: Deflater): AsyncGenerator<Buffer> {
  const underWay: Promise<Buffer[]>[] = []
  let checksum = 0
  let length = 0
  const next = async () => {
    const block = await deflater.take()
    try {
      const count = read(block)
      const isFull = count === block.length
      checksum = crc32(block.subarray(0, count), checksum)
      length += count
      const deflated = deflater.deflate(block, count)
      // The consumer may stop before it comes to this one.
      deflated.catch(() => undefined)
      underWay.push(deflated)
      return isFull
    } catch (error) {
      deflater.release(block)
      throw error
    }
  }
  yield HEADER
  let more = true
  for (;;) {
    while (more && underWay.length < deflater.atOnce) more = await next()
    const first = underWay.shift()
    if (!first) break
    yield* await first
  }
  yield trailer(checksum, length)
}

/** The last block, and what RFC 1952 has after it: checksum, and size modulo 2^32. */
function trailer(checksum: number, length: number): Buffer {
  const sums = Buffer.alloc(8)
  sums.writeUInt32LE(checksum, 0)
  sums.writeUInt32LE(length % 2 ** 32, 4)
  return Buffer.concat([LAST_BLOCK, sums])
}
