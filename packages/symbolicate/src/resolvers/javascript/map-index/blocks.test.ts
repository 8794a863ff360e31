import { createHash } from 'node:crypto'
import { AnyMap, originalPositionFor } from '@jridgewell/trace-mapping'
import { MemoryBytes } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { WeightedCache } from '../../../cache.ts'
import { SourceMap } from '../source-map.ts'
import { buildIndex, type IndexOptions } from './build-index.ts'
import { checkedMap } from './checked-map.ts'
import { MapError } from './find-segment.ts'
import { BLOCK, IndexReader, type IndexTable } from './format.ts'

const MIB = 1024 * 1024
const mapOf = (mappings: string, more: object = {}) => ({
  version: 3,
  sources: ['a.ts', 'b.ts'],
  names: ['one', 'two'],
  mappings,
  ...more,
})
const at = (line: number, column: number, map: object) => ({ offset: { line, column }, map })
const bytesOf = (map: object) => new MemoryBytes(Buffer.from(JSON.stringify(map)))
const indexOf = (map: object, options: IndexOptions = {}, script?: Uint8Array) =>
  new IndexReader(new MemoryBytes(buildIndex(bytesOf(map), script && new MemoryBytes(script), options)))
const numbersIn = (index: IndexReader, table: IndexTable) =>
  Array.from({ length: index.count(table) }, (_, nth) => index.at(table, nth))
const lookUp = (index: IndexReader, map: object) => new SourceMap(index, bytesOf(map), new WeightedCache(1e6))

const SECTION = mapOf('AAAA,IACC,ICCAC;EAAA,QADA')

describe('finding positions with blocks of any size', () => {
  it.each<[string, object]>([
    ['with sorted segments', mapOf('AAAA,EAACA,IACA;;CCCA,KACA,SAAAC;AAAA')],
    ['with an unsorted line', mapOf('AAAA;QAACA,JACA,HACC,IAAA,AAAC,HAAA;EAAC')],
    ['with unsorted lines', mapOf('EAAA,DAAC;QAACA,JACA;IACC;QAAA,JAAC,HAAA;EAAC')],
    ['with several segments at one column', mapOf('EAAA,AACA,AACA,EAAC,AAAC;AAAA,AAAC')],
    ['with some segments without a source', mapOf('A,EAACA,I;E,KACA')],
    ['with escaped mappings', { ...mapOf('AAAA,EAACA;IACA'), mappings: 'AAAA\u002cEAACA' }],
    ['with adjacent sections', { version: 3, sections: [at(0, 0, SECTION), at(0, 6, SECTION), at(1, 4, SECTION)] }],
    ['with a gap between sections', { version: 3, sections: [at(0, 3, SECTION), at(3, 9, SECTION)] }],
  ])('finds each position in a map %s', (_, map) => {
    const traced = new AnyMap(map as never)
    const all = <T>(of: (line: number, column: number) => T) =>
      Array.from({ length: 24 * 6 }, (_, nth) => of(1 + Math.floor(nth / 24), nth % 24))
    const expected = all((line, column) => originalPositionFor(traced, { line, column })).map((it) =>
      it.source === null ? undefined : [it.source, it.line, it.column, it.name ?? undefined],
    )
    for (const blockBytes of [1, 2, 4, 7, 15, undefined]) {
      const found = lookUp(indexOf(map, { blockBytes }), map)
      const own = all((line, column) => found.originalAt(line, column + 1)).map(
        (it) => it && [it.source, it.line, it.column - 1, it.name],
      )
      expect({ blockBytes, own }).toEqual({ blockBytes, own: expected })
    }
  })

  it('ignores segments after the start of the next section, even if they point before it', () => {
    const map = { version: 3, sections: [at(0, 0, mapOf('EAAA,QAAA,RACA,CACA')), at(0, 6, SECTION)] }
    for (const blockBytes of [1, 2, 4, 7, undefined]) {
      const found = lookUp(indexOf(map, { blockBytes }), map)
      const lines = Array.from({ length: 6 }, (_, column) => found.originalAt(1, column + 1)?.line)
      expect({ blockBytes, lines }).toEqual({ blockBytes, lines: [undefined, undefined, 1, 1, 1, 1] })
    }
  })

  it('creates blocks that follow each other and end at separators', () => {
    const map = mapOf(Array.from({ length: 20_000 }, () => 'AAAA,CAAC,CAAD').join(';'))
    const text = JSON.stringify(map)
    const begin = text.indexOf('AAAA')
    const blocksIn = (options: IndexOptions) => {
      const index = indexOf(map, options)
      return Array.from({ length: index.count('blocks') }, (_, nth) => {
        const of = (field: keyof typeof BLOCK) => index.at('blocks', nth, BLOCK[field])
        return { start: of('start'), end: of('end'), firstLine: of('firstLine'), count: of('count') }
      })
    }
    for (const blockBytes of [1000, 8192, 70_000, 1e6]) {
      const blocks = blocksIn({ blockBytes })
      expect(blocks.at(0)?.start).toBe(begin)
      expect(blocks.at(-1)?.end).toBe(text.indexOf('"', begin))
      for (const [nth, { start, end }] of blocks.entries()) {
        if (nth > 0) expect(start).toBe(blocks[nth - 1]?.end)
        if (nth < blocks.length - 1) {
          expect(end - start).toBeGreaterThan(blockBytes)
          expect(end - start).toBeLessThan(blockBytes + 6)
          expect(text[end - 1]).toMatch(/[,;]/)
        }
      }
      expect(blocks.reduce((sum, { count }) => sum + count, 0)).toBe(60_000)
    }
    expect(blocksIn({})).toEqual(blocksIn({ blockBytes: 8192 }))
  })

  it('accepts up to five million lines in a map, and no more in sections', () => {
    const of = (line: number, mappings: string) =>
      indexOf({ version: 3, sections: [at(line, 0, mapOf(mappings))] }).facts
    expect(of(4_999_999, 'AAAA')).toEqual({})
    expect(of(4_999_999, ';;AAAA')).toEqual({ flaw: 'The source map covers more than 5000000 lines.' })
  })

  it('reports a map that has changed', () => {
    const found = new SourceMap(indexOf(mapOf('AAAA')), bytesOf(mapOf('!!!!')), new WeightedCache(1e6))
    expect(() => found.originalAt(1, 1)).toThrow(MapError)
  })
})

describe('the other tables in an index', () => {
  const script = Buffer.from('function f(){}\n\nb()\n//')

  it.each<[string, object, IndexOptions, object, number, number[]]>([
    ['functions and lines', {}, {}, {}, 1, [0, 15, 16, 20, 23]],
    [
      'no functions if the script is not parsed',
      {},
      { parses: false },
      { nameless: 'too-expensive' },
      0,
      [0, 15, 16, 20, 23],
    ],
    [
      'no functions if the map contains them',
      { x_facebook_sources: [[{ names: ['f'], mappings: 'AAA' }]] },
      {},
      {},
      0,
      [0, 15, 16, 20, 23],
    ],
    ['scopes', { scopes: 'BAA' }, {}, { hasScopes: true }, 1, [0, 15, 16, 20, 23]],
  ])('stores %s', (_, more, options, facts, functions, lines) => {
    const index = indexOf(mapOf('AAAA', more), options, script)
    expect([index.facts, index.count('functions'), numbersIn(index, 'lines')]).toEqual([facts, functions, lines])
    const without = indexOf(mapOf('AAAA', more), options)
    expect([without.facts, without.count('lines')]).toEqual([{ ...('hasScopes' in facts && facts) }, 0])
  })

  it('stores no functions for a script larger than 20 MiB', () => {
    const index = indexOf(mapOf('AAAA'), {}, Buffer.alloc(20 * MIB + 1, ' '))
    expect([index.facts, index.count('lines')]).toEqual([{ nameless: 'too-large' }, 0])
  })

  it('stores scopes if a section contains any', () => {
    const sections = [at(0, 0, SECTION), at(2, 0, { ...SECTION, scopes: 'BAA' }), at(4, 0, SECTION)]
    expect(indexOf({ version: 3, sections }).facts).toEqual({ hasScopes: true })
  })

  it.each<[unknown, number[]]>([
    [
      [1, 1, 0],
      [0, 1],
    ],
    [[2, -1, 0.5, 'x', null, 1], [1]],
    [[], []],
    [undefined, []],
    [5, []],
    ['x', []],
    [{ length: 1 }, []],
  ])('reads the ignore list %j: %j', (ignoreList, expected) => {
    expect(numbersIn(indexOf(mapOf('AAAA', { ignoreList })), 'ignored')).toEqual(expected)
    const sections = [at(0, 0, SECTION), at(1, 0, { ...SECTION, ignoreList })]
    expect(numbersIn(indexOf({ version: 3, sections }), 'ignored')).toEqual(expected.map((it) => it + 2))
  })
})

describe('a map that is read in parts', () => {
  const PAGE = 32 * 1024
  const map = mapOf('AAAA', { sourcesContent: ['x'.repeat(2 * PAGE), 'y'] })
  const bytes = Buffer.from(JSON.stringify(map))
  const index = indexOf(map, { checks: true })

  it('checks a map page by page', () => {
    const pages = [0, 1, 2].map((nth) =>
      createHash('sha256')
        .update(bytes.subarray(nth * PAGE, (nth + 1) * PAGE))
        .digest(),
    )
    expect([0, 1, 2].map((nth) => [index.at('pages', nth, 0), index.at('pages', nth, 1)])).toEqual(
      pages.map((hash) => [hash.readUInt32LE(0), hash.readUInt32LE(4)]),
    )
    expect([index.count('pages'), indexOf(map).count('pages')]).toEqual([3, 0])
  })

  it.each([
    [PAGE - 1, 1],
    [PAGE, 1],
    [PAGE + 1, 2],
  ])('splits a map of %i bytes into %i pages with checksums', (size, pages) => {
    const empty = JSON.stringify(mapOf('AAAA', { sourcesContent: [''] })).length
    const sized = mapOf('AAAA', { sourcesContent: ['x'.repeat(size - empty)] })
    expect([bytesOf(sized).size, indexOf(sized, { checks: true }).count('pages')]).toEqual([size, pages])
  })

  it.each([
    [0, PAGE - 1],
    [1, 2 * PAGE - 1],
    [2, bytes.length - 1],
  ])('reports a fault in page %i only there', (page, fault) => {
    const damaged = Buffer.from(bytes)
    damaged[fault] = (damaged[fault] as number) ^ 1
    const read = (position: number, length: number) => damaged.subarray(position, position + length)
    const parts = checkedMap(bytes.length, read, index, new WeightedCache(1e6))
    for (const nth of [0, 1, 2]) {
      const look = () => String(parts.read(nth * PAGE, 5))
      if (nth === page) expect(look).toThrow('The content of the source map does not match its symbol index.')
      else expect(look()).toBe(String(bytes.subarray(nth * PAGE, nth * PAGE + 5)))
    }
  })
})
