import { describe, expect, it } from 'vitest'
import { addInfo, isSynthesizedInfo } from './mapping-line.ts'

// Lines in a mapping, as described in ProGuard's manual and R8's doc/retrace.md.

const method = { obfuscated: 'a', name: 'pay', returnType: 'void', parameters: '' }
describe('R8 metadata about a method', () => {
  const of = (name: string, rest: object = {}) => ({ id: `com.android.tools.r8.${name}`, ...rest })
  const parsed = (version: number, ...infos: Record<string, unknown>[]) => {
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
    ['marks it as synthesized', of('synthesized'), 1, 0.9, { synthesized: true }],
    ['marks it as an outline', of('outline'), 2, 1.9, { outline: true }],
    [
      'says that it calls an outline',
      of('outlineCallsite', { positions: { 1: 7, 2: 9 }, outline: outlined.outline }),
      2,
      1.9,
      { callSite: outlined },
    ],
    [
      'says that it calls an unnamed outline',
      of('outlineCallsite', { positions: 5 }),
      2,
      1.9,
      { callSite: { positions: new Map() } },
    ],
    ['removes its inner frames', of('rewriteFrame', rule), 2, 1.9, { rewrites }],
    ['contains its signature', of('residualsignature', { signature: '(I)V' }), 2.2, 2.1, { residualSignature: '(I)V' }],
  ])('%s', (_, info, since, lastBefore, expected) => {
    expect(parsed(since, info)).toEqual(expected)
    expect(parsed(Number.POSITIVE_INFINITY, info)).toEqual(expected)
    expect(parsed(lastBefore, info)).toBeUndefined()
    // If a mapping file does not declare its version, only some information applies.
    expect(parsed(0, info)).toEqual('synthesized' in expected ? undefined : expected)
  })

  it('accumulates', () => {
    const other = of('rewriteFrame', { conditions: [], actions: ['removeInnerFrames(1)', 'removeInnerFrames(3)'] })
    expect(parsed(2, of('outline'), of('rewriteFrame', rule), other)).toEqual({
      outline: true,
      rewrites: [...rewrites, { throws: [], removeInnerFrames: 4 }],
    })
  })

  it.each<[string, Record<string, unknown>]>([
    ['comes from another vendor', { id: 'other.outline' }],
    ['has an unknown id', of('new')],
    ['has an unknown condition', of('rewriteFrame', { ...rule, conditions: ['catches(La/b;)'] })],
    ['has an unknown action', of('rewriteFrame', { ...rule, actions: ['removeOuterFrames(2)'] })],
    ['has no conditions', of('rewriteFrame', { actions: rule.actions })],
    ['has no actions', of('rewriteFrame', { conditions: rule.conditions })],
    ['has a signature that is not text', of('residualsignature', { signature: 5 })],
  ])('ignores metadata if it %s', (_, info) => expect(parsed(2.2, info)).toBeUndefined())

  it('recognizes a class as synthesized from version 1.0 on', () => {
    expect([0, 0.9, 1, 2.2].map((version) => isSynthesizedInfo(of('synthesized'), version))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(isSynthesizedInfo(of('outline'), 2)).toBe(false)
  })
})
