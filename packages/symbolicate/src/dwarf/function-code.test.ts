import { BinaryError } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { AT, FORM, TAG } from './constants.ts'
import { type Entry, functionOf, inlinedOf, unitOf } from './entries.fixture.ts'
import { sectionOf, u32, u64 } from './numbers.fixture.ts'
import { holderOf, LEXICAL_BLOCK, read, STRUCTURE } from './subroutines.fixture.ts'
import { functionRanges, readSubroutines } from './subroutines.ts'

const damaged = (message: string) => new BinaryError('damaged', message)

describe('the code range of a function', () => {
  const low = (form: number, bytes: number[]): Entry['values'][number] => [AT.lowPc, form, bytes]
  const high = (form: number, bytes: number[]): Entry['values'][number] => [AT.highPc, form, bytes]
  const LIST: Entry['values'][number] = [AT.ranges, FORM.sectionOffset, u32(16)]
  const addr = sectionOf([...u64(0x100), ...u64(0x180)])
  const ranges = sectionOf([0x700, 0x710, 0x500, 0x510, 0x600, 0x640, 0, 0].flatMap(u64))

  const START = low(FORM.address, u64(0x10))
  const dropped = low(FORM.address, Array(8).fill(0xff))
  it.each<[string, Entry['values'], inside: number[], outside: number[]]>([
    ['an end address', [START, high(FORM.address, u64(0x30))], [0x10, 0x2f], [0x0f, 0x30]],
    ['a length of 4 bytes', [START, high(FORM.data4, u32(0x30))], [0x3f], [0x40]],
    ['a length of 8 bytes', [START, high(FORM.data8, u64(0x30))], [0x3f], [0x40]],
    ['a length of 1 byte', [START, high(FORM.data1, [0x30])], [0x3f], [0x40]],
    [
      'addresses in a table',
      [low(FORM.addressIndex1, [0]), high(FORM.addressIndex1, [1])],
      [0x100, 0x17f],
      [0xff, 0x180],
    ],
    [
      'an address in a table and a length',
      [low(FORM.addressIndex1, [1]), high(FORM.data4, u32(4))],
      [0x180, 0x183],
      [0x17f, 0x184],
    ],
    ['a list of ranges', [LIST], [0x500, 0x50f, 0x600, 0x63f], [0x4ff, 0x510, 0x640, 0x700]],
    ['a list and a start', [low(FORM.address, u64(0)), LIST], [0x500, 0x600], [0]],
    ['a list and an end', [high(FORM.address, u64(0x20)), LIST], [0x500], [0x1f]],
    ['a list, a start and an end', [START, high(FORM.address, u64(0x20)), LIST], [0x10], [0x500]],
    ['only a start', [START], [], [0x10]],
    ['a start with the wrong form', [low(FORM.data4, u32(0x10)), high(FORM.data4, u32(0x10))], [], [0x10, 0x18]],
    ['an empty range', [START, high(FORM.data4, u32(0))], [], [0x10]],
    ['a mark that the linker dropped the code', [dropped, high(FORM.data4, u32(8))], [], [2 ** 64]],
  ])('reads the code range of a function from %s', (_, values, inside, outside) => {
    const places = [...inside, ...outside].map((address) => [address, inside.includes(address)] as const)
    const of = (tag: number): Entry => ({ tag, values: [[AT.name, FORM.string, [65, 0]], ...values] })
    const found = of(TAG.subprogram)
    const { chainAt, subroutines } = read([found], {}, { addr, ranges })
    for (const [address, isIn] of places) expect([address, chainAt(address)]).toEqual([address, isIn ? [found] : []])
    expect(subroutines.isEmpty()).toBe(inside.length === 0)
    // Inlined code that is first searched for and later looked up.
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

  it('finds a function with several ranges and the code inlined into it', () => {
    const inlined: Entry = { tag: TAG.inlinedSubroutine, values: [LIST], below: [inlinedOf(0x504, 0x508, 1)] }
    const outer: Entry = { tag: TAG.subprogram, values: [LIST], below: [inlined] }
    const { chainAt } = read([outer], {}, { ranges })
    expect(chainAt(0x504)).toEqual([inlined.below?.[0], inlined, outer])
  })

  it('reads the code of each function if the unit does not declare its ranges', () => {
    const list: Entry = { tag: TAG.subprogram, values: [LIST] }
    const local = functionOf(0x14, 0x18)
    const entries = [
      functionOf(0x10, 0x20, local, inlinedOf(0x1a, 0x1b, 1)),
      list,
      holderOf(STRUCTURE, functionOf(0x30, 0x40)),
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

describe('invalid debug entries', () => {
  const nested = (depth: number): Entry => {
    let entry = functionOf(0x10, 0x20)
    for (let nth = 0; nth < depth; nth++) entry = holderOf(LEXICAL_BLOCK, entry)
    return entry
  }

  it('rejects entries that are nested too deeply', () => {
    expect(read([nested(2000)]).chainAt(0x10)).toHaveLength(1)
    expect(() => read([nested(2001)]).chainAt(0x10)).toThrow(
      damaged('The entries in the debug information are nested too deeply.'),
    )
  })

  it('rejects entries without an abbreviation', () => {
    const { sections, abbreviations, unit, bounds } = unitOf([functionOf(0x10, 0x20)])
    const info = sectionOf([9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    const { at } = readSubroutines({ ...sections, info }, abbreviations, unit, bounds)
    expect(() => at(0)).toThrow(damaged('The abbreviation of an entry in the debug information is missing.'))
  })

  it('rejects entries that end outside their unit', () => {
    const { sections, abbreviations, unit, bounds } = unitOf([holderOf(STRUCTURE), functionOf(0x10, 0x20)])
    const types: Entry = { tag: STRUCTURE, values: [[AT.name, FORM.data4, u32(0)]] }
    const whole = unitOf([types])
    expect(readSubroutines(whole.sections, whole.abbreviations, whole.unit, whole.bounds).isEmpty()).toBe(true)
    const cut = { ...whole.unit, end: whole.unit.end - 1 }
    const { isEmpty } = readSubroutines(whole.sections, whole.abbreviations, cut, whole.bounds)
    expect(isEmpty).toThrow(damaged('The debug information contains an offset that is out of range.'))
    const function_ = readSubroutines(sections, abbreviations, { ...unit, end: unit.end - 1 }, bounds)
    expect(() => function_.at(0)).toThrow('The debug information contains an offset that is out of range.')
  })

  it('rejects too many entries', () => {
    const { sections, abbreviations, unit, bounds } = unitOf([functionOf(0x10, 0x20)])
    const sized = (bytes: number) => () =>
      readSubroutines(sections, abbreviations, { ...unit, firstEntry: 1, end: 1 + bytes }, bounds)
    expect(sized(512 * 1024 * 1024)).not.toThrow()
    expect(sized(512 * 1024 * 1024 + 1)).toThrow(damaged('A unit in the debug information is too large.'))
  })

  it('rejects entries that end more often than they begin', () => {
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
