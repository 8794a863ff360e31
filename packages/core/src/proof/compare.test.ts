import { describe, expect, it } from 'vitest'
import { lineAt, lineStartsOf } from '../files/line-starts.ts'
import { compareAll } from './compare.ts'
import { mapFileOf } from './map-file.fixture.ts'
import type { Place } from './places.ts'
import { SourceTexts } from './source-texts.ts'

/** `|` in a text marks the mapped position. */
interface Marked extends Partial<Place> {
  kind: Place['kind']
  word: string
  /** Index of the `|` mark in the text. Default: the first mark. */
  mark?: number
}

/** The comparison results for positions in one source. */
function agreementsOf(marked: string, places: Marked[], name = 'src/a.js') {
  const texts = marked.split('|')
  const source = texts.join('')
  const starts = lineStartsOf(source)
  const all = places.map(({ mark = 0, ...place }): Place => {
    const offset = texts.slice(0, mark + 1).join('').length
    const originalLine = lineAt(offset, starts)
    const originalColumn = offset - (starts[originalLine] as number)
    const where = { line: 0, column: 0, source: 0, originalLine, originalColumn }
    return { ...where, isSite: false, isBehind: false, distance: 0, ...place }
  })
  return compareAll(new SourceTexts(mapFileOf([source])), all, [name])
}

const agreementOf = (marked: string, kind: Place['kind'], word: string, more: Partial<Place> = {}) =>
  agreementsOf(marked, [{ kind, word, ...more }])[0]

describe('comparing a word', () => {
  it.each<[string, Place['kind'], string]>([
    [' |total', 'property', 'exact'],
    // A dot, a bracket or a quote may precede the word.
    [' |1234total', 'property', 'exact'],
    [' |12345total', 'property', 'line'],
    ['a.total|()', 'property', 'exact'],
    ['a["total"|]', 'property', 'exact'],
    ["a['total'|]", 'property', 'exact'],
    ['{ total|,', 'key', 'exact'],
    ['{ total|,', 'text', 'line'],
    ['{ total |,', 'key', 'line'],
    ['a.to|tal()', 'property', 'line'],
    [`total${' '.repeat(235)}|x`, 'property', 'line'],
    [`total${' '.repeat(236)}|x`, 'property', 'absent'],
    ['total\n |x', 'property', 'absent'],
    [' |xxxxx\ntotal', 'property', 'later'],
    [` |${'x'.repeat(1490)}\ntotal`, 'property', 'later'],
    [` |${'x'.repeat(1495)}\ntotal`, 'property', 'absent'],
    [` |${'x'.repeat(1495)}total`, 'property', 'line'],
    [` |${'x'.repeat(1496)}total`, 'property', 'absent'],
    // A word on the next line does not count, even if it is close to the mapped position.
    [' |\ntotal', 'property', 'later'],
    [' |()\ntotal', 'keyword', 'later'],
    [' |\ntotal', 'text', 'later'],
    [' |\ntotal', 'key', 'exact'],
    // The name of a shorthand property follows the text that the mapping points to.
    [' |{\r\n\ttotal,', 'key', 'exact'],
    [' |{\r\n\ttotal,', 'property', 'later'],
    [' |{\n  all, total', 'key', 'later'],
    [' | other: 1', 'key', 'absent'],
    // For an enum member, the script contains its value, which is usually the same word.
    [' |[Codes.total]: 1', 'key', 'exact'],
    [' |[all.codes.total]: 1', 'key', 'exact'],
    [' |[Codes.all]: total', 'key', 'line'],
    [' |{\n  total', 'keyword', 'later'],
  ])('compares a word at %j, as a %s: %s', (marked, kind, agreement) => {
    expect(agreementOf(marked, kind, 'total')).toBe(agreement)
  })

  it.each<[string, Place['kind'], string, string]>([
    [' @|click="a"', 'key', 'onClick', 'exact'],
    [' @|keyUp="a"', 'key', 'onKeyUp', 'exact'],
    [' @|click="a"', 'property', 'onClick', 'absent'],
    [' @|ick="a"', 'key', 'onick', 'absent'],
    [' @|click="a"', 'key', 'inClick', 'absent'],
    [' @ |click="a"', 'key', 'onDblclick', 'absent'],
  ])('compares a word at %j, as a listener for the %s %s: %s', (marked, kind, word, agreement) => {
    expect(agreementOf(marked, kind, word)).toBe(agreement)
  })

  it('finds a word in the text of a component up to five lines after its element', () => {
    const at = (lines: number, name: string, kind: Place['kind'] = 'text') =>
      agreementsOf(` |<p>${'\n'.repeat(lines)}Hello`, [{ kind, word: 'Hello' }], name)
    for (const name of ['a.vue?vue&type=script', 'a.svelte', 'a.astro', 'a.jsx', 'a.tsx'])
      expect([at(5, name), at(6, name)], name).toEqual([['line'], ['later']])
    expect(at(1, 'a.js')).toEqual(['later'])
    expect(at(1, 'a.svelte', 'property')).toEqual(['later'])
  })

  it('treats a position as outside if the source lacks its line or column, and as unknown without a text', () => {
    const place = { kind: 'property', word: 'total', isSite: false } as Place
    const at = (originalLine: number, originalColumn: number, source = 0) =>
      compareAll(
        new SourceTexts(mapFileOf([' xxxxx\ntotal', null])),
        [{ ...place, source, originalLine, originalColumn }],
        ['a', 'b'],
      )
    expect([at(0, 1), at(0, 7), at(1, 1), at(2, 1), at(0, 1, 1)]).toEqual([
      ['later'],
      ['outside'],
      ['line'],
      ['outside'],
      ['unknown'],
    ])
  })

  it('treats a word as absent if a mapping points inside it, unless its text cannot be compared', () => {
    expect(agreementOf(' |total', 'inside', 'total')).toBe('absent')
    const map = `//# sourceMappingURL=data:application/json;base64,${btoa('{"version":3}'.repeat(20))}`
    expect(agreementOf(` |total\n${map}`, 'inside', 'total')).toBe('unknown')
    expect(agreementOf(` |total\n${map}`, 'property', 'total')).toBe('unknown')
  })
})

describe('comparing a name', () => {
  it.each<[string, string]>([
    [' |e', 'exact'],
    [' |$', 'exact'],
    [' |#e', 'exact'],
    [' |@e', 'exact'],
    [' |"e"', 'exact'],
    [" |'e'", 'exact'],
    [' |`e`', 'exact'],
    [' |<E />', 'exact'],
    [' |öl', 'exact'],
    ['\t|e', 'exact'],
    ['\\|e', 'exact'],
    [' |(', 'absent'],
    ['e |', 'unknown'],
    ['e|e', 'absent'],
    ['$|e', 'absent'],
    ['\\t|e', 'absent'],
    [' |\ne', 'unknown'],
    ['e|\ne', 'absent'],
  ])('compares a name at %j: %s', (marked, agreement) => {
    expect(agreementOf(marked, 'name', 't')).toBe(agreement)
  })

  it('accepts a name mapped to the property whose value it is', () => {
    expect(agreementOf('{ limit|: total }', 'name', 't', { key: 'limit' })).toBe('exact')
    expect(agreementOf('{ limit|: total }', 'name', 't', { key: 'most' })).toBe('absent')
    expect(agreementOf('{ limit|: total }', 'name', 't')).toBe('absent')
  })
})

describe('a map with only line positions', () => {
  const places = (atBegin: number, column: number): Marked[] => [
    ...Array.from({ length: atBegin }, (): Marked => ({ kind: 'property', word: 'total' })),
    ...Array.from({ length: 10 - atBegin }, (): Marked => ({ kind: 'property', word: 'total', mark: column })),
    { kind: 'property', word: 'total', mark: column, isSite: true, originalColumn: 0 },
  ]

  it('accepts a word anywhere on its line in a map with only line positions, and checks no names', () => {
    const marked = `|${'x'.repeat(20)}t|otal other`
    const words: Marked[] = [
      { kind: 'property', word: 'total' },
      { kind: 'name', word: 't' },
    ]
    expect(agreementsOf(marked, words)).toEqual(['exact', 'unknown'])
  })

  it('assumes a map with only line positions if nine in ten mappings point to the start of a line', () => {
    const marked = `|${'x'.repeat(20)} |total\n`
    expect(agreementsOf(marked, places(8, 1)).slice(0, 1)).toEqual(['line'])
    expect(agreementsOf(marked, places(9, 1)).slice(0, 1)).toEqual(['exact'])
  })
})

describe('comparing a throw or call', () => {
  const far = `${'x'.repeat(70)}\n`.repeat(30)
  const site = { kind: 'property', word: 'total', isSite: true } as const
  const call = { ...site, word: 'other', mark: 1 } as const

  it.each<[string, Marked, string, string]>([
    ['the source contains it far away', site, 'a.total()', 'later'],
    ['the source contains it as a plain name that a compiler turned into a property', site, 'total()', 'absent'],
    ['the source contains only a longer word', site, 'a.totals()', 'absent'],
    ['the source does not contain it', site, '', 'absent'],
    ['it is a keyword', { ...site, kind: 'keyword', word: 'new Error' }, 'throw new Error()', 'later'],
    ['it is a string', { ...site, kind: 'text', word: 'Hello' }, '"Hello"', 'later'],
    ['it is the start of a longer string', { ...site, kind: 'text', word: 'Hello' }, '"Hellos"', 'later'],
    ['it is a string that names an element', { ...site, kind: 'text', word: 'Hello' }, '<Hello />', 'absent'],
    ['it is a string that is a key', { ...site, kind: 'text', word: 'is-on' }, '{ "is-on": a }', 'absent'],
    [
      'it is a string that is a key in different quotes',
      { ...site, kind: 'text', word: 'is-on' },
      "{ 'is-on': a }",
      'absent',
    ],
    ['it is a string that is not a key', { ...site, kind: 'text', word: 'is-on' }, '{ "is-on-b": "is-on" }', 'later'],
    ['it is a call with the name of an element', site, 'a.total() + <total />', 'later'],
  ])('compares a throw or call if %s', (_, place, text, agreement) => {
    expect(agreementsOf(`let |a |other\n${far}${text}`, [place, call])).toEqual([agreement, 'exact'])
  })

  it('searches the whole source for a word only if its line and the next lines do not contain it', () => {
    expect(agreementsOf('let |a = b.total |other', [{ ...site, word: 'other' }, call])).toEqual(['line', 'exact'])
    expect(agreementsOf('let |aaaaa\ntotal |other', [site, call])).toEqual(['absent', 'exact'])
  })

  it.each<[string, number, string[]]>([
    ['', 1, ['later', 'exact']],
    ['.total(', 1, ['later', 'exact']],
    ['totals', 1, ['absent', 'exact']],
    ['', 2, ['absent', 'exact', 'exact']],
  ])(
    'attributes a word to a compiler if every occurrence belongs to another position (%j more, %i others)',
    (more, others, expected) => {
      const marked = `let |a\n${far}${'b.|total()\n'.repeat(others === 1 && more === '' ? 2 : others)}${more}`
      const exact = Array.from({ length: others }, (_, index): Marked => ({ ...site, mark: index + 1 }))
      expect(agreementsOf(marked, [site, ...exact])).toEqual(expected)
    },
  )

  it('does not attribute a word to a compiler because of another source', () => {
    const text = `let a\n${far}b.total()`
    const place: Place = {
      ...site,
      line: 0,
      column: 0,
      source: 0,
      originalLine: 0,
      originalColumn: 4,
      isBehind: false,
      distance: 0,
    }
    const other = { ...place, source: 1, originalLine: 31, originalColumn: 2 }
    expect(compareAll(new SourceTexts(mapFileOf([text, text])), [place, other], ['a', 'b'])).toEqual(['later', 'exact'])
    expect(compareAll(new SourceTexts(mapFileOf([text, text])), [place, { ...other, source: 0 }], ['a', 'b'])).toEqual([
      'absent',
      'exact',
    ])
    const another = { ...other, source: 0, word: 'b', originalColumn: 0 }
    expect(compareAll(new SourceTexts(mapFileOf([text, text])), [place, another], ['a', 'b'])).toEqual([
      'later',
      'exact',
    ])
  })

  it('proves nothing in a source that contains only strings, unless the source contains elements', () => {
    const text: Marked = { kind: 'text', word: 'Hello', isSite: true }
    const key: Marked = { kind: 'key', word: 'Hello' }
    expect(agreementsOf(' |Hello', [text, key])).toEqual(['unknown', 'exact'])
    expect(agreementsOf(' |Hello', [text, key], 'a.svelte')).toEqual(['exact', 'exact'])
    expect(agreementsOf(' |Hello', [text, { ...key, isSite: true }])).toEqual(['exact', 'exact'])
  })
})

describe('the template of a Vue component', () => {
  const text = '|let a\n |<template>\n |<p>{{ b.total }}</p>\n |</template>\n |let z = total'
  const places = (kind: Place['kind'], word: string) =>
    Array.from({ length: 5 }, (_, mark): Marked => ({ kind, word, mark }))

  it.each<[string, string, string[]]>([
    ['total', 'a.vue', ['later', 'unknown', 'exact', 'unknown', 'line']],
    ['total', 'a.vue?vue&type=script', ['later', 'unknown', 'exact', 'unknown', 'line']],
    ['total', 'a.svelte', ['later', 'later', 'line', 'later', 'line']],
    ['never', 'a.vue', ['absent', 'unknown', 'unknown', 'unknown', 'absent']],
    ['never', 'a.svelte', ['absent', 'absent', 'absent', 'absent', 'absent']],
  ])('proves nothing about %s in %s', (word, name, expected) => {
    expect(agreementsOf(text, places('property', word), name)).toEqual(expected)
  })

  it('compares other elements even if a component has a template', () => {
    const others = (marked: string) => agreementsOf(marked, places('property', 'total'), 'a.vue')
    const expected = ['later', 'later', 'line', 'later', 'line']
    expect(others(text.replace('<template>', '<p>'))).toEqual(expected)
    expect(others(text.replace('</template>', '</p>'))).toEqual(expected)
  })

  it('finds the template in each component', () => {
    const contents = ['<template>\n a\n</template>', 'a\n <template>\n</template>']
    const place = { kind: 'property', word: 'never', isSite: false, originalLine: 1, originalColumn: 1 } as Place
    const at = (source: number, originalLine: number) => ({ ...place, source, originalLine, originalColumn: 0 })
    const all = [at(0, 1), at(1, 0), at(1, 1), at(0, 0)].map((one) => ({ ...one, originalColumn: 0 }))
    expect(compareAll(new SourceTexts(mapFileOf(contents)), all, ['a.vue', 'b.vue'])).toEqual([
      'unknown',
      'absent',
      'unknown',
      'unknown',
    ])
  })
})

it('proves no name if a mapping points to the start of a line, as in webpack modules without a loader', () => {
  const name = (mark: number): Marked => ({ kind: 'name', word: 'e', mark })
  const marked = '|  const a = 1\n|\tconst b = 2\n|= 3\n | const c = 4\nf| const d = 5\n  |total\n  |total'
  const all = [0, 1, 2, 3, 4, 5, 6].map(name)
  expect(agreementsOf(marked, all)).toEqual(['unknown', 'unknown', 'absent', 'absent', 'absent', 'exact', 'exact'])
})
