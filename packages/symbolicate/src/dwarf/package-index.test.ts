import { BinaryError } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { sectionOf, u32 } from './numbers.fixture.ts'
import { readPackageIndex } from './package-index.ts'

describe('the index in a package', () => {
  const indexOf = (version: number, kinds: number[], ids: number[], little = true) => {
    const number = (value: number, bytes: number) => {
      const buffer = Buffer.alloc(bytes)
      for (let nth = 0; nth < bytes; nth++)
        buffer[little ? nth : bytes - 1 - nth] = Math.floor(value / 256 ** nth) & 255
      return [...buffer]
    }
    const long = (value: number) => number(value, 4)
    const rows = ids.flatMap((id, nth) => (id === 0 ? [0] : [ids.slice(0, nth + 1).filter((it) => it !== 0).length]))
    const units = Math.max(...rows)
    const cells = (first: number) => Array.from({ length: units * kinds.length }, (_, nth) => first + nth)
    const head = version === 5 ? [...number(5, 2), 0, 0] : long(version)
    const numbers = [kinds.length, units, ids.length].flatMap(long)
    const table = [...ids.flatMap((id) => number(id, 8)), ...rows.flatMap(long), ...kinds.flatMap(long)]
    return sectionOf([...head, ...numbers, ...table, ...[...cells(100), ...cells(200)].flatMap(long)], little)
  }

  it.each([true, false])('returns the sections of a unit, little-endian: %s', (little) => {
    const find = readPackageIndex(indexOf(5, [1, 3, 8, 4], [0, 77, 0, 2 ** 40], little))
    const part = (nth: number) => ({ offset: 100 + nth, size: 200 + nth })
    expect(find(77)).toEqual({ info: part(0), abbrev: part(1), rangeLists: part(2) })
    expect(find(2 ** 40)).toEqual({ info: part(4), abbrev: part(5), rangeLists: part(6) })
    expect(find(78)).toBeUndefined()
    const old = readPackageIndex(indexOf(2, [1, 6, 8], [5, 0], little))
    expect([old(5), old(0)]).toEqual([{ info: part(0), strOffsets: part(1) }, undefined])
  })

  it.each([
    ['with another version', [...u32(3), ...u32(1), ...u32(1), ...u32(2)]],
    ['with too many columns', [...u32(2), ...u32(17), ...u32(1), ...u32(2)]],
    ['with too many slots', [...u32(2), ...u32(1), ...u32(1), ...u32(4_000_001)]],
    ['with more units than slots', [...u32(2), ...u32(1), ...u32(3), ...u32(2)]],
  ])('refuses an index %s', (_, bytes) => {
    expect(() => readPackageIndex(sectionOf(bytes))).toThrow(
      new BinaryError('damaged', 'The unit index in the debug information is invalid.'),
    )
  })
})
