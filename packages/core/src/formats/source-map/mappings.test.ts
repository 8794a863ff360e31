import { describe, expect, it } from 'vitest'
import { MemoryBytes } from './bytes.ts'
import { ContentCursor, endsLine, isEscaped, lineEnd } from './content-cursor.ts'
import { readLayout, type SourceMapLayout } from './layout.ts'
import { MappingDecoder, RUNS } from './mapping-decoder.ts'
import { countBefore, walkMappings } from './walk.ts'

// Details of mappings and texts that the agreement tests do not cover: batches, runs, sums and cursor positions.

const MAP = { version: 3, sources: ['a'], names: ['n'], mappings: '' }

describe('mappings', () => {
  const context = { sources: 1000, names: 1000, firstSource: 0, firstName: 0, line: 0, column: 0 }
  const decoded = (text: string) => {
    const found: number[][] = []
    const decoder = new MappingDecoder(context, (segments, count) => {
      for (let at = 0; at < count * 6; at += 6) found.push([...segments.subarray(at, at + 6)])
      return true
    })
    decoder.push(Buffer.from(text))
    decoder.end()
    return found
  }

  it('come in batches, with the runs of one line and source', () => {
    const text = `${'CAAA,'.repeat(1030)};AACA,CCAA,CAAA,C,DAAA`
    const map = { ...MAP, sources: ['a', 'b'], mappings: text }
    const bytes = new MemoryBytes(Buffer.from(JSON.stringify(map)))
    const taken: unknown[] = []
    walkMappings(bytes, readLayout(bytes) as SourceMapLayout, (segments, count, isOrdered) => {
      const runs = [...segments.subarray(RUNS)]
      taken.push([count, isOrdered, runs.slice(0, runs.findIndex((it) => it >= count) + 1)])
      return true
    })
    expect(taken).toEqual([
      [1024, true, [0, 1024]],
      [11, false, [0, 6, 7, 9, 10, 11]],
    ])
  })

  it('of several maps can be decoded in turn, in chunks that end anywhere', () => {
    const texts = ['gBAAAC,mBgBgBgB,C', 'CAAA,EACA;;GAAG,IACC', 'A,C,E;;G,I']
    const found: number[][][] = texts.map(() => [])
    const decoders = texts.map(
      (_, index) =>
        new MappingDecoder(context, (segments, count) => {
          for (let at = 0; at < count * 6; at += 6) found[index]?.push([...segments.subarray(at, at + 6)])
          return true
        }),
    )
    for (let at = 0; at < 20; at += 2)
      for (const [index, decoder] of decoders.entries())
        decoder.push(Buffer.from((texts[index] as string).slice(at, at + 2)))
    for (const decoder of decoders) decoder.end()
    for (const [index, text] of texts.entries()) expect(found[index]).toEqual(decoded(text))
  })

  it('may be escaped, wherever a chunk of a large file ends', () => {
    const decodedOf = (segment: string) => {
      const text = `{"sources":["a"],"names":[],"mappings":"${segment.repeat(250_000)}"}`
      const bytes = new MemoryBytes(Buffer.from(text))
      let [count, columns] = [0, 0]
      const flaw = walkMappings(bytes, readLayout(bytes) as SourceMapLayout, (segments, taken) => {
        count += taken
        columns += segments[(taken - 1) * 6 + 1] as number
        return true
      })
      return { flaw, count, columns }
    }
    const plain = decodedOf('CAAA,')
    expect([plain.flaw, plain.count]).toEqual([undefined, 250_000])
    expect(decodedOf('C\\u0041AA,')).toEqual(plain)
    expect(decodedOf('C\\u0041A\\u0041,')).toEqual(plain)
  })

  it('stop when the caller needs no more', () => {
    const bytes = new MemoryBytes(Buffer.from(JSON.stringify({ ...MAP, mappings: 'CAAA,'.repeat(3000) })))
    let batches = 0
    walkMappings(bytes, readLayout(bytes) as SourceMapLayout, () => ++batches < 2)
    expect(batches).toBe(2)
  })

  it('are cut where the next section begins', () => {
    const segments = Int32Array.of(1, 5, 0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0)
    const places: [number, number][] = [
      [0, 9],
      [1, 4],
      [1, 5],
      [1, 6],
      [1, 7],
      [1, 8],
      [2, 0],
      [2, 1],
      [3, 0],
    ]
    expect(places.map(([line, column]) => countBefore(segments, 3, { line, column }))).toEqual([
      0, 0, 0, 1, 1, 2, 2, 3, 3,
    ])
  })
})

describe('in a text with its escapes', () => {
  it.each<[string, number, boolean]>([
    ['n', 0, false],
    ['\\n', 1, true],
    ['\\\\n', 2, false],
    ['\\\\\\n', 3, true],
  ])('%s: whether the character at %i belongs to an escape', (text, at, expected) =>
    expect(isEscaped(text, at)).toBe(expected),
  )

  it.each<[string, number]>([
    ['ab', 2],
    ['ab\\n', 2],
    ['a\\\\nb', 5],
    ['a\\\\\\n', 3],
    ['a\\u000A', 1],
    ['a\\u000ab', 1],
    ['a\\u000bb', 8],
    ['a\\t\\n', 3],
  ])('%s ends its line at %i', (text, end) => {
    expect(lineEnd(text, 0)).toBe(end)
    expect(endsLine(text, end)).toBe(end < text.length)
  })

  it.each([0, 1, 7, 14, 15, 16, 17, 30, 31, 32, 33, 100])('a cursor moves to the line after %i characters', (size) => {
    const before = 'x'.repeat(size)
    for (const [newline, other] of [
      ['\\n', '\\\\n'],
      ['\\u000a', '\\u000b'],
      ['\\u000A', '\\"\\t'],
    ] as const) {
      const text = `${before}${other}${before}${newline}${newline}${before}${newline}end`
      const bytes = Buffer.from(`"${text}"`)
      const cursor = new ContentCursor(new MemoryBytes(bytes), { start: 1, end: bytes.length - 1 })
      expect(cursor.toLine(2)).toBe(true)
      expect(bytes.toString('latin1', cursor.offset)).toBe(`${before}${newline}end"`)
      expect(cursor.toLine(3)).toBe(true)
      expect(bytes.toString('latin1', cursor.offset)).toBe('end"')
      expect(cursor.toLine(4)).toBe(false)
    }
  })

  it('a cursor goes to lines and columns, a pair counting as two', () => {
    const text = 'one\\ntwo \u{1f600}é\\t€x\\u000Athree\\\\n'
    const bytes = Buffer.from(`""${text}""`)
    const range = { start: 2, end: bytes.length - 2 }
    const at = (line: number, column: number) => {
      const cursor = new ContentCursor(new MemoryBytes(bytes), range)
      const found = cursor.toLine(line)
      if (found) cursor.toColumn(column)
      return [found, cursor.line, cursor.column, bytes.subarray(cursor.offset, range.end).toString().slice(0, 4)]
    }
    expect(at(0, 0)).toEqual([true, 0, 0, 'one\\'])
    expect(at(0, 9)).toEqual([true, 0, 3, '\\ntw'])
    expect(at(1, 4)).toEqual([true, 1, 4, '\u{1f600}é\\'])
    expect(at(1, 6)).toEqual([true, 1, 6, 'é\\t€'])
    expect(at(1, 8)).toEqual([true, 1, 8, '€x\\u'])
    expect(at(1, 99)).toEqual([true, 1, 10, '\\u00'])
    expect(at(2, 5)).toEqual([true, 2, 5, '\\\\n'])
    expect(at(2, 99)).toEqual([true, 2, 7, ''])
    expect(at(3, 0)).toEqual([false, 2, 0, ''])
  })

  it.each<[number, number, number, number, [string, number] | undefined]>([
    [1, 4, 2, 8, ['o \u{1f600}\u{e9}\\t', 2]],
    [1, 6, 0, 4, ['\u{e9}\\t', 0]],
    [1, 7, 1, 2, ['\u{e9}\\t', 2]],
    [1, 9, 3, 3, ['\u{e9}\\t\u{20ac}x\\u', 7]],
    [1, 10, 1, 6, ['x\\u000A', 1]],
    [1, 11, 1, 6, undefined],
    [0, 3, 9, 2, ['one\\n', 3]],
    [0, 4, 1, 2, undefined],
    [2, 7, 2, 9, ['\\\\n', 3]],
    [2, 8, 2, 9, undefined],
  ])('around line %i, column %i: %i columns before it, %i bytes after it', (line, column, before, after, expected) => {
    const bytes = Buffer.from('"one\\ntwo \u{1f600}\u{e9}\\t\u{20ac}x\\u000Athree\\\\n"')
    const cursor = new ContentCursor(new MemoryBytes(bytes), { start: 1, end: bytes.length - 1 })
    cursor.toLine(line)
    const { offset } = cursor
    const found = cursor.around(column, before, after)
    const shown = found && [Buffer.from(found.text, 'latin1').toString(), found.at]
    expect([shown, cursor.offset, cursor.column]).toEqual([expected, offset, 0])
  })
})
