import { readdirSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { BinaryError, type BinarySource, binaryOf } from '@symup/core/resolving'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { type Compression, inflateSection, inflateSectionNow } from './compressed.ts'
import { zstd } from './numbers.fixture.ts'

const TMPDIR = useDirectory()
beforeEach(() => {
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, TMPDIR)
})
afterEach(() => void vi.unstubAllEnvs())

const TEXT = Buffer.from('what the section holds')
const packed: Record<Compression, Buffer> = { zlib: deflateSync(TEXT), zstd: zstd(TEXT) }
const DAMAGED = new BinaryError('damaged', 'A compressed section cannot be decompressed.')
const all = (source: BinarySource) => source.read(0, source.size + 1)

describe.each([
  ['later', inflateSection],
  ['now', async (...asked: Parameters<typeof inflateSectionNow>) => inflateSectionNow(...asked)],
])('a compressed section inflated %s', (_, inflate) => {
  describe.each(['zlib', 'zstd'] as const)('%s', (method) => {
    const bytes = packed[method]
    const source = binaryOf(Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]))
    const declaring = (declared: number, offset = 6, length = bytes.length) =>
      inflate(source, offset, length, method, declared)

    it('inflates the whole section', async () => {
      expect(String(all(await declaring(TEXT.length)))).toBe(String(TEXT))
    })

    it.each<[string, Parameters<typeof declaring>]>([
      ['larger than declared', [TEXT.length - 1]],
      ['smaller than declared', [TEXT.length + 1]],
      ['declared as empty', [0]],
      ['at a wrong offset', [TEXT.length, 5]],
      ['truncated', [TEXT.length, 6, bytes.length - 6]],
      ['truncated by the end of the file', [TEXT.length, 6 + bytes.length, 50]],
    ])('reports damage if a section is %s', async (_, asked) => {
      await expect(declaring(...asked)).rejects.toEqual(DAMAGED)
    })
  })
})

it('keeps a large section on disk while it is open', async () => {
  const size = 16 * 1024 * 1024 + 1
  const bytes = deflateSync(Buffer.alloc(size, 'ab'))
  const source = await inflateSection(binaryOf(bytes), 0, bytes.length, 'zlib', size)
  expect([source.size, String(source.read(size - 3, 9))]).toEqual([size, 'aba'])
  source.close()
  expect(readdirSync(TMPDIR)).toEqual([])
  await expect(inflateSection(binaryOf(bytes), 0, bytes.length, 'zlib', size + 1)).rejects.toEqual(DAMAGED)
  expect(readdirSync(TMPDIR)).toEqual([])
})

it('concatenates a section in several pieces', async () => {
  const content = Buffer.from(Array.from({ length: 600_000 }, (_, nth) => (nth * nth) & 255))
  const bytes = deflateSync(content, { level: 0 })
  for (const inflate of [inflateSection, inflateSectionNow]) {
    const source = await inflate(binaryOf(bytes), 0, bytes.length, 'zlib', content.length)
    expect(all(source).equals(content)).toBe(true)
  }
})

it('does not inflate a section that is too large into memory', () => {
  const inflate = (declared: number) =>
    inflateSectionNow(binaryOf(packed.zlib), 0, packed.zlib.length, 'zlib', declared)
  expect(() => inflate(256 * 1024 * 1024 + 1)).toThrow('A compressed section is too large.')
  expect(() => inflate(256 * 1024 * 1024)).toThrow('A compressed section cannot be decompressed.')
})
