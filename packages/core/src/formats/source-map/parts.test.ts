import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { FileBytes, MemoryBytes, readPieces } from './bytes.ts'
import { SourceMapFlaw } from './flaw.ts'
import { readLayout, type SourceMapLayout, scanSourceMap } from './layout.ts'
import { checkMapBytes, MAX_LINES } from './map-limits.ts'
import { sourceSizes } from './source-sizes.ts'
import { readText } from './text.ts'
import { TextRanges } from './text-ranges.ts'
import { unescaped, walkMappings } from './walk.ts'

// Tests messages and limits, which the agreement tests do not cover.

const directory = useDirectory()

const describeFlaw = (flaw: unknown) => (flaw instanceof SourceMapFlaw ? `${flaw.reason}: ${flaw.message}` : flaw)
const layoutOf = (map: unknown) => readLayout(new MemoryBytes(Buffer.from(JSON.stringify(map))))
const MAP = { version: 3, sources: ['a'], names: ['n'], mappings: 'AAAAA' }
const section = (line: unknown, column: unknown, map: unknown = MAP) => ({ offset: { line, column }, map })
const nested = (depth: number): object => (depth === 0 ? MAP : { sections: [section(0, 0, nested(depth - 1))] })

describe('a report about a source map', () => {
  it.each<[string, unknown]>([
    ['not-a-map: The content is not a JSON object.', []],
    ['not-a-map: The source map contains no mappings.', { version: 3 }],
    ['not-a-map: The source map contains no mappings.', { mappings: 3 }],
    [
      'bad-entry: The `sources` array in the source map contains an entry that is not a string.',
      { ...MAP, sources: [3] },
    ],
    [
      'bad-entry: The `sourcesContent` array in the source map contains an entry that is not a string.',
      { ...MAP, sourcesContent: [{}] },
    ],
    ['bad-entry: The `names` array in the source map contains an entry that is not a string.', { ...MAP, names: [[]] }],
    ['bad-section: A section of the source map has no map object.', { sections: [3] }],
    ['bad-section: A section of the source map has no map object.', { sections: [{ offset: { line: 0, column: 0 } }] }],
    ['bad-section: A section of the source map has no map object.', { sections: [{ ...section(0, 0), map: [] }] }],
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      { sections: [{ map: MAP }] },
    ],
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      { sections: [section(0, -1)] },
    ],
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      { sections: [section(2 ** 30 + 1, 0)] },
    ],
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      { sections: [section(0.5, 0)] },
    ],
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      { sections: [section(1, 0, { sections: [section(2 ** 30, 0)] })] },
    ],
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      { sections: [section(0, 1, { sections: [section(0, 2 ** 30)] })] },
    ],
    ['bad-section: The sections in the source map are out of order.', { sections: [section(1, 0), section(0, 9)] }],
    ['bad-section: The sections in the source map are out of order.', { sections: [section(1, 2), section(1, 1)] }],
    ['too-deep: The sections in the source map are nested more than 8 levels deep.', nested(9)],
    [
      'too-many: The source map has more than 100000 sections.',
      { sections: Array.from({ length: 100_001 }, () => ({})) },
    ],
  ])('%s', (words, map) => expect(describeFlaw(layoutOf(map))).toBe(words))

  it.each<[string, unknown, number]>([
    ['eight nested levels', nested(8), 1],
    ['the maximum offset', { sections: [section(2 ** 30, 2 ** 30)] }, 1],
    ['two sections at one position', { sections: [section(1, 2), section(1, 2)] }, 2],
  ])('reports no flaw for a map with %s', (_, map, layers) => {
    expect((layoutOf(map) as SourceMapLayout).layers).toHaveLength(layers)
  })

  it.each([
    ['A', 1, 1, undefined],
    ['', 1, 1, undefined],
    ['ggggggE', 1, 1, 'The mappings contain a number that is out of range.'],
    ['A!', 1, 1, 'The mappings contain an invalid character.'],
    ['Ag', 1, 1, 'The mappings end in the middle of a number.'],
    ['Ag;', 1, 1, 'The mappings end in the middle of a number.'],
    ['D', 1, 1, 'The mappings point to a negative position.'],
    ['ADAA', 1, 1, 'The mappings point to a negative position.'],
    ['AA', 1, 1, 'A segment in the mappings has an invalid number of fields: 2.'],
    ['AAA', 1, 1, 'A segment in the mappings has an invalid number of fields: 3.'],
    ['AAAAAA', 1, 1, 'A segment in the mappings has an invalid number of fields: 6.'],
    ['AAAA', 0, 0, 'The mappings refer to the source index 0, but the source map has only 0 sources.'],
    ['ACAA', 1, 1, 'The mappings refer to the source index 1, but the source map has only 1 sources.'],
    ['AAAAA', 1, 0, 'The mappings refer to the name index 0, but the source map has only 0 names.'],
    ['AAAAE', 1, 2, 'The mappings refer to the name index 2, but the source map has only 2 names.'],
  ])('checks mappings %j with %i sources and %i names', (mappings, sources, names, words) => {
    const map = { sources: Array(sources).fill('s'), names: Array(names).fill('n'), mappings }
    const bytes = new MemoryBytes(Buffer.from(JSON.stringify(map)))
    const flaw = walkMappings(bytes, readLayout(bytes) as SourceMapLayout, () => true)
    expect(describeFlaw(flaw)).toBe(words && `bad-mappings: ${words}`)
  })

  it('reports an invalid escape in the mappings', () => {
    expect(unescaped('AA\\u002fAA').toString()).toBe('AA/AA')
    expect(() => unescaped('\\x')).toThrow(
      expect.objectContaining({ reason: 'not-json', message: 'The content is not valid JSON.' }),
    )
    const bytes = new MemoryBytes(Buffer.from('"\\x"'))
    expect(describeFlaw(readText(bytes, { start: 1, end: 3 }))).toBe('not-json: The content is not valid JSON.')
  })

  it('reports a line count higher than in any real map', () => {
    const lines = (count: number, offset = 0) =>
      Buffer.from(JSON.stringify({ sections: [section(offset, 0, { ...MAP, mappings: ';'.repeat(count) })] }))
    const words = `too-many: The source map covers more than ${MAX_LINES} lines.`
    const flawOf = (bytes: Buffer) => {
      try {
        return checkMapBytes(bytes)
      } catch (error) {
        return describeFlaw(error)
      }
    }
    expect([lines(3, MAX_LINES - 3), lines(4, MAX_LINES - 3), lines(0, MAX_LINES + 1)].map(flawOf)).toEqual([
      undefined,
      words,
      words,
    ])
    expect(flawOf(Buffer.from('[]'))).toBe('not-a-map: The content is not a JSON object.')
  })
})

describe('a list of texts', () => {
  it('returns the position of each text while it grows', () => {
    const ranges = new TextRanges()
    for (let index = 0; index < 40; index++)
      if (index % 3 === 1) ranges.addNull()
      else ranges.add(10 * index + 1, 10 * index + 5)
    expect(ranges.count).toBe(40)
    expect([-1, 0, 1, 17, 39, 40].map((index) => ranges.at(index))).toEqual([
      undefined,
      { start: 1, end: 5 },
      undefined,
      { start: 171, end: 175 },
      { start: 391, end: 395 },
      undefined,
    ])
    const [some, all] = [new Uint32Array(5), new Uint32Array(90)]
    ranges.copyTo(some)
    ranges.copyTo(all)
    expect([...some]).toEqual([1, 5, 0, 0, 21])
    expect([...all.slice(76)]).toEqual([381, 385, 391, 395, ...Array(10).fill(0)])
    expect([ranges.hasOther, ranges.addOther(), ranges.hasOther, ranges.count]).toEqual([false, undefined, true, 40])
  })
})

describe('the bytes of a file', () => {
  it('reads the same bytes wherever the read window starts', () => {
    const path = join(directory, 'large')
    const content = Buffer.alloc(9_000_000)
    for (let at = 0; at < content.length; at += 4) content.writeUInt32LE(at, at)
    writeFileSync(path, content)
    const file = new FileBytes(path)
    expect(file.size).toBe(9_000_000)
    const jumps = [0, 3, 4_194_300, 4_194_304, 4_194_302, 8_999_990, 9_000_000, 9_000_001, 100, 5_000_000, 4_999_999]
    for (const at of jumps) {
      const read = file.read(at, 20)
      const expected = content.subarray(at, at + 20)
      expect([at, read.length >= expected.length, read.subarray(0, 20).equals(expected)]).toEqual([at, true, true])
    }
    let next = 4_000_000
    readPieces(file, { start: 4_000_000, end: 6_500_001 }, (piece, offset) => {
      expect([offset, piece.equals(content.subarray(offset, offset + piece.length))]).toEqual([next, true])
      next += piece.length
      return true
    })
    expect(next).toBe(6_500_001)
    let pieces = 0
    readPieces(file, { start: 0, end: 6_000_000 }, () => ++pieces < 2)
    readPieces(file, { start: 5, end: 5 }, () => ++pieces > 0)
    expect(pieces).toBe(2)
    file.close()
  })

  it('returns the size of each source in a map', () => {
    const path = join(directory, 'sizes.map')
    const sourcesContent = ['abc', null, '', 'é"\n', '\u{1f600}']
    const escaped = JSON.stringify({ ...MAP, sources: ['a', 'b', 'c', null, 'e'], sourcesContent })
    writeFileSync(path, escaped.replace('é', '\\u00E9').replace('\u{1f600}', '\\ud83d\\ude00'))
    expect(sourceSizes(path)).toEqual([
      { source: 'a', bytes: 3 },
      { source: '', bytes: 4 },
      { source: 'e', bytes: 4 },
    ])
    writeFileSync(path, '[]')
    expect(sourceSizes(path)).toEqual([])
    writeFileSync(path, '{"sources":["\\x"],"mappings":""}')
    expect(sourceSizes(path)).toEqual([])
    expect(() => sourceSizes(join(directory, 'gone'))).toThrow('ENOENT')
  })
})

it('returns the same parts for a map in chunks, or reports the same flaw early', async () => {
  const pieces = (text: string, size: number) =>
    (async function* () {
      for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
    })()
  const text = JSON.stringify({ ...MAP, sourcesContent: ['\\n'] })
  for (const size of [1, 7, 1000]) expect(await scanSourceMap(pieces(text, size))).toEqual(layoutOf(JSON.parse(text)))
  expect(describeFlaw(await scanSourceMap(pieces('[]', 1)))).toBe('not-a-map: The content is not a JSON object.')
  expect(describeFlaw(await scanSourceMap(pieces(text.slice(0, -1), 5)))).toBe(
    'cut-short: The content is truncated, so its JSON is incomplete.',
  )
  const endless = (async function* () {
    for (;;) yield Buffer.from('}')
  })()
  expect(describeFlaw(await scanSourceMap(endless))).toBe('not-json: The content is not valid JSON.')
})
