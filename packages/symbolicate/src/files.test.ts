import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WeightedCache } from './cache.ts'
import { readContent } from './content.ts'
import { field, IndexFile, type IndexFormat, writeIndexFile } from './index-file.ts'
import { localSymbolFiles } from './local-files.ts'
import { PagedBytes, PagedFile } from './paged-file.ts'

// Tests how files are read in parts: stored files, indexed files, and files on disk.

let directory: string
let path: string
const CONTENT = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff))
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-files-'))
  path = join(directory, 'file')
  writeFileSync(path, CONTENT)
})
afterAll(() => rmSync(directory, { recursive: true }))

it('reads content completely, up to a limit', async () => {
  for (const content of [path, CONTENT]) {
    expect(await readContent(content, CONTENT.length - 1)).toBeUndefined()
    expect(CONTENT.equals((await readContent(content, CONTENT.length)) ?? Buffer.alloc(0))).toBe(true)
  }
  await expect(readContent(join(directory, 'none'), 1)).rejects.toThrow('ENOENT')
})

describe('files on disk', () => {
  it('resolves stacks with files of their kind, regardless of the release', async () => {
    const source = await localSymbolFiles('jvm_mapping_file', { mapping: path })
    const query = { service: 's', version: '1', variant: 'v' } as const
    const [found, ...others] = (await source.findSymbolFiles?.({ kind: 'jvm_mapping_file', ...query }, 5)) ?? []
    expect(others).toEqual([])
    expect(found).toMatchObject({ kind: 'jvm_mapping_file', ...query })
    expect(await found?.open('mapping')).toBe(path)
    expect([await found?.open('other'), await found?.open('constructor')]).toEqual([undefined, undefined])
    expect(await source.findSymbolFiles?.({ kind: 'harmony_sourcemap', ...query }, 5)).toEqual([])
    await expect(localSymbolFiles('jvm_mapping_file', { mapping: join(directory, 'none') })).rejects.toThrow('ENOENT')
  })

  it('distinguishes files by their parts', async () => {
    const keyOf = async (parts: Record<string, string>) => {
      const source = await localSymbolFiles('jvm_mapping_file', parts)
      const query = { kind: 'jvm_mapping_file', service: 's', version: '1' } as const
      return (await source.findSymbolFiles?.(query, 1))?.[0]?.contentKey
    }
    expect(await keyOf({ a: path })).toBe(await keyOf({ a: path }))
    expect(await keyOf({ a: path })).not.toBe(await keyOf({ b: path }))
  })
})

describe('the pages of a file', () => {
  const loads: [number, number][] = []
  const paged = (pages = new WeightedCache<unknown>(1000)) => {
    loads.length = 0
    const load = (offset: number, length: number) => {
      loads.push([offset, length])
      return CONTENT.subarray(offset, offset + length)
    }
    return new PagedBytes({ size: 95, key: 'k', pageBytes: 10, load }, pages)
  }

  it.each<[offset: number, length: number, loaded: [number, number][]]>([
    [0, 10, [[0, 10]]],
    [12, 5, [[10, 10]]],
    [
      8,
      4,
      [
        [0, 10],
        [10, 10],
      ],
    ],
    [
      1,
      39,
      [
        [0, 10],
        [10, 10],
        [20, 10],
        [30, 10],
      ],
    ],
    [
      1,
      40,
      [
        [0, 10],
        [10, 10],
        [20, 10],
        [30, 10],
        [40, 10],
      ],
    ],
    [1, 41, [[0, 50]]],
    [90, 20, [[90, 5]]],
    [30, 90, [[30, 65]]],
    [95, 5, []],
    [200, 5, []],
    [5, 0, []],
  ])('reads pages at %i for %i bytes', (offset, length, loaded) => {
    expect([...paged().read(offset, length)]).toEqual([
      ...CONTENT.subarray(offset, Math.max(offset, Math.min(95, offset + length))),
    ])
    expect(loads).toEqual(loaded)
  })

  it('loads pages once, as long as they are kept', () => {
    const pages = new WeightedCache<unknown>(20)
    const bytes = paged(pages)
    for (const at of [0, 5, 12, 0, 13]) bytes.read(at, 3)
    expect(loads).toEqual([
      [0, 10],
      [10, 10],
    ])
    bytes.read(20, 3)
    bytes.read(11, 3)
    bytes.read(0, 3)
    expect(loads.slice(2)).toEqual([
      [20, 10],
      [0, 10],
    ])
    expect(pages.weight).toBe(20)
  })

  it('requires that the file behind the pages does not shrink', () => {
    const pages = new WeightedCache<unknown>(1e6)
    const own = join(directory, 'own')
    writeFileSync(own, CONTENT.subarray(0, 20_000).reverse())
    const [one, other] = [new PagedFile(path, pages), new PagedFile(own, pages)]
    expect([one.size, other.size]).toEqual([CONTENT.length, 20_000])
    for (const at of [0, 8190, 16_384]) expect(Buffer.compare(one.read(at, 5), other.read(at, 5))).not.toBe(0)
    truncateSync(own, 100)
    expect(() => new PagedFile(own, new WeightedCache<unknown>(1e6)).read(0, 200)).not.toThrow()
    expect(() => other.read(8192, 5)).not.toThrow()
    const shrunk = new PagedFile(path, new WeightedCache<unknown>(1e6))
    truncateSync(path, 100)
    expect(() => shrunk.read(0, 5)).toThrow('changed while it was being read')
    writeFileSync(path, CONTENT)
    expect(() => new PagedFile(join(directory, 'none'), pages)).toThrow('ENOENT')
  })
})

describe('an index file', () => {
  const FORMAT: IndexFormat<'pairs' | 'ones' | 'none'> = { magic: 0x58494458, records: { pairs: 2, ones: 1, none: 3 } }
  const made = writeIndexFile(
    FORMAT,
    { pairs: new Uint32Array([1, 10, 3, 30, 5, 4_000_000_000]), ones: new Uint32Array([7]) },
    { name: 'x' },
  )
  const source = (bytes: Buffer) => ({
    size: bytes.length,
    read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
  })
  const opened = (bytes: Buffer) => new IndexFile<'pairs' | 'ones' | 'none', { name: string }>(FORMAT, source(bytes))
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(made)
    copy.writeUInt32LE(value, at * 4)
    return copy
  }

  it('returns the records that were added to an index', () => {
    const index = opened(made)
    expect(index.facts).toEqual({ name: 'x' })
    expect([index.count('pairs'), index.count('ones'), index.count('none')]).toEqual([3, 1, 0])
    expect([index.at('pairs', 0), index.at('pairs', 2, 1), index.at('ones', 0)]).toEqual([1, 4_000_000_000, 7])
    expect(field(index.record('pairs', 1), 1)).toBe(30)
    for (const [table, record] of [
      ['pairs', 3],
      ['pairs', -1],
      ['none', 0],
      ['ones', 1],
      ['ones', Number.NaN],
    ] as const)
      expect(() => index.at(table, record)).toThrow(RangeError)
  })

  it('searches an index with a condition', () => {
    const index = opened(made)
    const below = (limit: number) => index.countWhile('pairs', (record) => field(record, 0) < limit)
    expect([0, 1, 2, 3, 5, 6].map(below)).toEqual([0, 0, 1, 1, 2, 3])
    expect(index.countWhile('none', () => true)).toBe(0)
  })

  it.each<[string, Buffer, string]>([
    ['of another format', changed(0, 1), 'The version of the symbol index is not supported.'],
    ['of another version', changed(1, 999), 'The version of the symbol index is not supported.'],
    ['that says another size', changed(2, 5), 'damaged'],
    ['with facts that are too long', changed(3, 64 * 1024 + 1), 'damaged'],
    ['with more records than it has room for', changed(5, 4), 'damaged'],
    ['with a list that begins too late', changed(4, made.length - 8), 'damaged'],
    ['that is truncated', made.subarray(0, made.length - 4), 'damaged'],
    ['that ends in its header', made.subarray(0, 30), 'truncated'],
    ['that is empty', Buffer.alloc(0), 'truncated'],
  ])('refuses an index file %s', (_, bytes, message) => expect(() => opened(bytes)).toThrow(message))
})
