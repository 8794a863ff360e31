import { describe, expect, it } from 'vitest'
import { UnitRanges } from './unit-ranges.ts'

type Range = readonly [low: number, high: number, unit: number]

function rangesOf(ranges: readonly Range[]): UnitRanges {
  const units = new UnitRanges()
  for (const range of ranges) units.add(...range)
  return units
}

describe('the units that contain an address', () => {
  it.each<[string, Range[], number, number[]]>([
    [
      'are in file order',
      [
        [0, 10, 4],
        [0, 10, 2],
      ],
      5,
      [4, 2],
    ],
    [
      'start with the unit that begins first',
      [
        [5, 10, 1],
        [0, 20, 2],
        [6, 7, 3],
        [8, 9, 4],
      ],
      6,
      [2, 1, 3],
    ],
    [
      'include each unit once',
      [
        [5, 10, 1],
        [4, 10, 2],
        [0, 20, 1],
      ],
      6,
      [1, 2],
    ],
    [
      'exclude their end',
      [
        [0, 5, 1],
        [5, 9, 2],
      ],
      5,
      [2],
    ],
    [
      'exclude empty ranges',
      [
        [5, 5, 1],
        [6, 4, 2],
      ],
      5,
      [],
    ],
    ['are at most sixteen', Array.from({ length: 40 }, (_, unit): Range => [0, 10, unit]), 5, [...Array(16).keys()]],
    ['many', Array.from({ length: 1025 }, (_, nth): Range => [nth * 2, nth * 2 + 1, nth]), 2048, [1024]],
  ])('%s', (_, ranges, address, expected) => {
    expect(rangesOf(ranges).holding(address)).toEqual(expected)
  })
})
