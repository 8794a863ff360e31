import { randomBytes } from 'node:crypto'
import * as zlib from 'node:zlib'
import { gunzipSync, crc32 as zlibCrc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crc32, tableCrc32 } from '../formats/crc32.ts'
import { BLOCK_BYTES } from '../formats/deflate/deflate.ts'
import { Compressors, compressStream } from './compress.ts'
import { type Deflater, openDeflater, zlibDeflater } from './deflater.ts'
import { gzip } from './gzip.ts'

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

/** Enough bytes for threads. */
const MANY = 2 ** 30

describe.each([
  ["symup's encoder", () => openDeflater(0, false)],
  ["symup's encoder in threads", () => openDeflater(MANY, true)],
  ['zlib', () => zlibDeflater(4)],
])('blocks put together, by %s,', (_, open) => {
  let deflater: Deflater
  beforeAll(() => {
    deflater = open()
  })
  afterAll(() => deflater.close())

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from('x')],
    ['one whole block', text(BLOCK_BYTES)],
    ['one byte more than a block', text(BLOCK_BYTES + 1)],
    ['many blocks', text(9 * BLOCK_BYTES + 123)],
    ['what cannot be compressed', randomBytes(3 * BLOCK_BYTES + 5)],
  ])('are one gzip stream: %s', async (_, bytes) => {
    expect(gunzipSync(await collect(gzip(reader(bytes).read, deflater))).equals(bytes)).toBe(true)
  })

  it('are right, whatever else is under way', async () => {
    const bodies = Array.from({ length: 12 }, (_, at) => text(at * 700_000 + at))
    const found = await Promise.all(bodies.map((bytes) => collect(gzip(reader(bytes).read, deflater))))
    expect(found.map((gzipped, at) => gunzipSync(gzipped).equals(bodies[at] as Buffer))).toEqual(bodies.map(() => true))
  })

  it('are read no further ahead than the blocks that are worth being under way', async () => {
    const source = reader(text(40 * BLOCK_BYTES))
    const chunks = gzip(source.read, deflater)
    for (let taken = 0; taken < 10; taken++) await chunks.next()
    // The header and nine blocks have been taken.
    expect(source.offset()).toBeLessThanOrEqual((9 + deflater.atOnce) * BLOCK_BYTES)
    await chunks.return(undefined)
  })

  it('fail when reading fails', async () => {
    const broken = () => {
      throw new Error('disk')
    }
    await expect(collect(gzip(broken, deflater))).rejects.toThrow('disk')
  })
})

it('blocks cost less than 2 % over one stream, even where everything repeats just within the window', async () => {
  const words = Array.from({ length: 4000 }, () => randomBytes(4).toString('hex'))
  const bytes = Buffer.from(Array.from({ length: 900_000 }, (_, i) => words[(i * 7919 + i * i) % 4000]).join(','))
  const blocks = await collect(gzip(reader(bytes).read, zlibDeflater(4)))
  expect(blocks.length).toBeLessThan(1.02 * zlib.gzipSync(bytes, { level: 4, memLevel: 9 }).length)
})

it.each([0, BLOCK_BYTES, 4 * BLOCK_BYTES, 9 * BLOCK_BYTES + 123])(
  'blocks have given their memory back when the deflater is closed after a body of %i bytes',
  async (size) => {
    const source = reader(text(size))
    const blocks = new Set<Buffer>()
    const deflater = openDeflater(0, false)
    const read = (target: Buffer) => {
      blocks.add(target)
      return source.read(target)
    }
    await collect(gzip(read, deflater))
    deflater.close()
    expect(blocks.size).toBeGreaterThan(0)
    expect([...blocks].map((block) => block.buffer.byteLength)).toEqual([...blocks].map(() => 0))
  },
)

const zstdDecompressSync = (zlib as unknown as { zstdDecompressSync?: (bytes: Buffer) => Buffer }).zstdDecompressSync
const DECODE = { br: zlib.brotliDecompressSync, zstd: zstdDecompressSync }
const ENCODINGS = (['br', 'zstd'] as const).filter((encoding) => DECODE[encoding] !== undefined)

describe.each(ENCODINGS)('%s', (encoding) => {
  const decode = DECODE[encoding] as (bytes: Buffer) => Buffer
  const compressors = new Compressors()
  afterAll(() => compressors.close())

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['what is small', Buffer.from('x')],
    ['what is large', text(3_000_000)],
    ['what cannot be compressed', randomBytes(3_000_000)],
  ])('is one stream, in pieces that share no memory: %s', async (_, bytes) => {
    const streamed: Buffer[] = []
    for await (const piece of compressStream(reader(bytes).read, { encoding, level: 4 })) streamed.push(piece)
    const large = streamed.filter(({ length }) => length > 64 * 1024)
    expect(new Set(large.map(({ buffer }) => buffer)).size).toBe(large.length)
    expect(decode(Buffer.concat(streamed)).equals(bytes)).toBe(true)
    expect(decode(await compressors.whole(bytes, { encoding, level: 4 })).equals(bytes)).toBe(true)
  })

  it('is right, whatever else is under way, at whatever level', async () => {
    const bodies = Array.from({ length: 30 }, (_, at) => (at % 3 ? text(at * 30_000) : randomBytes(at * 30_000)))
    const whole = await Promise.all(
      bodies.map((bytes, at) => compressors.whole(bytes, { encoding, level: 1 + (at % 2) })),
    )
    expect(whole.map((one, at) => decode(one).equals(bodies[at] as Buffer))).toEqual(bodies.map(() => true))
    const large = whole.filter(({ length }) => length > 64 * 1024)
    expect(new Set(large.map(({ buffer }) => buffer)).size).toBe(large.length)
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
