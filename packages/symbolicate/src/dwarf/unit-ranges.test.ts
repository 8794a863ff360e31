import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../../test/support/random.ts'
import { UnitRanges } from './unit-ranges.ts'

type Range = readonly [low: number, high: number, unit: number]

function rangesOf(ranges: readonly Range[]): UnitRanges {
  const units = new UnitRanges()
  for (const range of ranges) units.add(...range)
  return units
}

/**
 * Expected: where ranges overlap, the previous unit continues as long as possible, then the first unit in the file
 * follows.
 */
function expectedAt(ranges: readonly Range[], address: number): number | undefined {
  const borders = [...new Set(ranges.flatMap((range) => range.slice(0, 2)))].sort((a, b) => a - b)
  let unit: number | undefined
  for (const border of borders) {
    if (border > address) break
    const active = ranges.filter(([low, high]) => low <= border && border < high).map((it) => it[2])
    if (unit === undefined || !active.includes(unit)) unit = active.length > 0 ? Math.min(...active) : undefined
  }
  return unit
}

describe('the units that hold an address', () => {
  it('are sixteen at the most', () => {
    const many = rangesOf(Array.from({ length: 40 }, (_, unit): Range => [0, 10, unit]))
    expect([...many.holding(5)]).toEqual(Array.from({ length: 16 }, (_, unit) => unit))
  })
})

describe('one unit for each address', () => {
  it('of a thousand that overlap at random', () => {
    const random = randomOf(7)
    for (let round = 0; round < 20; round++) {
      const ranges = Array.from({ length: 50 }, (): Range => {
        const low = random(200)
        return [low, low + 1 + random(40), random(30)]
      })
      const units = rangesOf(ranges)
      for (let address = -1; address < 250; address += 3) {
        expect(units.at(address), `${round}, ${address}`).toBe(expectedAt(ranges, address))
      }
    }
  })
})

it('grows', () => {
  const many = (count: number) =>
    rangesOf(Array.from({ length: count }, (_, nth): Range => [nth * 2, nth * 2 + 1, nth]))
  const units = many(1025)
  expect([0, 2, 3, 2046, 2048, 2049].map((it) => units.at(it))).toEqual([0, 1, undefined, 1023, 1024, undefined])
})
