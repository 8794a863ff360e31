import { BinaryError } from '@symup/core/internal'
import { describe, expect, it, vi } from 'vitest'
import { AT, FORM, TAG } from './constants.ts'
import { type Entry, functionOf, inlinedOf, unitOf } from './entries.fixture.ts'
import { sectionOf, u32, u64 } from './numbers.fixture.ts'
import type { Subroutine } from './subroutine-finders.ts'
import { functionRanges, readSubroutines } from './subroutines.ts'

const NAMESPACE = TAG.namespace
const STRUCTURE = 0x13
const damaged = (message: string) => new BinaryError('damaged', message)
const LEXICAL_BLOCK = 0x0b
/** A function without code: of what was inlined everywhere, and of templates. */
const declarationOf = (...below: Entry[]): Entry => ({ tag: TAG.subprogram, values: [], below })
const holderOf = (tag: number, ...below: Entry[]): Entry => ({ tag, values: [], below })
const withSibling = (entry: Entry): Entry => ({ ...entry, hasSibling: true })

function read(entries: readonly Entry[], options: Parameters<typeof unitOf>[1] = {}, more: object = {}) {
  const { sections, abbreviations, unit, bounds, offsets } = unitOf(entries, options)
  const subroutines = readSubroutines({ ...sections, ...more }, abbreviations, unit, bounds)
  const entryAt = new Map([...offsets].map(([entry, offset]) => [offset, entry]))
  const borrow = vi.spyOn(sections.info, 'borrow')
  /** The entries that an address is in, the innermost first. */
  const chainAt = (address: number) => {
    const chain: (Entry | undefined)[] = []
    for (let at: Subroutine | undefined = subroutines.at(address); at; at = at.parent)
      chain.push(entryAt.get(at.offset))
    return chain
  }
  return { subroutines, chainAt, borrow }
}

describe('the functions of a unit', () => {
  const deepest = inlinedOf(0x28, 0x30, 3)
  const inner = inlinedOf(0x20, 0x40, 2, deepest)
  const block = holderOf(LEXICAL_BLOCK, inner)
  const first = functionOf(0x10, 0x50, block)
  const second = functionOf(0x50, 0x60)
  const third = functionOf(0x70, 0x80)
  const method = functionOf(0x90, 0xa0, inlinedOf(0x92, 0x94, 4))

  const WAYS: [string, Entry[], Parameters<typeof unitOf>[1]?][] = [
    ['one after another', [first, second, third, method]],
    ['with codes of two bytes', [first, second, third, method], { firstCode: 200 }],
    ['below a namespace', [holderOf(NAMESPACE, first, second), third, method]],
    ['that say what is next to them', [withSibling(first), second, third, withSibling(method)]],
    [
      'below a structure that is passed over at first',
      [first, second, withSibling(holderOf(STRUCTURE, third, method))],
    ],
  ]
  it.each(WAYS)('%s', (_, entries, options) => {
    // What `withSibling` copied stands for the same.
    const same = (entry: Entry | undefined) =>
      [first, second, third, method].find((it) => it.values === entry?.values) ?? entry
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
          expect([address, chainAt(address).map(same)]).toEqual([address, chain])
      }
      expect(subroutines.isEmpty()).toBe(false)
    }
  })

  it('are none where entries have no code', () => {
    const { subroutines } = read([holderOf(STRUCTURE), declarationOf(), withSibling(holderOf(STRUCTURE))])
    expect([subroutines.isEmpty(), subroutines.at(0), subroutines.weight]).toEqual([true, undefined, 0])
    expect(read([withSibling(holderOf(STRUCTURE, third))]).subroutines.isEmpty()).toBe(false)
  })

  it('know where the inlined ones were called', () => {
    const called = inlinedOf(0x12, 0x14, 9)
    const constant = inlinedOf(0x16, 0x18, 1)
    constant.values[2] = [AT.callLine, FORM.implicitConstant, [33]]
    called.values.push([AT.callFile, FORM.data1, [7]], [AT.callColumn, FORM.data1, [5]])
    const { subroutines } = read([functionOf(0x10, 0x20, called, constant)])
    expect(subroutines.at(0x12)).toMatchObject({ isInlined: true, callFile: 7, callLine: 9, callColumn: 5 })
    expect(subroutines.at(0x16)).toMatchObject({ isInlined: true, callLine: 33 })
    expect(subroutines.at(0x14)).toMatchObject({ isInlined: false, callFile: 0, callLine: 0, callColumn: 0 })
  })

  it('are read again for what is inlined, once to search it and once to keep it', () => {
    const { subroutines, borrow } = read([first, second])
    const reads = [0x10, 0x50, 0x20, 0x28, 0x29, 0x30].map((address) => {
      borrow.mockClear()
      subroutines.at(address)
      return borrow.mock.calls.length
    })
    // All functions and a search in the first; nothing for one without entries below it; the first to keep; nothing.
    expect(reads).toEqual([2, 0, 1, 0, 0, 0])
  })

  it('are read twice only where something was passed over', () => {
    const readsOf = (entries: Entry[]) => {
      const { subroutines, borrow } = read(entries)
      for (const address of [0x5, 0x6]) subroutines.at(address)
      return borrow.mock.calls.length
    }
    expect(readsOf([second, third])).toBe(1)
    expect(readsOf([first, second])).toBe(1)
    expect(readsOf([withSibling(first), second])).toBe(2)
    expect(readsOf([withSibling(holderOf(STRUCTURE, third))])).toBe(2)
  })

  it('are not read again where the address is in one that says what is next to it', () => {
    const { chainAt, borrow } = read([withSibling(first), second])
    expect(chainAt(0x28)).toHaveLength(3)
    expect(borrow).toHaveBeenCalledTimes(2)
  })

  it('are gone over entry by entry where one is wrong in what is next to it', () => {
    const { chainAt } = read([{ ...holderOf(STRUCTURE, third), hasSibling: 'wrong' }, second])
    expect([chainAt(0x70), chainAt(0x50)]).toEqual([[third], [second]])
  })

  it('are functions, not the blocks in them', () => {
    const part = { ...functionOf(0x12, 0x18, holderOf(STRUCTURE)), tag: LEXICAL_BLOCK }
    const outer = functionOf(0x10, 0x20, withSibling(part))
    expect(read([outer]).chainAt(0x14)).toEqual([outer])
  })

  it('weigh what they keep: functions first, inlined code once it is asked for again', () => {
    const one = 130 + 3 * 8
    const { subroutines } = read([first, second])
    const weightAfter = (it: typeof subroutines, address: number) => {
      it.at(address)
      return it.weight
    }
    const weights = [0x50, 0x20, 0x28, 0x29].map((address) => weightAfter(subroutines, address))
    expect(weights).toEqual([2 * one, 2 * one, 5 * one, 5 * one])
    // Whatever was passed over counts once more.
    const passed = read([second, withSibling(holderOf(STRUCTURE, method))]).subroutines
    expect([0x50, 0x90].map((address) => weightAfter(passed, address))).toEqual([one, 3 * one])
  })

  it('inside of others, and of what only declares', () => {
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
    // Also of a call without code.
    const holder = functionOf(0x80, 0xa0, inlinedOf(0x80, 0x80, 3, alone))
    const { chainAt: inside } = read([holder])
    for (let nth = 0; nth < 3; nth++) expect(inside(0x91)).toEqual([alone, holder.below?.[0], holder])
  })

  it('that overlap in a way that only all of them tell', () => {
    const early = inlinedOf(0x20, 0x40, 1)
    const late = inlinedOf(0x30, 0x38, 2)
    const before = inlinedOf(0x10, 0x39, 3)
    const outer = functionOf(0x10, 0x50, late, early, before)
    const { chainAt, borrow } = read([outer])
    expect(chainAt(0x35)).toEqual([late, outer])
    // The functions, a search that is unsure, and all of them.
    expect(borrow).toHaveBeenCalledTimes(3)
    expect([0x10, 0x25, 0x38, 0x3f, 0x40].map((address) => chainAt(address)[0])).toEqual([
      ...[before, early, outer, outer, outer],
    ])
  })
})

describe('the code of a function', () => {
  const low = (form: number, bytes: number[]): Entry['values'][number] => [AT.lowPc, form, bytes]
  const high = (form: number, bytes: number[]): Entry['values'][number] => [AT.highPc, form, bytes]
  const LIST: Entry['values'][number] = [AT.ranges, FORM.sectionOffset, u32(16)]
  const addr = sectionOf([...u64(0x100), ...u64(0x180)])
  const ranges = sectionOf([0x700, 0x710, 0x500, 0x510, 0x600, 0x640, 0, 0].flatMap(u64))

  it.each<[string, Entry['values'], [number, boolean][]]>([
    [
      'an end',
      [low(FORM.address, u64(0x10)), high(FORM.address, u64(0x30))],
      [
        [0x0f, false],
        [0x10, true],
        [0x2f, true],
        [0x30, false],
      ],
    ],
    [
      'a length of 4 bytes',
      [low(FORM.address, u64(0x10)), high(FORM.data4, u32(0x30))],
      [
        [0x3f, true],
        [0x40, false],
      ],
    ],
    [
      'a length of 8 bytes',
      [low(FORM.address, u64(0x10)), high(FORM.data8, u64(0x30))],
      [
        [0x3f, true],
        [0x40, false],
      ],
    ],
    [
      'a length of 1 byte',
      [low(FORM.address, u64(0x10)), high(FORM.data1, [0x30])],
      [
        [0x3f, true],
        [0x40, false],
      ],
    ],
    [
      'places in a table',
      [low(FORM.addressIndex1, [0]), high(FORM.addressIndex1, [1])],
      [
        [0xff, false],
        [0x100, true],
        [0x17f, true],
        [0x180, false],
      ],
    ],
    [
      'a place in a table, and a length',
      [low(FORM.addressIndex1, [1]), high(FORM.data4, u32(4))],
      [
        [0x17f, false],
        [0x180, true],
        [0x183, true],
        [0x184, false],
      ],
    ],
    [
      'a list',
      [LIST],
      [
        [0x4ff, false],
        [0x500, true],
        [0x50f, true],
        [0x510, false],
        [0x600, true],
        [0x63f, true],
        [0x640, false],
        [0x700, false],
      ],
    ],
    [
      'a list and a start',
      [low(FORM.address, u64(0)), LIST],
      [
        [0, false],
        [0x500, true],
        [0x600, true],
      ],
    ],
    [
      'a list and an end',
      [high(FORM.address, u64(0x20)), LIST],
      [
        [0x1f, false],
        [0x500, true],
      ],
    ],
    [
      'a list, a start and an end',
      [low(FORM.address, u64(0x10)), high(FORM.address, u64(0x20)), LIST],
      [
        [0x10, true],
        [0x500, false],
      ],
    ],
    ['a start only', [low(FORM.address, u64(0x10))], [[0x10, false]]],
    [
      'a start that is none',
      [low(FORM.data4, u32(0x10)), high(FORM.data4, u32(0x10))],
      [
        [0x10, false],
        [0x18, false],
      ],
    ],
    ['nothing between', [low(FORM.address, u64(0x10)), high(FORM.data4, u32(0))], [[0x10, false]]],
    [
      'a mark that the linker dropped it',
      [low(FORM.address, [...u32(0xffffffff), ...u32(0xffffffff)]), high(FORM.data4, u32(8))],
      [[2 ** 64, false]],
    ],
  ])('by %s', (_, values, places) => {
    const of = (tag: number): Entry => ({ tag, values: [[AT.name, FORM.string, [65, 0]], ...values] })
    const found = of(TAG.subprogram)
    const { chainAt, subroutines } = read([found], {}, { addr, ranges })
    for (const [address, isIn] of places) expect([address, chainAt(address)]).toEqual([address, isIn ? [found] : []])
    expect(subroutines.isEmpty()).toBe(!places.some(([, isIn]) => isIn))
    // As inlined code, which is searched for at first and looked up later.
    for (const earlier of [0, 1]) {
      const inlined = of(TAG.inlinedSubroutine)
      const outer = functionOf(0, 0x1000, inlined)
      const { chainAt } = read([outer], {}, { addr, ranges })
      for (const [address, isIn] of places.filter(([at]) => at < 0x1000)) {
        if (earlier) chainAt(0)
        expect([address, chainAt(address)]).toEqual([address, isIn ? [inlined, outer] : [outer]])
      }
    }
  })

  it('of several pieces: what is in them is found by one search, and not kept', () => {
    const inlined: Entry = { tag: TAG.inlinedSubroutine, values: [LIST], below: [inlinedOf(0x504, 0x508, 1)] }
    const outer: Entry = { tag: TAG.subprogram, values: [LIST], below: [inlined] }
    const { chainAt, borrow, subroutines } = read([outer], {}, { ranges })
    expect([chainAt(0x504), borrow.mock.calls.length]).toEqual([[inlined.below?.[0], inlined, outer], 2])
    expect(subroutines.weight).toBe(130 + 2 * 3 * 8)
  })

  it('is told of each function for itself where the unit does not say what it covers', () => {
    const list: Entry = { tag: TAG.subprogram, values: [LIST] }
    const local = functionOf(0x14, 0x18)
    const entries = [
      functionOf(0x10, 0x20, local, inlinedOf(0x1a, 0x1b, 1)),
      list,
      withSibling(holderOf(STRUCTURE, functionOf(0x30, 0x40))),
    ]
    const { sections, unit, bounds } = unitOf(entries)
    const found: number[][] = []
    functionRanges({ ...sections, ranges }, unit, bounds, (...range) => found.push(range))
    expect(found).toEqual([
      [0x10, 0x20],
      [0x500, 0x510],
      [0x600, 0x640],
      [0x30, 0x40],
    ])
  })
})

describe('entries that make no sense', () => {
  const nested = (depth: number): Entry => {
    let entry = functionOf(0x10, 0x20)
    for (let nth = 0; nth < depth; nth++) entry = holderOf(LEXICAL_BLOCK, entry)
    return entry
  }

  it('are nested too deep', () => {
    expect(read([nested(2000)]).chainAt(0x10)).toHaveLength(1)
    expect(() => read([nested(2001)]).chainAt(0x10)).toThrow(damaged('its entries are nested too deep'))
  })

  it('have no shape', () => {
    const { sections, abbreviations, unit, bounds } = unitOf([functionOf(0x10, 0x20)])
    const info = sectionOf([9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    const { at } = readSubroutines({ ...sections, info }, abbreviations, unit, bounds)
    expect(() => at(0)).toThrow(damaged('an entry has no shape'))
  })

  it('end outside of their unit', () => {
    const { sections, abbreviations, unit, bounds } = unitOf([holderOf(STRUCTURE), functionOf(0x10, 0x20)])
    const types: Entry = { tag: STRUCTURE, values: [[AT.name, FORM.data4, u32(0)]] }
    const whole = unitOf([types])
    expect(readSubroutines(whole.sections, whole.abbreviations, whole.unit, whole.bounds).isEmpty()).toBe(true)
    const cut = { ...whole.unit, end: whole.unit.end - 1 }
    const { isEmpty } = readSubroutines(whole.sections, whole.abbreviations, cut, whole.bounds)
    expect(isEmpty).toThrow(damaged('its debug information points outside itself'))
    const function_ = readSubroutines(sections, abbreviations, { ...unit, end: unit.end - 1 }, bounds)
    expect(() => function_.at(0)).toThrow('its debug information')
  })

  it('are too many', () => {
    const { sections, abbreviations, unit, bounds } = unitOf([functionOf(0x10, 0x20)])
    const sized = (bytes: number) => () =>
      readSubroutines(sections, abbreviations, { ...unit, firstEntry: 1, end: 1 + bytes }, bounds)
    expect(sized(512 * 1024 * 1024)).not.toThrow()
    expect(sized(512 * 1024 * 1024 + 1)).toThrow(damaged('a unit is too large'))
  })

  it('end more often than they begin', () => {
    const { sections, abbreviations, unit, bounds, offsets } = unitOf([
      ...[functionOf(0x10, 0x20, inlinedOf(0x12, 0x14, 1)), functionOf(0x30, 0x40)],
    ])
    const [, , third] = [...offsets.values()] as [number, number, number]
    const bytes = sections.info.bytes(0, unit.end)
    const info = sectionOf([...bytes.subarray(0, third), 0, 0, ...bytes.subarray(third)])
    const { at } = readSubroutines({ ...sections, info }, abbreviations, { ...unit, end: unit.end + 2 }, bounds)
    expect(at(0x30)).toMatchObject({ offset: third + 2 })
    expect(at(0x12)?.parent).toMatchObject({ offset: 0, end: third })
  })
})
