import { BinaryError } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { sectionOf, u32, u64 } from './numbers.fixture.ts'
import { eachRange, isCode } from './ranges.ts'
import type { DwarfSections, Unit, UnitBounds } from './unit.ts'

describe('lists of address ranges', () => {
  const rangesIn = (sections: object, unit: object, entry: object, value: number, form = 0x17) => {
    const found: [number, number][] = []
    const add = (low: number, high: number) => void found.push([low, high])
    const sizes = { version: 4, addressBytes: 8, offsetBytes: 4, ...unit } as Unit
    eachRange(
      sections as DwarfSections,
      sizes,
      { addressBase: 0, rangeListsBase: 0, ...entry } as UnitBounds,
      { form, value },
      add,
    )
    return found
  }
  const pairs = (size: (value: number) => number[], ...values: number[]) => values.flatMap(size)

  it.each<[string, number, (value: number) => number[]]>([
    ['64', 8, u64],
    ['32', 4, u32],
  ])(
    'reads lists in an old version with %s bits relative to the base, which an entry may change, up to two zeros',
    (_, addressBytes, size) => {
      const largest = addressBytes === 8 ? pairs(u32, 0xffffffff, 0xffffffff) : u32(0xffffffff)
      const list = [
        ...pairs(size, 0x10, 0x20, 0x30, 0x30, 0, 8),
        ...[...largest, ...size(0x5000)],
        ...pairs(size, 1, 2, 0x10, 0, 0, 0, 7, 9),
      ]
      const ranges = sectionOf([...size(1), ...list])
      const expected = [
        [0x1010, 0x1020],
        [0x1000, 0x1008],
        [0x5001, 0x5002],
      ]
      expect(rangesIn({ ranges }, { addressBytes }, { lowPc: 0x1000 }, addressBytes)).toEqual(expected)
      expect(rangesIn({ ranges }, { addressBytes }, { lowPc: 0x1000, rangesBase: addressBytes }, 0)).toEqual(expected)
      expect(rangesIn({ ranges }, { addressBytes }, {}, addressBytes)[0]).toEqual([0x10, 0x20])
      expect(rangesIn({}, { addressBytes }, {}, 0)).toEqual([])
      expect(() => rangesIn({ ranges: sectionOf(pairs(size, 1, 2)) }, { addressBytes }, {}, 0)).toThrow(BinaryError)
    },
  )

  it('reads a long list in an old version', () => {
    const list = Array.from({ length: 3000 }, (_, nth) => pairs(u64, 16 * nth + 1, 16 * nth + 9)).flat()
    const ranges = sectionOf([...list, ...pairs(u64, 0, 0)])
    expect(rangesIn({ ranges }, {}, {}, 0)).toEqual(
      Array.from({ length: 3000 }, (_, nth) => [16 * nth + 1, 16 * nth + 9]),
    )
  })

  const LIST = [
    ...[4, 0x10, 0x20],
    ...[1, 1, 4, 1, 2],
    ...[2, 0, 1],
    ...[3, 2, 5],
    ...[5, ...u64(0x9000), 4, 3, 3, 4, 3, 4],
    ...[6, ...u64(0xa000), ...u64(0xa004)],
    ...[7, ...u64(0xb000), 0x81, 1],
    // The linker dropped the code in this range.
    ...[7, ...u32(0xfffffffe), ...u32(0xffffffff), 4],
    0,
    ...[7, ...u64(1), 1],
  ]
  const addr = sectionOf([...u64(0), ...u64(0x100), ...u64(0x200), ...u64(0x300)])
  const EXPECTED = [
    [0x1010, 0x1020],
    [0x201, 0x202],
    [0x100, 0x200],
    [0x300, 0x305],
    [0x9003, 0x9004],
    [0xa000, 0xa004],
    [0xb000, 0xb081],
  ]

  it('reads each kind of entry in version 5, by offset and by index', () => {
    const unit = { version: 5 }
    const entry = { lowPc: 0x1000, addressBase: 8, rangeListsBase: 4 }
    const sections = { rangeLists: sectionOf([...u32(0), ...u32(99), ...u32(8), ...LIST]), addr }
    expect(rangesIn(sections, unit, entry, 12)).toEqual(EXPECTED)
    expect(rangesIn(sections, unit, entry, 1, 0x23)).toEqual(EXPECTED)
    const wide = { rangeLists: sectionOf([...u32(0), ...u64(8), ...LIST]), addr }
    expect(rangesIn(wide, { ...unit, offsetBytes: 8 }, entry, 0, 0x23)).toEqual(EXPECTED)
    expect(rangesIn({}, unit, entry, 12)).toEqual([])
    expect(() => rangesIn({ rangeLists: sectionOf([8]) }, unit, {}, 0)).toThrow(
      'A range list in the debug information contains an entry of unknown kind 8.',
    )
  })

  it('reads a long list in version 5', () => {
    const list = Array.from({ length: 2000 }, (_, nth) => [7, ...u64(0x100 * nth + 1), 7]).flat()
    const found = rangesIn({ rangeLists: sectionOf([...list, 0]) }, { version: 5 }, {}, 0)
    expect(found).toEqual(Array.from({ length: 2000 }, (_, nth) => [0x100 * nth + 1, 0x100 * nth + 8]))
  })

  it.each([
    [0, 1, 8, true],
    [5, 5, 8, false],
    [6, 5, 8, false],
    [0xfffffffd, 0xffffffff, 4, true],
    [0xfffffffe, 0xffffffff, 4, false],
    [0xffffffff, 2 ** 33, 8, true],
    [2 ** 64 - 2, 2 ** 64, 8, false],
  ])('finds code from %i to %i with %i bits: %s', (low, high, addressBytes, expected) => {
    expect(isCode(low, high, { addressBytes } as Unit)).toBe(expected)
  })

  it.each([
    [0, 0x8000, false],
    [1, 0x8000, false],
    [0xfff, 0x8000, false],
    [0x1000, 0x1001, true],
    [0x1fff, 0x2000, true],
    [0x2000, 0x2001, false],
    [2 ** 32 - 1, 2 ** 32 + 5, false],
  ])('finds %i to %i in a file with code from 0x1000 to 0x2000: %s', (low, high, expected) => {
    expect(isCode(low, high, { addressBytes: 8 }, { from: 0x1000, to: 0x2000 })).toBe(expected)
  })
})
