import { describe, expect, it } from 'vitest'
import { walkMappings } from '../formats/source-map/walk.ts'
import { Coverage } from './coverage.ts'
import { mapFileOf } from './map-file.fixture.ts'
import { scriptOf } from './prove.fixture.ts'

const CODE = 'call(it);'
const code = (length: number) => CODE.repeat(Math.ceil(length / CODE.length)).slice(0, length)

/** The findings for a script whose segments are given line by line: a column, and the source and line that it maps to, if any. */
function coverageOf(lines: string[], segments: (readonly [column: number, source?: number, line?: number])[][]) {
  const { bytes, layout } = mapFileOf(
    ['', ''],
    segments.map((line) =>
      line.map(([column, source, at = 0]) => (source === undefined ? [column] : [column, source, at, 0])),
    ),
  )
  const coverage = new Coverage(scriptOf(lines.join('\n')))
  walkMappings(bytes, layout, coverage.take)
  coverage.end()
  return coverage
}

const END = Number.POSITIVE_INFINITY

describe('unmapped code', () => {
  it('reports no unmapped code if all lines are mapped', () => {
    const { unmapped, tails, isBeyond, seen } = coverageOf([code(90), code(90)], [[[0, 0]], [[0, 1]]])
    expect({ unmapped, tails, isBeyond, seen: [...seen] }).toEqual({
      unmapped: [],
      tails: [],
      isBeyond: false,
      seen: [0, 1],
    })
  })

  it.each<[string, number, unknown[]]>([
    ['too short to throw', 11, []],
    ['long enough to throw', 12, [{ line: 0, column: 0, endLine: 0, endColumn: 12 }]],
  ])('finds unmapped code before the first mapping, %s', (_, column, expected) => {
    expect(coverageOf([code(90)], [[[column, 0]]]).unmapped).toEqual(expected)
  })

  it('extends from a segment without a source to the next segment', () => {
    const found = coverageOf([code(90)], [[[0, 0], [20], [40, 0], [60], [80, 1]]])
    expect(found.unmapped).toEqual([
      { line: 0, column: 20, endLine: 0, endColumn: 40, within: 0 },
      { line: 0, column: 60, endLine: 0, endColumn: 80 },
    ])
    expect([0, 1, 2].map((source) => found.seen.has(source))).toEqual([true, true, false])
  })

  it('combines adjacent segments or lines without a source into one range', () => {
    expect(coverageOf([code(90)], [[[0, 0], [20], [40], [60], [80, 0]]]).unmapped).toEqual([
      { line: 0, column: 20, endLine: 0, endColumn: 80, within: 0 },
    ])
    const lines = [code(50), code(50), code(50), code(50)]
    expect(coverageOf(lines, [[[0, 0], [20]], [[0]], [[0]], [[0, 1]]]).unmapped).toEqual([
      { line: 0, column: 20, endLine: 2, endColumn: END },
    ])
  })

  it('includes lines without segments, and the text before the first segment on the next line', () => {
    const lines = [code(50), code(50), code(50)]
    const before = { line: 0, column: 10 }
    expect(
      coverageOf(lines, [
        [
          [0, 0],
          [10, 0],
        ],
        [],
        [[0, 0]],
      ]).unmapped,
    ).toEqual([{ line: 1, column: 0, endLine: 2, endColumn: 0, before, within: 0 }])
    expect(
      coverageOf(lines, [
        [
          [0, 0],
          [10, 0],
        ],
        [],
        [[0, 1]],
      ]).unmapped,
    ).toEqual([{ line: 1, column: 0, endLine: 2, endColumn: 0, before }])
    expect(
      coverageOf(lines, [
        [
          [0, 0],
          [10, 0],
        ],
        [[30, 0]],
        [[0, 0]],
      ]).unmapped,
    ).toEqual([{ line: 1, column: 0, endLine: 1, endColumn: 30, before, within: 0 }])
    expect(coverageOf(lines, [[[0, 0], [10]], [[30, 0]], [[0, 0]]]).unmapped).toEqual([
      { line: 0, column: 10, endLine: 1, endColumn: 30, within: 0 },
    ])
  })

  it('includes the text after the last mapped line', () => {
    const last = { line: 1, column: 0, endLine: 2, endColumn: END, before: { line: 0, column: 0 }, within: 0 }
    expect(coverageOf([code(50), code(50), code(50)], [[[0, 0]]]).unmapped).toEqual([last])
    expect(coverageOf([code(50), code(50)], [[[0, 0]], [[0, 0]]]).unmapped).toEqual([])
    expect(coverageOf([code(50), code(50)], [[[0]]]).unmapped).toEqual([
      { line: 0, column: 0, endLine: 1, endColumn: END },
    ])
    expect(coverageOf([code(50)], [[[0, 1], [20]]]).unmapped).toEqual([
      { line: 0, column: 20, endLine: 0, endColumn: END, within: 1 },
    ])
  })

  it.each<[string, boolean]>([
    ['                            ', false],
    ['  } else if (1 + 2) return 3', true],
    ['  } else if ( + ) { ; } do {', false],
    ['  try { } finally { } ; ; ; ', false],
    ['                           a', true],
    ['                           "', true],
    ['                           `', true],
    ['                           /', true],
    ['                           $', true],
  ])('does not include code without names and strings: %j', (text, isFound) => {
    expect(coverageOf([text, CODE], [[], [[0, 0]]]).unmapped).toHaveLength(isFound ? 1 : 0)
  })

  it('does not search long unmapped code for names', () => {
    expect(coverageOf([' '.repeat(200), CODE], [[[200, 0]], [[0, 0]]]).unmapped).toEqual([])
    expect(coverageOf([`${' '.repeat(200)}if`, CODE], [[[202, 0]], [[0, 0]]]).unmapped).toHaveLength(1)
  })

  it('keeps at most five hundred ranges of unmapped code', () => {
    const of = (count: number) => {
      const segments = Array.from({ length: count }, (_, index) => [[40 * index], [40 * index + 20, 0]] as const)
      return coverageOf([code(40 * count)], [segments.flat()]).unmapped.length
    }
    expect([of(499), of(500), of(501)]).toEqual([499, 500, 251])
  })

  it('does not drop long unmapped code, regardless of the number of ranges before it', () => {
    const short = Array.from({ length: 1200 }, (_, index) => [[40 * index], [40 * index + 20, 0]] as const).flat()
    const { unmapped } = coverageOf([code(40 * 1200), code(100), code(100)], [short])
    expect(unmapped.at(-1)).toMatchObject({ line: 1, column: 0, endLine: 2 })
    expect(unmapped.map(({ column, line }) => line * 1e6 + column)).toEqual(
      unmapped.map(({ column, line }) => line * 1e6 + column).sort((a, b) => a - b),
    )
  })

  it.each([
    ['/** what it is for */', false],
    ['  // what it is for', false],
    ['/* a */ // b \n  /** c\n * d\n */ ', false],
    ['   * the rest of one\n   * that began before */  // and more', false],
    [`${'/* '.padEnd(4000, 'x')}*/`, false],
    [`${'/* '.padEnd(4100, 'x')}*/`, true],
    ['/* a */ run() /* b */', true],
    ['  *steps() {\n throw run()\n /* a */', true],
    ['  *steps() { throw run() /* a */', true],
    ['  * the rest */ run()\n  */', true],
    ['//#region \\0made-up', true],
    [`/* a */ '/* b */'`, true],
  ])('does not include comments: %j', (text, isFound) => {
    const lines = text.split('\n')
    const { unmapped } = coverageOf([CODE, ...lines, CODE], [[[0, 0]], ...lines.map(() => []), [[0, 0]]])
    expect(unmapped).toHaveLength(isFound ? 1 : 0)
  })
})

describe('code after a mapping', () => {
  it.each<[string, number, unknown[]]>([
    ['short enough to belong to it', 100, []],
    [
      'so long that it may belong to another source',
      101,
      [{ line: 0, column: 10, endLine: 0, endColumn: END, source: 0 }],
    ],
  ])('finds code after a mapping at the end of a line, %s', (_, length, expected) => {
    expect(
      coverageOf(
        [code(10 + length), CODE],
        [
          [
            [0, 0],
            [10, 0],
          ],
          [[0, 0]],
        ],
      ).tails,
    ).toEqual(expected)
  })

  it.each<[string, number, unknown[]]>([
    ['short enough to belong to it', 100, []],
    [
      'so long that it may belong to another source',
      101,
      [{ line: 0, column: 10, endLine: 0, endColumn: 111, source: 0 }],
    ],
  ])('finds code after a mapping before another source, %s', (_, length, expected) => {
    expect(
      coverageOf(
        [code(150)],
        [
          [
            [0, 0],
            [10, 0],
            [10 + length, 1],
          ],
        ],
      ).tails,
    ).toEqual(expected)
  })

  it('attributes code between two mappings of one source to that source', () => {
    expect(
      coverageOf(
        [code(400)],
        [
          [
            [0, 0],
            [200, 0],
            [390, 0],
          ],
        ],
      ).tails,
    ).toEqual([])
  })

  it('examines code after a mapping if it is long and precedes unmapped code', () => {
    const { tails, unmapped } = coverageOf([code(300)], [[[0, 0], [50, 0], [200], [280, 0]]])
    expect(tails).toEqual([{ line: 0, column: 50, endLine: 0, endColumn: 200, source: 0 }])
    expect(unmapped).toEqual([{ line: 0, column: 200, endLine: 0, endColumn: 280, within: 0 }])
  })

  it('reports the target of the last mapping for code at the end of the script', () => {
    const { tails } = coverageOf(
      [code(120), code(120)],
      [
        [[0, 0, 3]],
        [
          [0, 1, 5],
          [4, 1, 7],
        ],
      ],
    )
    expect(tails).toEqual([
      { line: 0, column: 0, endLine: 0, endColumn: END, source: 0 },
      { line: 1, column: 4, endLine: 1, endColumn: END, source: 1, originalLine: 7 },
    ])
  })

  it('keeps at most five hundred ranges of code after a mapping', () => {
    const of = (count: number) =>
      coverageOf(
        Array.from({ length: count }, () => code(110)),
        Array.from({ length: count }, () => [[0, 0]] as const),
      ).tails.length
    expect([of(500), of(501)]).toEqual([500, 251])
  })

  it.each([499, 500, 501, 750])('reports the line of the last mapping for code after it, out of %i lines', (count) => {
    const lines = Array.from({ length: count }, () => code(110))
    const mappings = lines.map((_, nth): [number, number, number][] => [[0, 0, nth]])
    expect(coverageOf(lines, mappings).tails.at(-1)).toMatchObject({ originalLine: count - 1 })
  })
})

describe('mappings past the end of the script', () => {
  it.each<[string, (readonly [number, number?])[][], boolean]>([
    ['an extra line', [[[0, 0]], [], [[0, 0]]], true],
    ['the last line', [[[0, 0]], [[0, 0]]], false],
    ['an extra line without a source', [[[0, 0]], [], [[0]]], false],
    ['nineteen columns', [[[0, 0], ...Array.from({ length: 19 }, (_, index) => [51 + index, 0] as const)]], false],
    ['twenty columns', [[[0, 0], ...Array.from({ length: 20 }, (_, index) => [51 + index, 0] as const)]], true],
    ['the ends of twenty lines', [Array.from({ length: 20 }, () => [50, 0] as const)], false],
    [
      'columns on different lines',
      [
        [[0, 0], ...Array.from({ length: 10 }, (_, at) => [60 + at, 0] as const)],
        Array.from({ length: 10 }, (_, at) => [60 + at, 1] as const),
      ],
      true,
    ],
  ])('detects mappings past the end of the script only if they are significant: %s', (_, segments, isBeyond) => {
    expect(coverageOf([code(50), code(50)], segments).isBeyond).toBe(isBeyond)
  })

  it.each([
    [20, 100, true],
    // In swc output for Payload's server in Next, 39 of 679,850 segments are past the ends of lines, in libraries' multi-line strings.
    [20, 21_000, false],
    [30, 21_000, true],
  ])(
    'detects mappings past the end of lines only if enough columns are outside: %s of %s',
    (outside, all, isBeyond) => {
      const inside = Array.from({ length: all - outside }, (_, at) => [at, 0] as const)
      const behind = Array.from({ length: outside }, (_, at) => [at + 60, 0] as const)
      expect(coverageOf([code(all), code(50)], [inside, behind]).isBeyond).toBe(isBeyond)
    },
  )
})

it('returns the same findings however the mappings are split into chunks', () => {
  // The mappings fill more than one batch of the decoder, and the batch ends at different positions.
  for (const more of [0, 1, 2]) {
    const count = 1023 + more
    const segments = Array.from({ length: count }, (_, index) => [2 * index, 0, index] as const)
    const { unmapped, tails, isBeyond, seen } = coverageOf(
      [code(2 * count + 300)],
      [[...segments, [2 * count, 1, 3], [2 * count + 150]]],
    )
    expect({ unmapped, tails, isBeyond, seen: [...seen] }, `${count}`).toEqual({
      unmapped: [{ line: 0, column: 2 * count + 150, endLine: 0, endColumn: END, within: 1 }],
      tails: [{ line: 0, column: 2 * count, endLine: 0, endColumn: 2 * count + 150, source: 1 }],
      isBeyond: false,
      seen: [0, 1],
    })
  }
})

it('finds everything after mappings that are out of order', () => {
  const { unmapped, tails, seen } = coverageOf([code(400)], [[[0, 0], [250, 0], [40, 1], [300], [390, 0]]])
  expect([...seen]).toContain(1)
  expect(tails).toEqual([])
  expect(unmapped).toEqual([{ line: 0, column: 300, endLine: 0, endColumn: 390, within: 0 }])
})
