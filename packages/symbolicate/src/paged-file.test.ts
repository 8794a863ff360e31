import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { WeightedCache } from './cache.ts'
import { PagedBytes, PagedFile } from './paged-file.ts'
import { bytesInFile, bytesInMemory } from './stored-bytes.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-paged-'))
afterAll(() => rmSync(directory, { recursive: true }))
const CONTENT = Buffer.from(Array.from({ length: 100_003 }, (_, nth) => nth % 251))
const path = join(directory, 'file')
writeFileSync(path, CONTENT)

describe('bytes of which only some pages are read', () => {
  const bytes = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz')
  const open = (capacity = 1000) => {
    const loads: [offset: number, length: number][] = []
    const load = (offset: number, length: number) => {
      loads.push([offset, length])
      return bytes.subarray(offset, offset + length)
    }
    const cache = new WeightedCache<unknown>(capacity)
    return { loads, cache, paged: new PagedBytes({ size: bytes.length, key: 'k', pageBytes: 10, load }, cache) }
  }

  it.each<[string, [number, number], string, [number, number][]]>([
    ['a page', [10, 10], 'abcdefghij', [[10, 10]]],
    ['a part of one', [12, 3], 'cde', [[10, 10]]],
    [
      'two',
      [9, 2],
      '9a',
      [
        [0, 10],
        [10, 10],
      ],
    ],
    ['the last, which is shorter', [33, 100], 'xyz', [[30, 6]]],
    ['nothing at the end', [36, 5], '', []],
    ['nothing behind it', [50, 5], '', []],
    ['nothing at all', [5, 0], '', []],
    [
      'four, page by page',
      [0, 36],
      String(bytes),
      [
        [0, 10],
        [10, 10],
        [20, 10],
        [30, 6],
      ],
    ],
  ])('%s', (_, asked, content, loads) => {
    const it = open()
    expect(String(it.paged.read(...asked))).toBe(content)
    expect(it.loads).toEqual(loads)
    // Once more: they are kept.
    expect(String(it.paged.read(...asked))).toBe(content)
    expect(it.loads).toEqual(loads)
    expect(it.cache.weight).toBe(loads.reduce((sum, [, length]) => sum + length, 0))
  })

  it('what is longer than four pages is read as it is, and not kept', () => {
    const long = Buffer.from('0123456789'.repeat(7))
    const loads: number[][] = []
    const load = (...range: [number, number]) => {
      loads.push(range)
      return long.subarray(range[0], range[0] + range[1])
    }
    const cache = new WeightedCache<unknown>(1000)
    const paged = new PagedBytes({ size: 70, key: 'k', pageBytes: 10, load }, cache)
    expect(String(paged.read(5, 41))).toBe(String(long.subarray(5, 46)))
    expect([loads, cache.weight]).toEqual([[[0, 50]], 0])
    expect(String(paged.read(5, 40))).toBe(String(long.subarray(5, 45)))
    expect([loads.length, cache.weight]).toEqual([6, 50])
  })

  it('the page that was read last stays at hand, whoever takes the room', () => {
    const { loads, cache, paged } = open(10)
    paged.read(0, 1)
    cache.delete('k:0')
    paged.read(1, 1)
    expect(loads).toHaveLength(1)
    paged.read(10, 1)
    paged.read(0, 1)
    expect(loads).toHaveLength(3)
  })
})

it('a file is read in pages, whole or not at all', () => {
  const file = new PagedFile(path, new WeightedCache(1e6))
  expect(file.size).toBe(CONTENT.length)
  for (const [at, length] of [
    [0, 10],
    [8190, 5],
    [99_999, 10],
    [3, 99_000],
    [CONTENT.length, 1],
  ] as const)
    expect(file.read(at, length).equals(CONTENT.subarray(at, at + length))).toBe(true)
  const shorter = join(directory, 'shorter')
  writeFileSync(shorter, CONTENT)
  const changed = new PagedFile(shorter, new WeightedCache(1e6))
  truncateSync(shorter, 50_000)
  expect(changed.read(0, 10)).toHaveLength(10)
  expect(() => changed.read(90_000, 10)).toThrow('a file changed while it was read')
  expect(() => new PagedFile(join(directory, 'none'), new WeightedCache(1))).toThrow('ENOENT')
})

it.each([
  [0, 10],
  [5, 64 * 1024],
  [5, 64 * 1024 + 1],
  [99_999, 70_000],
  [CONTENT.length, 5],
  [CONTENT.length + 5, 5],
])('bytes at %i, %i of them, are those of the file, on the disk or in memory', async (at, length) => {
  const expected = CONTENT.subarray(at, at + length)
  for (const stored of [await bytesInFile(path), bytesInMemory(CONTENT)]) {
    expect(stored.size).toBe(CONTENT.length)
    expect(expected.equals(await stored.read(at, length))).toBe(true)
  }
})
