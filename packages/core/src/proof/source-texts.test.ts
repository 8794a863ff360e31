import { describe, expect, it } from 'vitest'
import { MemoryBytes } from '../formats/source-map/bytes.ts'
import { mapFileOf } from './map-file.fixture.ts'
import { findOffset } from './offset.ts'
import { textsWithMaps } from './own-maps.ts'
import { ScriptFile } from './script-file.ts'
import { SourceTexts } from './source-texts.ts'
import { obfuscatedSources } from './tools/index.ts'

const MIB = 1024 * 1024
const textsOf = (...contents: (string | null)[]) => new SourceTexts(mapFileOf(contents))

describe('words in a source', () => {
  it('assumes that a source contains words if its text is missing or truncated', () => {
    const texts = textsOf('a.total(b)', null, 'x'.repeat(MIB - 1), 'x'.repeat(MIB))
    const has = (word: string) => [0, 1, 2, 3, 4, 0].map((source) => texts.has(source, word))
    expect(has('total')).toEqual([true, true, false, true, true, true])
    expect(has('other')).toEqual([false, true, false, true, true, false])
  })

  it('counts words without longer words that begin with them', () => {
    const texts = textsOf('total totals total$ "total" retotal total', null)
    expect(texts.count(0, { kind: 'property', word: 'total' })).toBe(4)
    expect(texts.count(0, { kind: 'text', word: 'total' })).toBe(6)
    expect(texts.count(0, { kind: 'property', word: 'never' })).toBe(0)
    expect(texts.count(1, { kind: 'property', word: 'total' })).toBe(Number.POSITIVE_INFINITY)
  })

  it('finds words only after a given line', () => {
    const texts = textsOf('one two\r\nthree \\n two\nfour one\n', null)
    const words = new Set(['one', 'two', 'three', 'four', 'five'])
    expect([0, 1, 2, 3].map((line) => texts.onlyBehind(0, line, words))).toEqual([['three', 'four'], ['four'], [], []])
    expect(texts.onlyBehind(1, 0, words)).toEqual([])
  })

  it('searches for words until all are found', () => {
    const texts = textsOf('one two', null, 'three')
    const found = (sources: number[], ...words: string[]) => [...texts.wordsIn(sources, new Set(words))]
    expect(found([0, 1, 2], 'two', 'three', 'four')).toEqual(['two', 'three'])
    expect(found([1, 2], 'two', 'three')).toEqual(['three'])
    expect(found([0], 'two')).toEqual(['two'])
    expect(found([], 'two')).toEqual([])
  })
})

describe('finding the line of an error in a source', () => {
  const of = (text: string, errorText = 'too many') => textsOf(text).lineOfError(0, 'new Error', errorText)
  it.each<[string, string, number | undefined]>([
    ['on the first line', 'throw new Error("too many")', 0],
    ['on a later line', 'a\n\tb\\n\nthrow new Error("too many")', 2],
    ['with its text on the next line', 'a\nthrow new Error(\n  "too many")', 1],
    ['with its text created separately', 'throw new Error(a)\nb("too many")', 0],
    ['with its text before it', 'b("too many")\nthrow new Error(a)', undefined],
    ['with its text used twice', 'throw new Error("too many")\nb("too many")', undefined],
    ['without its text', 'throw new Error("too few")', undefined],
    ['with its text at the maximum distance', `new Error${' '.repeat(111)}too many`, 0],
    ['with its text beyond the maximum distance', `new Error${' '.repeat(112)}too many`, undefined],
    ['among several errors', 'new Error()\nnew Error("too many")', 1],
  ])('%s', (_, text, line) => {
    expect(of(text)).toBe(line)
  })

  it('fails without a source text', () => {
    expect(textsOf(null).lineOfError(0, 'new Error', 'too many')).toBeUndefined()
  })

  it('works for all line endings in the map', () => {
    const { bytes, layout } = mapFileOf(['a____________b new Error("too many")'])
    const text = bytes.read(0, bytes.size).toString().replace('____________', '\\u000a\\u000A')
    const map = { bytes: new MemoryBytes(Buffer.from(text)), layout }
    expect(new SourceTexts(map).lineOfError(0, 'new Error', 'too many')).toBe(2)
    expect(new SourceTexts(map).onlyBehind(0, 0, new Set(['b', 'a']))).toEqual(['b'])
  })
})

it.each<[string, object | undefined]>([
  ['<template>\n</template>', { from: 0, to: 1 }],
  ['\n<template lang="pug">\n<template></template>\n</template>\n', { from: 1, to: 3 }],
  ['<templates>\n</template>', undefined],
  ['<template>\n', undefined],
  ['</template>\n<template>', undefined],
  ['let a', undefined],
])('finds the template in %j', (text, lines) => {
  expect(textsOf(text).templateOf(0)).toEqual(lines)
})

describe('obfuscator output', () => {
  const of = (...contents: (string | null)[]) => [...obfuscatedSources(mapFileOf(contents), contents.keys())]
  const names = (count: number, name = '_0xa1b2') => `${name} `.repeat(count)

  it('recognizes obfuscator output by a dozen generated names', () => {
    expect(of(names(11), names(12), null, names(12, '_0xa1b'), names(12, '_0xxyz1'), names(12, 'a_0xa1b2'))).toEqual([
      1,
    ])
  })

  it('detects obfuscator output at the beginning of a text, not in later texts in the map', () => {
    const space = (bytes: number) => ' '.repeat(bytes)
    expect(of(space(32 * 1024 - 12 * 8) + names(12), space(32 * 1024 - 12 * 8 + 2) + names(12))).toEqual([0])
    expect(of('let a', names(12))).toEqual([1])
  })
})

describe('a text with its own map', () => {
  const has = (...contents: (string | null)[]) => {
    const found = textsWithMaps(mapFileOf(contents), contents.keys())
    return contents.map((_, source) => found.has(source))
  }
  const comment = (bytes: number) => `//# sourceMappingURL=data:application/json;base64,${'ab+/'.repeat(bytes / 4)}`
  const [yes, no] = [true, false]

  it('recognizes a text with its own map by the map at its end, before any line endings', () => {
    expect(
      has(`a\n${comment(48)}`, `${comment(48)}==`, `${comment(60)}\n`, `${comment(60)}\r\n\n`, comment(48)),
    ).toEqual([yes, yes, yes, yes, yes])
  })

  it('does not recognize a map if the end of the text is different or too short, or the text is missing', () => {
    expect(has(`${comment(60)}\nlet a`, comment(60).replace('data:', 'http:'), 'ab+/'.repeat(40), 'ab', null)).toEqual([
      no,
      no,
      no,
      no,
      no,
    ])
    expect(has('a', comment(60))).toEqual([no, yes])
  })

  it('searches for a map in a text only up to a limit', () => {
    const fits = MIB - comment(0).length
    expect(has(comment(fits - (fits % 4)), comment(MIB))).toEqual([yes, no])
  })
})

describe('the offset of a prepended text', () => {
  const WORDS = Array.from({ length: 12 }, (_, index) => `total${String.fromCharCode(97 + index)}`)
  const script = (text: string) => new ScriptFile(Buffer.from(text))
  const found = (text: string, mappings: number[][][], words = WORDS) =>
    findOffset(new SourceTexts(mapFileOf([words.join('\n')], mappings)), script(text))
  const inLines = (count = WORDS.length) => WORDS.slice(0, count).map((_, line) => [[4, 0, line, 0]])
  const lines = (count = WORDS.length) =>
    WORDS.slice(0, count)
      .map((word) => `    ${word}\n`)
      .join('')
  const inLine = (count = WORDS.length) => [WORDS.slice(0, count).map((_, index) => [10 * index, 0, index, 0])]
  const line = (count = WORDS.length) =>
    WORDS.slice(0, count)
      .map((word) => word.padEnd(10))
      .join('')

  it.each<[string, string, number[][][], object | undefined]>([
    ['none', lines(), inLines(), undefined],
    ['three lines', `\n\n\n${lines()}`, inLines(), { lines: 3, columns: 0 }],
    ['a removed line', lines().replace(/.*\n/, ''), inLines(), { lines: -1, columns: 0 }],
    ['seven columns', `/*...*/${line()}`, inLine(), { lines: 0, columns: 7 }],
    ['ten removed columns', line().slice(10), inLine(), { lines: 0, columns: -10 }],
    ['lines and columns', lines().replaceAll('    ', '\n     '), inLines(), undefined],
    ['columns of other lines', lines().replaceAll('    ', '     '), inLines(), undefined],
    ['five words', `\n${lines(5)}`, inLines(5), { lines: 1, columns: 0 }],
    ['four words', `\n${lines(4)}`, inLines(4), undefined],
    ['an empty script', '', inLines(), undefined],
  ])('finds the offset for %s', (_, text, mappings, offset) => {
    expect(found(text, mappings)).toEqual(offset)
  })

  it('applies the offset to the whole text if at most one word is at its mapped position', () => {
    const edited = (count: number) => `${lines(count)}\n${lines().slice(lines(count).length)}`
    expect(found(edited(1), inLines())).toEqual({ lines: 1, columns: 0 })
    expect(found(edited(2), inLines())).toBeUndefined()
    const inserted = (count: number) => `${line(count)}pay();${line().slice(10 * count)}`
    expect(found(inserted(1), inLine())).toEqual({ lines: 0, columns: 6 })
    expect(found(inserted(2), inLine())).toBeUndefined()
    // The insertion shifted only the columns on the first line.
    const [first = []] = inLine(8)
    expect(found(`pay();${line(8)}\n${lines().slice(lines(8).length)}`, [first, ...inLines().slice(8)])).toBeDefined()
  })

  it('applies the offset to the whole text if two of many words are at their mapped positions', () => {
    const words = Array.from({ length: 150 }, (_, index) => `word${String(index).padStart(3, '0')}`)
    const mappings = words.map((_, at) => [[0, 0, at, 0]])
    const edited = (at: number) => `${words.toSpliced(at, 0, '').join('\n')}\n`
    expect(found(edited(2), mappings, words)).toEqual({ lines: 1, columns: 0 })
    expect(found(edited(3), mappings, words)).toBeUndefined()
  })

  it('chooses the offset of most words, or the first of several equally frequent offsets', () => {
    const [few, most] = [
      lines(5),
      WORDS.slice(5)
        .map((word) => `    ${word}\n`)
        .join(''),
    ]
    expect(found(`\n${few}\n${most}`, inLines())).toMatchObject({ lines: 2, columns: 0 })
    const twice = WORDS.slice(0, 10)
    const same = `\n${lines(5)}\n${twice
      .slice(5)
      .map((word) => `    ${word}\n`)
      .join('')}`
    expect(found(same, inLines(10))).toMatchObject({ lines: 1, columns: 0 })
  })

  it('counts a word once, regardless of its mappings, and ignores very frequent words', () => {
    const again = ['totala', 'totala', 'totala', 'totala', 'totala', 'totala']
    const mappings = again.map((_, index) => [[0, 0, index, 0]])
    expect(found('\ntotala\n', mappings, again)).toBeUndefined()
    const often = (count: number) => found(`\n${lines(5)}${'totala '.repeat(count)}`, inLines(5))
    expect(often(19)).toMatchObject({ lines: 1, columns: 0 })
    expect(often(20)).toBeUndefined()
  })

  it('does not search for an offset in a map with several parts', () => {
    const map = mapFileOf([WORDS.join('\n')], inLines())
    const layers = [...map.layout.layers, ...map.layout.layers]
    const texts = new SourceTexts({ ...map, layout: { ...map.layout, layers } })
    expect(findOffset(texts, script(`\n${lines()}`))).toBeUndefined()
  })

  it('searches for an offset throughout a large map', () => {
    const words = Array.from({ length: 12_000 }, (_, index) => `word${index.toString(36).padStart(4, '0')}`)
    const text = words.map((word) => `${word}\n`).join('')
    expect(
      found(
        `\n\n${text}`,
        words.map((_, at) => [[0, 0, at, 0]]),
        words,
      ),
    ).toMatchObject({ lines: 2, columns: 0 })
  })
})
