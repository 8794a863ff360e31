import { describe, expect, it } from 'vitest'
import { addInfo, infoVersion, isSynthesizedInfo, parseClassLine, parseInfo, parseMethodLine } from './mapping-line.ts'

// Lines of a mapping, as ProGuard's manual and R8's doc/retrace.md describe them.

it.each<[string, object | undefined]>([
  ['com.shop.Cart -> a.b:', { original: 'com.shop.Cart', obfuscated: 'a.b' }],
  ['com.shop.Cart -> a.b', undefined],
  ['# com.shop.Cart -> a.b:', undefined],
  ['    int price -> a:', undefined],
  ['com.shop.Cart->a.b:', undefined],
])('the class line %j', (line, expected) => expect(parseClassLine(line)).toEqual(expected))

const method = { obfuscated: 'a', name: 'pay', returnType: 'void', parameters: '' }
it.each<[string, object | undefined]>([
  ['void pay() -> a', method],
  ['1:2:void pay() -> a', { ...method, from: 1, to: 2 }],
  ['1:2:void pay():7 -> a', { ...method, from: 1, to: 2, originalFrom: 7 }],
  ['1:2:void pay():7:8 -> a', { ...method, from: 1, to: 2, originalFrom: 7, originalTo: 8 }],
  ['void other.Cart.pay() -> a', { ...method, holder: 'other.Cart' }],
  ['void pay(int, java.lang.String) -> a', { ...method, parameters: 'int,java.lang.String' }],
  ['int[] pay() -> a', { ...method, returnType: 'int[]' }],
  ['int price -> a', undefined],
  ['void pay() -> a b', undefined],
])('the method line %j', (line, expected) => expect(parseMethodLine(line)).toEqual(expected))

it.each<[string, object | undefined]>([
  ['# {"id":"x","n":1}', { id: 'x', n: 1 }],
  ["# {'id':'x', n : 1}", { id: 'x', n: 1 }],
  ['# {id:"x",other:"y"}', { id: 'x', other: 'y' }],
  ['# compiler: R8', undefined],
  ['# {broken', undefined],
])('the comment %j', (line, expected) => expect(parseInfo(line)).toEqual(expected))

it.each<[unknown, number]>([
  ['2.2', 2.2],
  ['1.0', 1],
  ['experimental', Number.POSITIVE_INFINITY],
  ['2', 0],
  ['2.2.1', 0],
  ['12345.1', 0],
  [2.2, 0],
  [undefined, 0],
])('the version %j', (given, expected) => expect(infoVersion(given)).toBe(expected))

describe('what R8 says about a method', () => {
  const of = (name: string, rest: object = {}) => ({ id: `com.android.tools.r8.${name}`, ...rest })
  const said = (version: number, ...infos: Record<string, unknown>[]) => {
    const entry = { ...method }
    for (const info of infos) addInfo(entry, info, version)
    return 'info' in entry ? entry.info : undefined
  }
  const rule = { conditions: ['throws(Lcom/shop/Fault;)'], actions: ['removeInnerFrames(2)'] }
  const rewrites = [{ throws: ['com.shop.Fault'], removeInnerFrames: 2 }]
  const outlined = {
    positions: new Map([
      [1, 7],
      [2, 9],
    ]),
    outline: 'La/b;->a()V',
  }

  it.each<[string, Record<string, unknown>, since: number, lastBefore: number, expected: object]>([
    ['it is synthesized', of('synthesized'), 1, 0.9, { synthesized: true }],
    ['it is an outline', of('outline'), 2, 1.9, { outline: true }],
    [
      'it calls an outline',
      of('outlineCallsite', { positions: { 1: 7, 2: 9 }, outline: outlined.outline }),
      2,
      1.9,
      { callSite: outlined },
    ],
    [
      'it calls one that has no name',
      of('outlineCallsite', { positions: 5 }),
      2,
      1.9,
      { callSite: { positions: new Map() } },
    ],
    ['its inner frames go', of('rewriteFrame', rule), 2, 1.9, { rewrites }],
    ['its signature', of('residualsignature', { signature: '(I)V' }), 2.2, 2.1, { residualSignature: '(I)V' }],
  ])('%s', (_, info, since, lastBefore, expected) => {
    expect(said(since, info)).toEqual(expected)
    expect(said(Number.POSITIVE_INFINITY, info)).toEqual(expected)
    expect(said(lastBefore, info)).toBeUndefined()
    // A file that has lost its version.
    expect(said(0, info)).toEqual('synthesized' in expected ? undefined : expected)
  })

  it('adds up', () => {
    const other = of('rewriteFrame', { conditions: [], actions: ['removeInnerFrames(1)', 'removeInnerFrames(3)'] })
    expect(said(2, of('outline'), of('rewriteFrame', rule), other)).toEqual({
      outline: true,
      rewrites: [...rewrites, { throws: [], removeInnerFrames: 4 }],
    })
  })

  it.each<[string, Record<string, unknown>]>([
    ['another vendor says', { id: 'other.outline' }],
    ['nobody knows', of('new')],
    ['has an unknown condition', of('rewriteFrame', { ...rule, conditions: ['catches(La/b;)'] })],
    ['has an unknown action', of('rewriteFrame', { ...rule, actions: ['removeOuterFrames(2)'] })],
    ['has no conditions', of('rewriteFrame', { actions: rule.actions })],
    ['has no actions', of('rewriteFrame', { conditions: rule.conditions })],
    ['is a signature that is no text', of('residualsignature', { signature: 5 })],
  ])('leaves alone what %s', (_, info) => expect(said(2.2, info)).toBeUndefined())

  it('of a class is that it is synthesized, from 1.0 on', () => {
    expect([0, 0.9, 1, 2.2].map((version) => isSynthesizedInfo(of('synthesized'), version))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(isSynthesizedInfo(of('outline'), 2)).toBe(false)
  })
})
