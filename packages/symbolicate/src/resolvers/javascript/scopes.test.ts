import { describe, expect, it } from 'vitest'
import { resolvedFrame } from './resolved-frame.fixture.ts'
import { Scopes, type ScopesSection } from './scopes.ts'

const SOURCE = `export function open(amount) {
  if (amount < 0) throw new RangeError()
}
const pay = (amount) => open(amount)
export function checkout() {
  return pay(-1)
}
`
const SCRIPT = 'function c(){if(-1<0)throw new RangeError}c()'
/**
 * A minifier that inlines `open` and `pay` wrote this code. Chrome's source-map-scopes-codec generated `scopes` from the functions above.
 */
const MAP = {
  version: 3,
  sources: ['src/empty.ts', 'src/till.ts'],
  sourcesContent: ['', SOURCE],
  names: ['global', 'module', 'open', 'pay', 'checkout', 'function', 'amount', 'block', 'c', '-1'],
  mappings: 'SCIgB,YAHE,MAAM',
  scopes:
    'BCAAA,CBA,BCAAC,DECC,BHAUEI,DE,BCAKE,CCA,CAB,BHBMCF,DA,CAY,BHBYCA,CCB,CBA,ECAC,GAAJ,EGKI,ECDD,GK,IBFJ,ECAF,GK,IBDY,Fc,FA,FB,FD',
}

const explain = (column: number, map: object = MAP) =>
  resolvedFrame(`RangeError\n    at c (https://h/a.js:1:${column})`, '/a.js', SCRIPT, map)

const INLINED = {
  function: 'checkout',
  file: 'src/till.ts',
  line: 6,
  column: 10,
  inlined: [
    { function: 'open', file: 'src/till.ts', line: 2, column: 25 },
    { function: 'pay', file: 'src/till.ts', line: 4, column: 25 },
  ],
}

it('names functions and inlined calls', async () => {
  expect(await explain(28)).toMatchObject(INLINED)
  const atStart = await explain(12)
  expect(atStart).toMatchObject({ function: 'checkout', line: 5, column: 17 })
  expect(atStart?.inlined).toBeUndefined()
  const outside = await explain(44)
  expect(outside?.function).not.toBe('checkout')
})

it('reads scopes from sections', async () => {
  const { version, ...map } = MAP
  const moved = { version, sections: [{ offset: { line: 0, column: 0 }, map: { version, ...map } }] }
  expect(await explain(28, moved)).toMatchObject(INLINED)
})

it('shows which functions belong to a library', async () => {
  expect(await explain(28, { ...MAP, ignoreList: [1] })).toMatchObject({
    isIgnored: true,
    inlined: [{ isIgnored: true }, {}],
  })
})

it.each([
  ['truncated', MAP.scopes.slice(0, 60)],
  ['without ends', MAP.scopes.replaceAll(/,[CF][^,]*/g, '')],
  ['with only ends', ',C,C,F,F,FD'],
  ['with other letters', '!,%%%,B,E,I////////////'],
  ['with call sites that point nowhere', 'EGAA,I/////D/////D////D,FgD'],
])('accepts damaged scopes: %s', async (_, scopes) => {
  const resolved = await explain(28, { ...MAP, scopes })
  expect(resolved === null || typeof resolved?.line === 'number').toBe(true)
})

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const plain = (value: number): string =>
  value < 32 ? (LETTERS[value] as string) : LETTERS[32 + (value % 32)] + plain(Math.floor(value / 32))
const signed = (value: number) => plain(value < 0 ? -2 * value + 1 : 2 * value)
/** Items with the names from the proposal. Numbers are relative to the previous item. */
const scopeStart = (lines: number, column: number, name?: number, isFunction = false, kind?: number) =>
  `B${plain((name === undefined ? 0 : 1) + (kind === undefined ? 0 : 2) + (isFunction ? 4 : 0))}${plain(lines)}${plain(column)}` +
  `${name === undefined ? '' : signed(name)}${kind === undefined ? '' : signed(kind)}`
const scopeEnd = (lines: number, column: number) => `C${plain(lines)}${plain(column)}`
const rangeStart = (lines: number, column: number, definition?: number, isFunction = false) =>
  `E${plain((lines > 0 ? 1 : 0) + (definition === undefined ? 0 : 2) + (isFunction ? 4 : 0))}` +
  `${lines > 0 ? plain(lines) : ''}${plain(column)}${definition === undefined ? '' : signed(definition)}`
const rangeEnd = (column: number, lines?: number) => `F${lines === undefined ? '' : plain(lines)}${plain(column)}`
const callSite = (source: number, line: number, column: number) => `I${plain(source)}${plain(line)}${plain(column)}`

const NAMES = ['outer', 'inner', undefined, 'late'] as string[]
const mapOf = (...items: string[]): ScopesSection => ({
  ...{ line: 0, column: 0, sources: 3 },
  names: NAMES,
  scopes: items.join(),
})
const scopesOf = (...sections: ScopesSection[]) => new Scopes(sections)
const position = (source: number, line: number, column: number) => ({ source, line, column })

describe('the function around a source position', () => {
  const scopes = [
    // Source 0, lines 0 to 9: a function from 2:4 to 5:3, with a block from 3:40 to 3:50.
    ...[scopeStart(0, 0), scopeStart(2, 4, 0, true, 1), scopeStart(1, 40), scopeEnd(0, 10), scopeEnd(2, 3)],
    // On one line: a function from 5:7 to 5:9, and one whose name is not a string.
    ...[scopeStart(0, 4, 1, true), scopeEnd(0, 2), scopeStart(0, 1, 1, true, -2), scopeEnd(0, 5), scopeEnd(4, 7)],
    // Sources 1 and 3 have no scopes.
    '',
    // Source 2 starts again at its first line.
    ...[scopeStart(1, 5, 1, true), scopeEnd(0, 1000), 'A'],
    // Source 4, on its first line: an unnamed function that contains a function on a separate line, whose name precedes the last one.
    ...[scopeStart(0, 3, undefined, true), scopeStart(1, 6, -2, true), scopeEnd(0, 2), scopeEnd(1, 1)],
  ]
  const nameAt = (source: number, line: number, column: number) =>
    scopesOf(mapOf(...scopes, rangeStart(0, 0, 1), rangeEnd(9))).framesAt(0, 0, position(source, line, column))

  it.each([
    [0, 0, 0, undefined],
    [0, 2, 3, undefined],
    [0, 2, 4, 'outer'],
    [0, 3, 39, 'outer'],
    [0, 3, 45, 'outer'],
    [0, 4, 0, 'outer'],
    [0, 5, 2, 'outer'],
    [0, 5, 3, undefined],
    [0, 5, 7, 'inner'],
    [0, 5, 8, 'inner'],
    [0, 5, 9, undefined],
    [0, 5, 12, undefined],
    [0, 8, 99, undefined],
    // After all inner definitions, the range's own definition counts.
    [0, 9, 6, undefined],
    [0, 9, 7, 'outer'],
    [1, 0, 0, 'outer'],
    [2, 0, 0, 'outer'],
    [2, 1, 4, 'outer'],
    [2, 1, 5, 'late'],
    [2, 1, 1004, 'late'],
    [2, 1, 1005, 'outer'],
    [4, 0, 2, 'outer'],
    [4, 0, 3, undefined],
    [4, 1, 5, undefined],
    [4, 1, 6, 'inner'],
    [4, 1, 7, 'inner'],
    [4, 1, 8, undefined],
    [4, 2, 0, undefined],
    [4, 2, 1, 'outer'],
  ])('finds the function in source %i, %i:%i: %s', (source, line, column, name) => {
    expect(nameAt(source, line, column)).toEqual([
      { position: position(source, line, column), ...(name !== undefined && { name }) },
    ])
  })
})

describe('inlined calls at a position in the generated code', () => {
  const scopes = [
    ...[scopeStart(0, 0), scopeStart(0, 10, 0, true), scopeEnd(0, 10), scopeStart(0, 10, 1, true), scopeEnd(0, 10)],
    scopeEnd(9, 0),
  ]
  const [OUTER, INNER] = [1, 2]
  const ranges = [
    // A function from 2:5 to 4:30, with inlined code from 2:10 to 3:20, and from 3:2 to 3:12 inside that.
    ...[rangeStart(2, 5, OUTER, true), rangeStart(0, 5, INNER - OUTER), callSite(0, 0, 12), rangeStart(1, 2)],
    ...[callSite(0, 0, 32), rangeEnd(10), rangeEnd(8, 0), rangeEnd(30, 1)],
    // A range from 4:40 to 4:45, outside of functions.
    ...[rangeStart(0, 10), callSite(0, 0, 11), rangeEnd(5)],
    // On lines 1000 to 1001, a range that is neither a function nor inlined.
    ...[rangeStart(996, 3), rangeStart(0, 0), rangeEnd(9), rangeEnd(0, 1)],
  ]
  const found = scopesOf(mapOf(...scopes, ...ranges))
  const [AT, CALLED, DEEP] = [position(0, 0, 31), position(0, 0, 12), position(0, 0, 32)]
  const outer = { position: CALLED, name: 'outer' }

  it.each<[number, number, object[] | undefined]>([
    [0, 0, undefined],
    [2, 4, undefined],
    [2, 5, [{ position: AT, name: 'inner' }]],
    [2, 9, [{ position: AT, name: 'inner' }]],
    [2, 10, [{ position: AT, name: 'inner' }, outer]],
    [3, 1, [{ position: AT, name: 'inner' }, outer]],
    [3, 2, [{ position: AT, name: 'inner' }, { position: DEEP, name: 'inner' }, outer]],
    [3, 11, [{ position: AT, name: 'inner' }, { position: DEEP, name: 'inner' }, outer]],
    [3, 12, [{ position: AT, name: 'inner' }, outer]],
    [3, 19, [{ position: AT, name: 'inner' }, outer]],
    [3, 20, [{ position: AT, name: 'inner' }]],
    [4, 29, [{ position: AT, name: 'inner' }]],
    [4, 30, undefined],
    [4, 39, undefined],
    [
      4,
      40,
      [
        { position: AT, name: 'inner' },
        { position: position(0, 0, 11), name: 'outer' },
      ],
    ],
    [4, 45, undefined],
    [1000, 2, undefined],
    [1000, 3, [{ position: AT, name: 'inner' }]],
    [1000, 12, [{ position: AT, name: 'inner' }]],
    [1001, 0, undefined],
  ])('finds inlined calls at %i:%i', (line, column, frames) => {
    expect(found.framesAt(line, column, AT)).toEqual(frames)
  })

  it('uses the name of the original scope if the position is in no function', () => {
    const elsewhere = position(2, 0, 0)
    expect(found.framesAt(3, 15, elsewhere)).toEqual([{ position: elsewhere, name: 'inner' }, outer])
    // The enclosing range has another function's definition.
    expect(found.framesAt(3, 5, elsewhere)).toEqual([{ position: elsewhere }, { position: DEEP, name: 'inner' }, outer])
    expect(found.framesAt(1000, 5, position(2, 0, 0))).toEqual([{ position: position(2, 0, 0) }])
  })

  it('continues around ranges that are neither functions nor inlined', () => {
    const nested = [
      ...[rangeStart(0, 0, OUTER, true), rangeStart(0, 5, INNER - OUTER), callSite(0, 0, 12), rangeStart(0, 2)],
      ...[rangeEnd(3), rangeEnd(3), rangeEnd(3), rangeStart(0, 0, OUTER - INNER), rangeEnd(4)],
    ]
    const found = scopesOf(mapOf(...scopes, ...nested))
    expect(found.framesAt(0, 8, AT)).toEqual([{ position: AT, name: 'inner' }, outer])
    // The last range's definition comes before that of the previous range.
    expect(found.framesAt(0, 17, position(2, 0, 0))).toEqual([{ position: position(2, 0, 0), name: 'outer' }])
  })

  it('lists at most 64 inlined calls', () => {
    const calls = (count: number) =>
      scopesOf(
        mapOf(
          ...Array.from({ length: count }, () => [rangeStart(0, 0), callSite(0, 0, 0)]).flat(),
          ...Array.from({ length: count }, () => rangeEnd(9, 0)),
        ),
      ).framesAt(0, 0, AT)?.length
    expect([calls(63), calls(64), calls(70)]).toEqual([64, 65, 65])
  })
})

describe('scopes in sections', () => {
  const own = [scopeStart(0, 0, 0, true), scopeEnd(9, 0), rangeStart(0, 5, 0, true), rangeEnd(5)]
  const nameAt = (sections: ScopesSection[], line: number, column: number, source: number) =>
    scopesOf(...sections).framesAt(line, column, position(source, 1, 0))?.[0]?.name

  it('starts scopes at the section, with sources after those of earlier sections', () => {
    const sections = [
      { ...mapOf(), scopes: undefined, sources: 1 },
      { ...mapOf(...own), column: 100 },
      { ...mapOf(...own), line: 2, column: 10, names: ['second'] },
    ]
    expect([nameAt(sections, 0, 104, 1), nameAt(sections, 0, 105, 1), nameAt(sections, 0, 110, 1)]).toEqual([
      undefined,
      'outer',
      undefined,
    ])
    expect([nameAt(sections, 2, 14, 4), nameAt(sections, 2, 15, 4), nameAt(sections, 2, 19, 4)]).toEqual([
      undefined,
      'second',
      'second',
    ])
  })

  it("resolves call positions in the section's own sources", () => {
    const called = { ...mapOf(...[rangeStart(0, 0), callSite(1, 7, 8), rangeEnd(9)]), line: 1 }
    expect(scopesOf(mapOf(), called).framesAt(1, 0, position(3, 0, 0))?.[1]).toEqual({ position: position(4, 7, 8) })
  })
})

it('skips items of unknown kinds, cuts a number that does not end, and accepts ends without a start', () => {
  const map = mapOf(
    ...[callSite(0, 0, 0), scopeEnd(1, 1), scopeStart(0, 4, 0, true), 'DABC', scopeEnd(0, 4)],
    ...[rangeEnd(2), rangeStart(0, 3, 0), 'GAA', callSite(0, 0, 0).slice(0, 2), 'HAA', rangeEnd(5)],
  )
  const found = scopesOf(map)
  expect(found.framesAt(0, 4, position(0, 1, 5))).toBeUndefined()
  expect(found.framesAt(0, 5, position(0, 1, 5))).toEqual(
    [
      { position: position(0, 1, 5), name: 'outer' },
      { position: position(0, 0, 0), name: undefined },
    ].map(({ name, ...rest }) => ({ ...rest, ...(name !== undefined && { name }) })),
  )
  const endless = scopesOf(mapOf(rangeStart(0, 0), `IA${'g'.repeat(40)}`, rangeEnd(9))).framesAt(
    0,
    0,
    position(0, 0, 0),
  )
  expect(endless?.[1]?.position).toEqual(position(0, 0, 0))
})
