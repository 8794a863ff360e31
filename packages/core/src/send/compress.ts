import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { freeMemory } from '../transport/free-memory.ts'
import { Reused } from './reused.ts'

/** How a body is compressed on the wire. */
export interface Compression {
  encoding: Encoding | 'identity'
  /** gzip: 1 to 9 as zlib has them; without one, symup's own encoder, about as small as 4. brotli: quality 0 to 11; zstd: 1 to 22. */
  level?: number
}

const ENCODINGS = ['zstd', 'br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Node has zstd from 22.15 on. */
const createZstd = (zlib as unknown as { createZstdCompress?: (options: object) => OneShot }).createZstdCompress
const ZSTD = { end: 2, level: 100 } as const

/** The cheapest encoding for its size that both ends know; gzip, which every intake knows, when nothing is announced. */
export function bestEncoding(announced: readonly string[]): Encoding {
  const known = ENCODINGS.filter((encoding) => encoding !== 'zstd' || createZstd !== undefined)
  return known.find((encoding) => announced.includes(encoding)) ?? 'gzip'
}

/** A compressing stream of `node:zlib`. */
type OneShot = Transform & { close(): void }

/** A stream that ends its format with the first bytes that it gets, or (`ends: false`) when it is ended. */
function createCompressor({ encoding, level = 1 }: Compression, chunkSize: number, ends: boolean): OneShot {
  const { constants } = zlib
  switch (encoding) {
    case 'br':
      return zlib.createBrotliCompress({
        params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS },
        chunkSize,
        ...(ends && { flush: constants.BROTLI_OPERATION_FINISH }),
      })
    case 'gzip':
    case 'identity':
      throw new TypeError(`${encoding} is not made by one compressor.`)
    case 'zstd':
      return (createZstd as NonNullable<typeof createZstd>)({
        params: { [ZSTD.level]: level },
        chunkSize,
        ...(ends && { flush: ZSTD.end }),
      })
  }
}

/** 1 MiB: brotli's default of 4 MiB costs its memory for every artifact in flight and saves 1 % of the bytes. */
const BROTLI_WINDOW_BITS = 20

/**
 * Compresses bytes in the thread pool, in one pass: the stream must be one that ends with its first bytes. `zlib.gzip()` and
 * `stream.end()` go there twice, the second time for the few bytes at the end, and copy the pieces together; over an upload that is
 * 8 % of the CPU time and a third of the memory.
 * @returns pieces of one or more buffers of their own.
 */
export async function compressOnce(engine: OneShot, bytes: Buffer): Promise<Buffer[]> {
  const pieces = await written(engine, bytes)
  engine.close()
  return pieces
}

function written(engine: OneShot, bytes: Buffer): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const take = (piece: Buffer) => pieces.push(piece)
    engine.on('data', take)
    engine.once('error', reject)
    engine.write(bytes, () => {
      engine.off('data', take)
      engine.off('error', reject)
      resolve(pieces)
    })
  })
}

/** Room for what most text becomes; what needs more goes through the thread pool once more. */
export function outputBytes(inputBytes: number): number {
  return Math.max(64 * 1024, inputBytes >> 1)
}

/** Node's thread pool has so many: more compressors at work would wait for each other. */
export const POOL_THREADS = 4
/** For zstd, whose compressors write several bodies into one buffer. */
const FRAME_BYTES = 256 * 1024

/**
 * Compresses whole bodies with brotli and zstd, a few at a time, however many artifacts are in flight: a compressor has megabytes of its own. Those of zstd
 * are used again, because their memory is freed only with the object: new ones take twice the CPU at level 1, ten times at level 9.
 */
export class Compressors {
  /** Each with its zstd compressors, by level. */
  readonly #turns = new Reused(POOL_THREADS, () => new Map<number | undefined, OneShot>())

  /** @returns a buffer of its own. */
  async whole(bytes: Buffer, compression: Compression): Promise<Buffer> {
    const turn = await this.#turns.take()
    try {
      if (compression.encoding !== 'zstd') {
        return joined(await compressOnce(createCompressor(compression, outputBytes(bytes.length), true), bytes))
      }
      const engine = turn.get(compression.level) ?? createCompressor(compression, FRAME_BYTES, true)
      turn.delete(compression.level)
      // Copied, because the pieces of the next one share their memory.
      const frame = Buffer.concat(await written(engine, bytes))
      turn.set(compression.level, engine)
      return frame
    } finally {
      this.#turns.give(turn)
    }
  }

  close(): void {
    for (const turn of this.#turns.drain()) for (const engine of turn.values()) engine.close()
  }
}

/** One piece, which is as long as its bytes: it is kept until the answer comes. What it is put together from is freed. */
export function joined(pieces: readonly Buffer[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    at += piece.copy(whole, at)
    freeMemory(piece)
  }
  return whole
}

const STREAM_BYTES = 1024 * 1024

/**
 * Compresses a body of any size as one stream, for the encodings whose blocks cannot be put together.
 * @param read fills the buffer that it is given and says with how many bytes; 0 at the end.
 */
export async function* compressStream(
  read: (target: Buffer) => number,
  compression: Compression,
): AsyncGenerator<Buffer> {
  const engine = createCompressor(compression, STREAM_BYTES >> 2, false)
  const block = Buffer.allocUnsafeSlow(STREAM_BYTES)
  let pieces: Buffer[] = []
  // Copied, because the stream goes on writing into the memory that its pieces share.
  engine.on('data', (piece: Buffer) => pieces.push(Buffer.from(piece)))
  try {
    for (;;) {
      const count = read(block)
      await new Promise<void>((done, fail) => {
        engine.once('error', fail)
        const settled = () => {
          engine.off('error', fail)
          done()
        }
        if (count > 0) engine.write(block.subarray(0, count), settled)
        else engine.end().once('end', settled)
      })
      yield* pieces
      pieces = []
      if (count === 0) return
    }
  } finally {
    engine.close()
  }
}
