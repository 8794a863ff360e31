import { BinaryError, binaryOf } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { AT, FORM, TAG } from './constants.ts'
import { type Entry, unitOf } from './entries.fixture.ts'
import { HiddenNames } from './hidden-names.ts'
import { sectionOf, u16, u32, u64 } from './numbers.fixture.ts'
import {
  addressOf,
  type DwarfSections,
  highPcOf,
  listUnits,
  readUnitBounds,
  readUnitEntry,
  targetOf,
  textOf,
  type Unit,
  type UnitBounds,
} from './unit.ts'

const SIZES = { offset: 0x1000, firstEntry: 0x100b, end: 0x2000, abbreviationsOffset: 0 }
const UNIT: Unit = { ...SIZES, version: 5, offsetBytes: 4, addressBytes: 8 }
const BOUNDS: UnitBounds = { stringOffsetsBase: 8, addressBase: 8, rangeListsBase: 0 }
const TEXTS = sectionOf(Buffer.from('zero\0one\0two\0'))

function entryOf(values: Entry['values'], version = 4, more: object = {}, changes: Partial<Unit> = {}) {
  const { sections, unit, abbreviations } = unitOf([{ tag: TAG.compileUnit, values }], { version, start: 7 })
  const all = { ...sections, str: TEXTS, ...more } as DwarfSections
  const changed = { ...unit, ...changes }
  const entry = readUnitEntry(all, changed)
  expect(readUnitEntry(all, changed, abbreviations)).toEqual(entry)
  const { name, compilationDirectory, splitName, splitId, ...bounds } = entry
  expect(readUnitBounds(all, changed)).toEqual(bounds)
  return entry
}

describe('the first entry in a unit', () => {
  const addr = sectionOf([...u64(0), ...u64(0x700), ...u64(0x900)])
  type Value = Entry['values'][number]
  const text = (attribute: number, at: number): Value => [attribute, FORM.stringPointer, u32(at)]
  const address = (attribute: number, value: number): Value => [attribute, FORM.address, u64(value)]
  const offset = (attribute: number, value: number): Value => [attribute, FORM.sectionOffset, u32(value)]
  const length = (bytes: number): Value => [AT.highPc, FORM.data4, u32(bytes)]
  const GNU = [offset(AT.gnuAddressBase, 99), offset(AT.gnuRangesBase, 98)]

  it.each<[string, Entry['values'], number, object]>([
    ['nothing', [], 4, {}],
    ['contains nothing in version 5, because the tables follow a header', [], 5, {}],
    [
      'contains the starts of its tables',
      [offset(AT.stringOffsetsBase, 24), offset(AT.addressBase, 0), offset(AT.rangeListsBase, 12), ...GNU],
      5,
      { stringOffsetsBase: 24, addressBase: 0, rangeListsBase: 12 },
    ],
    ['contains the starts of its tables in GNU form', GNU, 4, { addressBase: 99, rangeListsBase: 98 }],
    [
      'contains its names',
      [text(AT.name, 5), text(AT.compilationDirectory, 9), text(AT.splitName, 0), [AT.gnuSplitId, FORM.data8, u64(77)]],
      4,
      { name: 'one', compilationDirectory: 'two', splitName: 'zero', splitId: 77 },
    ],
    ['refers to a split unit in GNU form', [text(AT.gnuSplitName, 5)], 4, { splitName: 'one' }],
    [
      'refers to a split unit in both forms',
      [text(AT.gnuSplitName, 5), text(AT.splitName, 9)],
      4,
      { splitName: 'two' },
    ],
    [
      'contains a constant from its abbreviation',
      [[AT.statementList, FORM.implicitConstant, [5]]],
      4,
      { lineOffset: 5 },
    ],
    [
      'contains its code with an end',
      [address(AT.lowPc, 0x10), address(AT.highPc, 0x30)],
      4,
      { lowPc: 0x10, highPc: 0x30 },
    ],
    ['contains its code with a length', [address(AT.lowPc, 0x10), length(0x30)], 4, { lowPc: 0x10, highPc: 0x40 }],
    ['contains its code from zero', [address(AT.lowPc, 0), length(0x30)], 4, { lowPc: 0, highPc: 0x30 }],
    [
      'contains its code from a table',
      [
        [AT.lowPc, FORM.addressIndex, [0]],
        [AT.highPc, FORM.addressIndex, [1]],
      ],
      5,
      { lowPc: 0x700, highPc: 0x900 },
    ],
    ['ignores a start with the wrong form', [[AT.lowPc, FORM.data4, u32(5)], length(8)], 4, { lowPc: 0, highPc: 8 }],
    [
      'contains its lines and a list of its code',
      [offset(AT.statementList, 0), offset(AT.ranges, 64), address(AT.lowPc, 0)],
      4,
      { lineOffset: 0, lowPc: 0, ranges: { form: FORM.sectionOffset, value: 64 } },
    ],
  ])('%s', (_, values, version, expected) => {
    expect(entryOf(values, version, { addr })).toStrictEqual({
      ...(version === 5 ? { stringOffsetsBase: 8, addressBase: 8 } : { stringOffsetsBase: 0, addressBase: 0 }),
      rangeListsBase: 0,
      ...expected,
    })
  })

  it('returns no end without a start', () => {
    expect(entryOf([address(AT.highPc, 0x30)])).not.toHaveProperty('highPc')
    expect(entryOf([address(AT.lowPc, 0x30)])).not.toHaveProperty('highPc')
  })

  it('finds tables after a header of 16 bytes if offsets have 8 bytes', () => {
    expect(entryOf([], 5, {}, { offsetBytes: 8 })).toMatchObject({ stringOffsetsBase: 16, addressBase: 16 })
  })

  it('reads the id of the split unit from the version 5 header', () => {
    const id: Entry['values'] = [[AT.gnuSplitId, FORM.data8, u64(77)]]
    expect(entryOf(id, 5, {}, { splitId: 5 }).splitId).toBe(5)
  })

  it('accepts a unit without an entry', () => {
    const { sections, unit } = unitOf([{ tag: TAG.compileUnit, values: [] }], { firstCode: 3 })
    const info = sectionOf([4])
    expect(() => readUnitEntry({ ...sections, info }, unit)).toThrow(
      new BinaryError('damaged', 'A unit in the debug information has no root entry.'),
    )
  })

  it('reads a long entry, with texts at the right positions', () => {
    const long = 'x'.repeat(600)
    const written = (value: string) => [...Buffer.from(value), 0]
    const entry = entryOf([
      [AT.compilationDirectory, FORM.string, written(long)],
      [AT.name, FORM.string, written('shop.c')],
    ])
    expect(entry).toMatchObject({ compilationDirectory: long, name: 'shop.c' })
  })
})

describe('a text in a unit', () => {
  const offsets = sectionOf([...u64(0), ...u32(5), ...u32(9)])
  const wide = sectionOf([...u64(0), ...u64(9)])
  const sections = {
    ...{ info: sectionOf(Buffer.from('..inside\0')), str: TEXTS, lineStr: sectionOf(Buffer.from('a line\0')) },
    ...{ strOffsets: offsets, supplement: { str: sectionOf(Buffer.from('elsewhere\0')) } },
  } as unknown as DwarfSections
  it.each([
    ['in the entry', FORM.string, 2, 'inside'],
    ['in .debug_str', FORM.stringPointer, 5, 'one'],
    ['in .debug_line_str', FORM.lineStringPointer, 2, 'line'],
    ['in another file', FORM.stringSupplement, 4, 'where'],
    ['in another file, in GNU form', FORM.gnuStringAlternative, 0, 'elsewhere'],
    ['by index', FORM.stringIndex, 1, 'two'],
    ['by 1-byte index', FORM.stringIndex1, 0, 'one'],
    ['by 2-byte index', FORM.stringIndex2, 0, 'one'],
    ['by 3-byte index', FORM.stringIndex3, 1, 'two'],
    ['by 4-byte index', FORM.stringIndex4, 1, 'two'],
    ['by index, in GNU form', FORM.gnuStringIndex, 0, 'one'],
    ['in a form for numbers', FORM.data4, 5, undefined],
  ])('reads a text %s', (_, form, value, expected) => {
    expect(textOf(sections, UNIT, BOUNDS, { form, value })).toBe(expected)
    const without = { info: sections.info } as DwarfSections
    expect(textOf(without, UNIT, BOUNDS, { form, value })).toBe(form === FORM.string ? expected : undefined)
    const { strOffsets: _offsets, ...others } = sections
    const isIndex = value < 2 && expected !== 'elsewhere'
    expect(textOf(others, UNIT, BOUNDS, { form, value })).toBe(isIndex ? undefined : expected)
  })

  it('reads a text by index if offsets have 8 bytes', () => {
    const found = { form: FORM.stringIndex, value: 0 }
    expect(textOf({ ...sections, strOffsets: wide }, { ...UNIT, offsetBytes: 8 }, BOUNDS, found)).toBe('two')
  })

  it('replaces a text that Xcode hid with the original', () => {
    const map = 'BCSymbolMap Version: 2.0\npay(_:)\n'
    const str = sectionOf(Buffer.from('__hidden#0_\0plain\0'))
    const hidden = { ...sections, str, hiddenNames: new HiddenNames(binaryOf(Buffer.from(map))) }
    const at = (value: number) => textOf(hidden, UNIT, BOUNDS, { form: FORM.stringPointer, value })
    expect([at(0), at(12), textOf(hidden, UNIT, BOUNDS, undefined)]).toEqual(['pay(_:)', 'plain', undefined])
  })
})

describe('an address in a unit', () => {
  const sections = { addr: sectionOf([...u64(0), ...u64(0x100), ...u64(0x200)]) } as DwarfSections
  const { addressIndex, addressIndex1, addressIndex2, addressIndex3, addressIndex4, gnuAddressIndex } = FORM
  it.each([
    [FORM.address, 1, 1],
    ...[addressIndex, addressIndex1, addressIndex2, addressIndex3, addressIndex4, gnuAddressIndex].map((form) => [
      ...[form, 1, 0x200],
    ]),
    [FORM.data8, 1, undefined],
    [0, 0, undefined],
  ] as [number, number, number | undefined][])('reads an address in form %i', (form, value, expected) => {
    expect(addressOf(sections, UNIT, BOUNDS, form, value)).toBe(expected)
    expect(highPcOf(sections, UNIT, BOUNDS, 0x40, form, value)).toBe(expected ?? 0x40 + value)
  })

  it('reads an address of 4 bytes', () => {
    const addr = sectionOf([...u32(7), ...u32(8), ...u32(9)])
    const unit = { ...UNIT, addressBytes: 4 }
    expect(addressOf({ addr } as DwarfSections, unit, { ...BOUNDS, addressBase: 4 }, addressIndex, 1)).toBe(9)
  })

  it('reads no address from a missing table', () => {
    expect(() => addressOf({} as DwarfSections, UNIT, BOUNDS, addressIndex, 0)).toThrow(
      new BinaryError('damaged', 'The address table in the debug information is missing.'),
    )
  })
})

it.each([
  [FORM.ref1, 0x1005],
  [FORM.ref2, 0x1005],
  [FORM.ref4, 0x1005],
  [FORM.ref8, 0x1005],
  [FORM.refUnsigned, 0x1005],
  [FORM.refAddress, 5],
  [FORM.data4, undefined],
])('resolves a reference with form %i to %s', (form, target) => {
  expect(targetOf(UNIT, { form, value: 5 })).toBe(target)
})

it('lists a unit of minimal size even at the end of its section', () => {
  const smallest = [...u32(7), ...u16(4), ...u32(0x30), 8]
  expect(listUnits(sectionOf([...smallest, ...smallest])).map(({ offset }) => offset)).toEqual([0, 11])
  expect(listUnits(sectionOf(smallest.slice(0, 10)))).toEqual([])
})
