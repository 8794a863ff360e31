import { describe, expect, it } from 'vitest'
import { sectionOf, u16, u32, u64 } from './numbers.fixture.ts'
import { listUnits } from './unit.ts'

describe('the units in a file', () => {
  const wrap = (rest: number[]) => [...u32(rest.length), ...rest]
  const old = (version: number, addressBytes = 8) => wrap([...u16(version), ...u32(0x30), addressBytes, 9, 9])
  const recent = (kind: number, addressBytes = 8) => {
    const id = kind === 4 || kind === 5 ? u64(77) : []
    return wrap([...u16(5), kind, addressBytes, ...u32(0x30), ...id, 9])
  }
  const wide = (() => {
    const rest = [...u16(4), ...u64(0x30), 4, 9]
    return [...u32(0xffffffff), ...u64(rest.length), ...rest]
  })()

  it.each<[string, number[], object[]]>([
    ['version 4', old(4), [{ firstEntry: 11, end: 13, version: 4, addressBytes: 8, offsetBytes: 4 }]],
    ['version 2', old(2, 4), [{ firstEntry: 11, end: 13, version: 2, addressBytes: 4, offsetBytes: 4 }]],
    ['64-bit offsets', wide, [{ firstEntry: 23, end: 24, version: 4, addressBytes: 4, offsetBytes: 8 }]],
    ['version 5', recent(1), [{ firstEntry: 12, end: 13, version: 5, addressBytes: 8, offsetBytes: 4 }]],
    ['a partial unit', recent(3), [{ firstEntry: 12, end: 13, version: 5, addressBytes: 8, offsetBytes: 4 }]],
    ['a skeleton', recent(4), [{ firstEntry: 20, end: 21, version: 5, addressBytes: 8, offsetBytes: 4, splitId: 77 }]],
    [
      'a split unit',
      recent(5),
      [{ firstEntry: 20, end: 21, version: 5, addressBytes: 8, offsetBytes: 4, splitId: 77 }],
    ],
    ['a type unit', recent(2), []],
    ['a split type unit', recent(6), []],
    ['version 1', old(1), []],
    ['version 6', old(6), []],
    ['two-byte addresses', old(4, 2), []],
    ['a unit without a length', [...u32(0), ...old(4)], []],
    ['a unit that is longer than the section', [...u32(10), ...u16(4), 0, 0, 0, 0, 8, 9, 9], []],
    ['bytes that are too short for a unit', old(4).slice(0, 10), []],
  ])('lists the right units for %s', (_, bytes, expected) => {
    expect(listUnits(sectionOf(bytes))).toEqual(expected.map((it) => ({ offset: 0, abbreviationsOffset: 0x30, ...it })))
  })

  it('lists units that follow each other, whatever their types', () => {
    const bytes = [...old(4), ...recent(2), ...old(9), ...wide, ...recent(1), ...u32(0), ...old(4)]
    expect(listUnits(sectionOf(bytes)).map(({ offset }) => offset)).toEqual([0, 39, 63])
  })
})
