import { describe, expect, it } from 'vitest'
import type { Agreement } from './compare.ts'
import { judgeOwn } from './own-verdict.ts'
import type { Place } from './places.ts'
import type { MovedLines } from './transform-faults.ts'

type Tried = [agreement: Agreement, place?: Partial<Place>]

/** Consecutive positions, each mapped to its own column. */
function judged(tried: readonly Tried[], isOwn = [true, true, true], astray?: MovedLines) {
  const places = tried.map(
    ([, place], index): Place => ({
      kind: 'property',
      word: `word${index}`,
      line: 0,
      column: 100 * index,
      source: 0,
      originalLine: 5,
      originalColumn: 10 * index,
      isSite: false,
      isBehind: false,
      distance: 0,
      ...place,
    }),
  )
  return judgeOwn(
    places,
    tried.map(([agreement]) => agreement),
    isOwn,
    astray,
  )
}

const many = (count: number, agreement: Agreement, place?: Partial<Place>) =>
  Array.from({ length: count }, (): Tried => [agreement, place])
const name = { kind: 'name' } as const

describe('checked positions', () => {
  it.each<[string, Agreement, Partial<Place>, string[]]>([
    ['on an earlier line', 'later', {}, ['6:11']],
    ['on a later line', 'absent', {}, ['6:11']],
    ['past the end of the source', 'outside', {}, ['6:11']],
    ['on its line', 'line', {}, []],
    ['as an assignment target', 'absent', { isAssigned: true }, []],
    ['in another source', 'absent', { source: 2 }, []],
    ['with another name', 'absent', { word: 'other' }, []],
    ['of a variable', 'absent', name, []],
  ])('counts a property that matches once if the map points to it %s', (_, agreement, place, expected) => {
    const { sources, places, resolved } = judged([
      ['exact', { word: 'owner' }],
      [agreement, { word: 'owner', ...place }],
    ])
    expect([...sources.values()].flatMap(({ failed }) => failed)).toEqual(expected)
    expect(places - resolved).toBe(expected.length)
  })

  it('accepts a position of a built-in method, which may belong to a helper', () => {
    const { sources } = judged([
      ['exact', { word: 'slice' }],
      ['absent', { word: 'slice' }],
    ])
    expect(sources.get(0)).toMatchObject({ places: 1, resolved: 1 })
  })

  it('counts positions of throws and calls on another line if lines were moved', () => {
    const site = { isSite: true }
    const tried: Tried[] = [
      ['later', site],
      ['outside', site],
      ['exact', site],
      ['absent', site],
      ['unknown', site],
      ['later'],
      ['later', { ...site, source: 1 }],
      ['later', { ...site, source: 2 }],
    ]
    const astray = new Map([0, 1].map((source) => [source, new Set([7])]))
    expect([...judged(tried, [true, false, true], astray).strays]).toEqual([[0, 3]])
    expect([...judged(tried, [true, false, true]).strays]).toEqual([])
  })

  it('counts positions on their line, without names, in the app’s own sources', () => {
    const { places, resolved, sources } = judged(
      [
        ['exact'],
        ['line'],
        ['absent'],
        ['later'],
        ['outside'],
        ['unknown'],
        ['exact', name],
        ['exact', { source: 1 }],
        ['exact', { source: 2 }],
      ],
      [true, false, true],
    )
    expect({ places, resolved, sources: [...sources] }).toMatchObject({
      places: 3,
      resolved: 3,
      sources: [
        [0, { places: 2, resolved: 2 }],
        [2, { places: 1, resolved: 1 }],
      ],
    })
  })
})

describe('code that does not match the map', () => {
  it.each<[Agreement, number, Partial<Place>?]>([
    ['absent', 7],
    ['outside', 7],
    ['later', 10],
    ['line', 14],
    ['absent', 21, name],
    ['outside', 14, name],
  ])('reports a mismatch for %s with %i positions', (agreement, count, place) => {
    expect(judged(many(count, agreement, place)).mismatch).toEqual({
      line: 0,
      column: 0,
      different: count,
      of: count,
      sources: new Set([0]),
    })
    expect(judged(many(count - (count > 20 ? 2 : 1), agreement, place)).mismatch).toBeUndefined()
  })

  it.each<[Agreement, Partial<Place>]>([
    ['line', name],
    ['later', name],
    ['unknown', {}],
    ['absent', { isSite: true }],
    ['absent', { isShared: true }],
    ['absent', { originalColumn: 0 }],
  ])('reports no mismatch for any number of %s with %o', (agreement, place) => {
    expect(judged(many(60, agreement, place)).mismatch).toBeUndefined()
  })

  it.each<[string, Partial<Place>]>([
    ['column', {}],
    ['line', { originalColumn: 0, originalLine: 6 }],
    ['source', { originalColumn: 0, source: 1 }],
  ])('reports a mismatch if every second position points to a different %s', (_, place) => {
    const tried = many(8, 'absent').map(
      ([agreement], index): Tried => [
        agreement,
        { originalColumn: index % 2, ...(index % 2 === 1 ? place : { originalColumn: 0 }) },
      ],
    )
    expect(judged(tried).mismatch).toMatchObject({ different: 8 })
  })

  it('reports a mismatch from its start to its end, in script order', () => {
    const place = { line: 2, column: 7, source: 1 }
    const tried: Tried[] = [
      ...many(4, 'exact'),
      ['absent', place],
      ...many(5, 'absent', { line: 3 }),
      ['exact', { line: 3 }],
    ]
    const more: Tried[] = [...many(2, 'absent', { line: 4 }), ...many(9, 'exact', { line: 5 })]
    const expected = { line: 2, column: 7, different: 8, of: 9, sources: new Set([0, 1]) }
    expect(judged([...tried, ...more]).mismatch).toEqual(expected)
    expect(judged([...more, ...tried]).mismatch).toEqual(expected)
    // Matching names are weak evidence, because they may match by chance.
    expect(judged([...many(6, 'absent'), ...many(4, 'exact', name), ...many(2, 'absent')]).mismatch).toMatchObject({
      of: 12,
    })
  })

  it('reports a mismatch to its end, even if much of it matches before', () => {
    const [first, second] = [many(40, 'absent'), many(40, 'absent', { source: 1 })]
    const both = { different: 80, sources: new Set([0, 1]) }
    expect(judged([...first, ...second, ...many(40, 'exact', { source: 2 })]).mismatch).toMatchObject({
      ...both,
      of: 80,
    })
    // A few matches in the middle do not end the stretch of wrong code, but many do.
    expect(judged([...first, ...many(5, 'exact'), ...second]).mismatch).toMatchObject({ ...both, of: 85 })
    expect(judged([...first, ...many(20, 'exact'), ...second]).mismatch).toMatchObject({ of: 40, different: 40 })
  })

  it('reports a mismatch only for the library with a wrong map if later code on the line matches', () => {
    const wrong = many(9, 'absent', { source: 1 })
    const mismatchAfter = (behind: Tried[]) =>
      judged([...many(9, 'exact'), ...wrong, ...behind], [true, false, true]).mismatch
    expect(mismatchAfter(many(9, 'exact'))).toBeUndefined()
    expect(mismatchAfter(many(8, 'exact'))).toMatchObject({ different: 9 })
    expect(mismatchAfter(many(9, 'exact', { line: 1 }))).toMatchObject({ different: 9 })
    expect(judged([...wrong, ...many(9, 'exact')]).mismatch).toMatchObject({ different: 9 })
  })

  it('reports a mismatch even if a position inside it matches by coincidence', () => {
    const { places, resolved } = judged([...many(7, 'absent'), ...many(2, 'line'), ['exact'], ['line', { source: 1 }]])
    expect({ places, resolved }).toEqual({ places: 11, resolved: 2 })
  })
})

describe('throws and calls on other lines', () => {
  const site = (more: Partial<Place> = {}) => ({ isSite: true, distance: 20, ...more })
  const coarse = (right: number, later: number, more: Tried[] = []) => [
    ...judged([...many(right, 'exact', site()), ...many(later, 'later', site()), ...more]).coarse,
  ]

  it.each<[string, number[], number[]]>([
    ['one in seven', coarse(6, 1), []],
    ['two in seven', coarse(5, 2), [0]],
    ['one in eight', coarse(7, 1), []],
    ['three in twenty', coarse(17, 3), [0]],
    ['three in twenty-one', coarse(18, 3), []],
    ['a fifth of one source among several', coarse(8, 2, many(20, 'exact', site({ source: 1 }))), [0]],
    ['less than a fifth of one source', coarse(9, 2, many(20, 'exact', site({ source: 1 }))), []],
    [
      'one in each of two sources',
      coarse(3, 1, [...many(3, 'exact', site({ source: 1 })), ['later', site({ source: 1 })]]),
      [0, 1],
    ],
    [
      'one in a source, and one off by a line in another source',
      coarse(7, 0, [
        ['later', site({ source: 1 })],
        ['later', site({ source: 2 })],
      ]),
      [1, 2],
    ],
    ['words that are missing from the source', coarse(6, 0, many(6, 'absent', site())), []],
  ])('decides whether throws and calls make a source coarse: %s', (_, found, expected) => {
    expect(found).toEqual(expected)
  })

  it.each<[string, Partial<Place>, Partial<Place>, number[]]>([
    ['one missing word', { word: 'one' }, { word: 'one' }, []],
    ['two missing words', { word: 'one' }, { word: 'two' }, [0]],
  ])('counts throws and calls after a source’s last mapping: %s', (_, one, two, expected) => {
    const behind = (more: Partial<Place>): Tried => ['later', site({ isBehind: true, ...more })]
    expect(coarse(4, 0, [behind(one), behind(two)])).toEqual(expected)
    // At this distance from the last mapping, positions count regardless of their share.
    const far = (more: Partial<Place>, distance: number) => behind({ ...more, distance })
    expect(coarse(40, 0, [far(one, 101), far(two, 101)])).toEqual(expected)
    expect(coarse(40, 0, [far(one, 101), far(two, 100)])).toEqual([])
    expect(
      coarse(
        40,
        0,
        [one, two].map((more): Tried => ['later', site({ ...more, distance: 101 })]),
      ),
    ).toEqual([])
  })

  it('counts throws and calls as unresolved, but after a last mapping only if the source is coarse', () => {
    const of = (tried: Tried[]) => {
      const { places, resolved } = judged([...many(30, 'exact', site()), ...tried])
      return [places, resolved]
    }
    expect(of([['later', site()]])).toEqual([31, 30])
    expect(of([['later', site({ isBehind: true })]])).toEqual([30, 30])
    expect(of(many(10, 'later', site({ isBehind: true })))).toEqual([40, 30])
  })

  describe('throws and calls with their own mapping', () => {
    const own = site({ distance: 0, originalColumn: 1000, column: 1000 })
    const near = (more: Partial<Place>): Tried => ['exact', { originalColumn: 1000, column: 990, ...more }]
    const of = (more: Tried[]) =>
      judged([
        ...more,
        ...many(5, 'exact', site({ column: 5000 })),
        ['later', own],
        ['later', { ...own, column: 1200, originalColumn: 0, distance: 9 }],
      ]).coarse.size
    it.each<[string, Tried[], number]>([
      ['point where the compiler intends', [], 0],
      ['are lost if the previous mapping also points there', [near({})], 1],
      ['are lost if the next mapping also points there', [near({ column: 1010 })], 1],
      ['are lost if the second previous mapping also points there', [near({}), ['exact', { column: 995 }]], 1],
      [
        'are lost if the second next mapping also points there',
        [near({ column: 1020 }), ['exact', { column: 1005 }]],
        1,
      ],
      [
        'are not lost because of the third mapping',
        [near({}), ['exact', { column: 992 }], ['exact', { column: 995 }]],
        0,
      ],
      ['are not lost because of their own token', [near({ column: 1000 })], 0],
      ['are not lost because of their object', [near({ kind: 'name', word: 'n', column: 998 })], 0],
      ['are lost because of a more distant name', [near({ kind: 'name', word: 'n', column: 997 })], 1],
      ['are lost because of a property at that position', [near({ word: 'n', column: 998 })], 1],
      ['are not lost because of a mapping to another line', [near({ originalLine: 6 })], 0],
    ])('%s', (_, more, expected) => {
      expect(of(more)).toBe(expected)
    })
  })
})
