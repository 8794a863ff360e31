import { describe, expect, it } from 'vitest'
import { AT, FORM } from './constants.ts'
import { type Entry, functionOf, inlinedOf, type unitOf } from './entries.fixture.ts'
import { declarationOf, holderOf, LEXICAL_BLOCK, NAMESPACE, read, STRUCTURE } from './subroutines.fixture.ts'

describe('the functions in a unit', () => {
  const deepest = inlinedOf(0x28, 0x30, 3)
  const inner = inlinedOf(0x20, 0x40, 2, deepest)
  const block = holderOf(LEXICAL_BLOCK, inner)
  const first = functionOf(0x10, 0x50, block)
  const second = functionOf(0x50, 0x60)
  const third = functionOf(0x70, 0x80)
  const method = functionOf(0x90, 0xa0, inlinedOf(0x92, 0x94, 4))

  const WAYS: [string, Entry[], Parameters<typeof unitOf>[1]?][] = [
    ['one after another', [first, second, third, method]],
    ['with two-byte codes', [first, second, third, method], { firstCode: 200 }],
    ['in a namespace', [holderOf(NAMESPACE, first, second), third, method]],
    ['in a structure', [first, second, holderOf(STRUCTURE, third, method)]],
  ]
  it.each(WAYS)('finds functions %s', (_, entries, options) => {
    for (let round = 0; round < 3; round++) {
      const { chainAt, subroutines } = read(entries, options)
      for (let repeated = 0; repeated <= round; repeated++) {
        for (const [address, ...chain] of [
          [0x0f],
          [0x10, first],
          [0x1f, first],
          [0x20, inner, first],
          [0x27, inner, first],
          [0x28, deepest, inner, first],
          [0x2f, deepest, inner, first],
          [0x30, inner, first],
          [0x40, first],
          [0x4f, first],
          [0x50, second],
          [0x60],
          [0x70, third],
          [0x80],
          [0x90, method],
          [0x92, method.below?.[0], method],
          [0x94, method],
          [0xa0],
        ] as [number, ...Entry[]][])
          expect([address, chainAt(address)]).toEqual([address, chain])
      }
      expect(subroutines.isEmpty()).toBe(false)
    }
  })

  it('finds no functions if entries have no code', () => {
    const { subroutines } = read([holderOf(STRUCTURE), declarationOf()])
    expect([subroutines.isEmpty(), subroutines.at(0), subroutines.weight]).toEqual([true, undefined, 0])
    expect(read([holderOf(STRUCTURE, third)]).subroutines.isEmpty()).toBe(false)
  })

  it('finds the call sites of inlined functions', () => {
    const called = inlinedOf(0x12, 0x14, 9)
    const constant = inlinedOf(0x16, 0x18, 1)
    constant.values[2] = [AT.callLine, FORM.implicitConstant, [33]]
    called.values.push([AT.callFile, FORM.data1, [7]], [AT.callColumn, FORM.data1, [5]])
    const { subroutines } = read([functionOf(0x10, 0x20, called, constant)])
    expect(subroutines.at(0x12)).toMatchObject({ isInlined: true, callFile: 7, callLine: 9, callColumn: 5 })
    expect(subroutines.at(0x16)).toMatchObject({ isInlined: true, callLine: 33 })
    expect(subroutines.at(0x14)).toMatchObject({ isInlined: false, callFile: 0, callLine: 0, callColumn: 0 })
  })

  it('finds the same functions regardless of earlier queries', () => {
    const asked = read([first, second])
    for (const address of [0x5, 0x10, 0x50, 0x20, 0x28, 0x29, 0x30])
      expect(asked.chainAt(address)).toEqual(read([first, second]).chainAt(address))
    expect(asked.chainAt(0x28)).toHaveLength(3)
  })

  it('finds functions, not the blocks in them', () => {
    const part = { ...functionOf(0x12, 0x18, holderOf(STRUCTURE)), tag: LEXICAL_BLOCK }
    const outer = functionOf(0x10, 0x20, part)
    expect(read([outer]).chainAt(0x14)).toEqual([outer])
  })

  it('finds functions inside other functions and inside declarations', () => {
    const local = functionOf(0x30, 0x40, inlinedOf(0x32, 0x34, 1))
    const [inlined] = local.below as [Entry]
    const outer = functionOf(0x10, 0x60, local)
    const lost = inlinedOf(0x72, 0x74, 1)
    const template = declarationOf(functionOf(0x70, 0x80, lost))
    const [instance] = template.below as [Entry]
    const alone = inlinedOf(0x90, 0x94, 2)
    const { chainAt, subroutines } = read([outer, template, declarationOf(alone)])
    expect(chainAt(0x32)).toEqual([inlined, local, outer])
    expect(chainAt(0x31)).toEqual([local, outer])
    expect(chainAt(0x41)).toEqual([outer])
    expect(chainAt(0x72)).toEqual([lost, instance, template])
    expect(chainAt(0x90)[0]).toBe(alone)
    expect(chainAt(0x95)).toEqual([])
    expect(subroutines.at(0x72)?.parent?.parent).toMatchObject({ isInlined: false, hasCode: false })
    // The chain is also right for a call without code.
    const holder = functionOf(0x80, 0xa0, inlinedOf(0x80, 0x80, 3, alone))
    const { chainAt: inside } = read([holder])
    for (let nth = 0; nth < 3; nth++) expect(inside(0x91)).toEqual([alone, holder.below?.[0], holder])
  })

  it('finds overlapping functions that require reading all of them', () => {
    const early = inlinedOf(0x20, 0x40, 1)
    const late = inlinedOf(0x30, 0x38, 2)
    const before = inlinedOf(0x10, 0x39, 3)
    const outer = functionOf(0x10, 0x50, late, early, before)
    const { chainAt } = read([outer])
    expect(chainAt(0x35)).toEqual([late, outer])
    expect([0x10, 0x25, 0x38, 0x3f, 0x40].map((address) => chainAt(address)[0])).toEqual([
      ...[before, early, early, early, outer],
    ])
  })
})
