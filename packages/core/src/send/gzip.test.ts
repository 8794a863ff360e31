import { randomBytes } from 'node:crypto'
import * as zlib from 'node:zlib'
import { gunzipSync, crc32 as zlibCrc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { crc32, tableCrc32 } from '../formats/crc32.ts'
import { compressStream, compressWhole, type Encoding } from './compress.ts'
import { BLOCK_BYTES, gzipBlocks, gzipWhole } from './gzip.ts'

const text = (bytes: number) => Buffer.alloc(bytes, 'const answer = (question) => 42; // and so on\n')

function reader(bytes: Buffer) {
  let offset = 0
  const read = (target: Buffer) => {
    const count = bytes.copy(target, 0, offset)
    offset += count
    return count
  }
  return { read, offset: () => offset }
}

async function collect(chunks: AsyncIterable<Buffer>) {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

describe('blocks put together', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from('x')],
    ['one whole block', text(BLOCK_BYTES)],
    ['one byte more than a block', text(BLOCK_BYTES + 1)],
    ['many blocks', text(9 * BLOCK_BYTES + 123)],
    ['what cannot be compressed', randomBytes(3 * BLOCK_BYTES + 5)],
  ])('are one gzip stream: %s', async (_, bytes) => {
    expect(gunzipSync(await collect(gzipBlocks(reader(bytes).read, { level: 4 }))).equals(bytes)).toBe(true)
  })

  it('cost less than 2 % over one stream, even where everything repeats just within the window', async () => {
    const words = Array.from({ length: 4000 }, () => randomBytes(4).toString('hex'))
    const bytes = Buffer.from(Array.from({ length: 900_000 }, (_, i) => words[(i * 7919 + i * i) % 4000]).join(','))
    const [blocks, whole] = [
      await collect(gzipBlocks(reader(bytes).read, { level: 4 })),
      Buffer.concat(await compressWhole(bytes, { encoding: 'gzip', level: 4 })),
    ]
    expect(blocks.length).toBeLessThan(whole.length * 1.02)
  })

  it('are read no further ahead than four blocks', async () => {
    const source = reader(text(40 * BLOCK_BYTES))
    const chunks = gzipBlocks(source.read, { level: 1 })
    for (let taken = 0; taken < 10; taken++) await chunks.next()
    // The header and nine blocks have been taken; four more may be under way.
    expect(source.offset()).toBeLessThanOrEqual((9 + 4) * BLOCK_BYTES)
    await chunks.return(undefined)
  })

  it.each([0, BLOCK_BYTES, 4 * BLOCK_BYTES, 9 * BLOCK_BYTES + 123])(
    'have given their memory back when the body of %i bytes is done',
    async (size) => {
      const source = reader(text(size))
      const blocks = new Set<Buffer>()
      const read = (target: Buffer) => {
        blocks.add(target)
        return source.read(target)
      }
      await collect(gzipBlocks(read, { level: 1 }))
      expect(blocks.size).toBeGreaterThan(0)
      expect([...blocks].map((block) => block.buffer.byteLength)).toEqual([...blocks].map(() => 0))
    },
  )

  it('fail when reading fails', async () => {
    const broken = () => {
      throw new Error('disk')
    }
    await expect(collect(gzipBlocks(broken, { level: 4 }))).rejects.toThrow('disk')
  })
})

describe('a body with mappings', () => {
  const script = text(200_000)
  const around = (mappings: Buffer) =>
    Buffer.concat([
      script,
      Buffer.from('{"version":3,"mappings":"'),
      mappings,
      Buffer.from('","sourcesContent":["'),
      script,
    ])
  const body = around(Buffer.alloc(450_000, 'AAAA,IAAC,EAAE;CAgBwB,SAAS'))

  it('is one gzip stream, whole or in blocks', async () => {
    const levels = { level: 4, mappingsLevel: 1 }
    const long = Buffer.concat([body, body, body, body])
    expect(gunzipSync(Buffer.concat(await gzipWhole(body, levels))).equals(body)).toBe(true)
    expect(gunzipSync(await collect(gzipBlocks(reader(long).read, levels))).equals(long)).toBe(true)
  })

  it('has its mappings, and only them, compressed at their own level', async () => {
    const size = async (level: number, mappingsLevel: number) =>
      Buffer.concat(await gzipWhole(body, { level, mappingsLevel })).length
    const [hard, mappingsEasy, textEasy] = [await size(9, 8), await size(9, 1), await size(1, 8)]
    expect(mappingsEasy).toBeGreaterThan(hard)
    expect(textEasy).toBeGreaterThan(hard)
  })
})

const zstdDecompressSync = (zlib as unknown as { zstdDecompressSync?: (bytes: Buffer) => Buffer }).zstdDecompressSync
const DECODE = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, zstd: zstdDecompressSync }
const ENCODINGS = (['gzip', 'br', 'zstd'] as Encoding[]).filter((encoding) => DECODE[encoding] !== undefined)

describe.each(ENCODINGS)('%s', (encoding) => {
  const decode = DECODE[encoding] as (bytes: Buffer) => Buffer

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['what is small', Buffer.from('x')],
    ['what is large', text(3_000_000)],
    ['what cannot be compressed', randomBytes(3_000_000)],
  ])('is one stream, in pieces that share no memory: %s', async (_, bytes) => {
    const whole = await compressWhole(bytes, { encoding, level: 4 })
    const streamed: Buffer[] = []
    for await (const piece of compressStream(reader(bytes).read, { encoding, level: 4 })) streamed.push(piece)
    for (const pieces of [whole, streamed]) {
      const large = pieces.filter(({ length }) => length > 64 * 1024)
      expect(new Set(large.map(({ buffer }) => buffer)).size).toBe(large.length)
      expect(decode(Buffer.concat(pieces)).equals(bytes)).toBe(true)
    }
  })

  it('fails when reading fails', async () => {
    const broken = () => {
      throw new Error('disk')
    }
    await expect(collect(compressStream(broken, { encoding, level: 4 }))).rejects.toThrow('disk')
  })
})

describe('crc32', () => {
  it('of the table is that of zlib, also continued', () => {
    const bytes = randomBytes(10_000)
    const expected = zlibCrc32(bytes)
    expect(tableCrc32(bytes)).toBe(expected)
    expect(tableCrc32(bytes.subarray(123), tableCrc32(bytes.subarray(0, 123)))).toBe(expected)
    expect(crc32(bytes)).toBe(expected)
    // The check value of the polynomial.
    expect(tableCrc32(Buffer.from('123456789'))).toBe(0xcbf43926)
  })
})
