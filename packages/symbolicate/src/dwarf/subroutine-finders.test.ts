import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../../test/support/random.ts'
import { AllSubroutines, OneSubroutine, OTHER, Subroutine } from './subroutine-finders.ts'

type Range = readonly [low: number, high: number]

const OUTER = new Subroutine('function', 900)
const ownersOf = (count: number) => Array.from({ length: count }, (_, nth) => new Subroutine('inlined', nth, OUTER))

/** `10-20 15-30`, the end not included. */
const rangesIn = (text: string): Range[] =>
  text.split(' ').map((range) => range.split('-').map(Number) as [number, number])

function allOf(ranges: readonly Range[], owners: readonly Subroutine[]): AllSubroutines {
  const all = new AllSubroutines()
  for (const [nth, [low, high]] of ranges.entries()) all.add(low, high, owners[nth] as Subroutine)
  return all
}

function searchFor(address: number, ranges: readonly Range[], owners: readonly Subroutine[]): OneSubroutine {
  const one = new OneSubroutine(address)
  for (const [nth, [low, high]] of ranges.entries())
    if (one.wants(low, high)) one.add(low, high, owners[nth] as Subroutine)
  return one
}

describe('a search for one subroutine', () => {
  it.each<[string, number, string, number | undefined]>([
    ['in none', 9, '10-20', undefined],
    ['at the start', 10, '10-20', 0],
    ['in the last place', 19, '10-20', 0],
    ['at the end', 20, '10-20', undefined],
    ['in the innermost', 15, '10-40 12-20 14-16', 2],
    ['behind one in another', 17, '10-40 12-20 14-16', 1],
    ['behind all that are in it', 30, '10-40 12-20 14-16', 0],
    ['before those in it', 11, '10-40 12-20', 0],
    ['in the later of two at one place', 15, '10-20 10-20', 1],
    ['behind one that starts with it', 15, '10-20 10-12', 0],
    ['behind one that ends where it starts', 15, '10-20 5-10', 0],
    ['in one that goes on where another ends', 15, '5-15 15-25', 1],
    ['in one that comes before another', 15, '15-25 5-15', 0],
    ['in one that comes before a wider one', 12, '10-20 10-30', 1],
    ['where one that ended cut it short', 18, '10-16 14-17', undefined],
    ['in one that reaches out of two that end together', 30, '10-20 12-20 13-40', 2],
    ['in one that reaches out of two that overlap', 30, '10-20 12-25 13-40', 2],
  ])('%s', (_, address, text, expected) => {
    const ranges = rangesIn(text)
    const owners = ownersOf(ranges.length)
    const one = searchFor(address, ranges, owners)
    expect([one.isUnsure, one.found]).toEqual([false, expected === undefined ? undefined : owners[expected]])
    expect(allOf(ranges, owners).at(address)).toBe(one.found)
  })

  it.each<[string, number, string]>([
    ['starts before the one that is known', 25, '20-30 10-40'],
    ['reaches into the one that is known, from before', 25, '20-30 10-24'],
  ])('is unsure of one that %s', (_, address, ranges) => {
    expect(searchFor(address, rangesIn(ranges), ownersOf(2)).isUnsure).toBe(true)
  })

  it('is unsure of inlined code below what it did not keep', () => {
    for (const [owner, isUnsure] of [
      [new Subroutine('inlined', 1, OTHER), true],
      [new Subroutine('function', 1, OTHER), false],
      [new Subroutine('inlined', 1, OUTER), false],
    ] as const) {
      const one = new OneSubroutine(5)
      one.add(0, 9, owner)
      expect([one.isUnsure, one.found]).toEqual([isUnsure, owner])
    }
  })

  it('says what all of them say wherever it is sure, whatever the ranges', () => {
    const random = randomOf(11)
    let sure = 0
    for (let round = 0; round < 300; round++) {
      const ranges = Array.from({ length: 1 + random(5) }, (): Range => {
        const low = random(16)
        return [low, low + 1 + random(16)]
      })
      const owners = ownersOf(ranges.length)
      const all = allOf(ranges, owners)
      for (let address = 0; address < 33; address += 2) {
        const one = searchFor(address, ranges, owners)
        if (one.isUnsure) continue
        sure++
        expect(one.found, `${JSON.stringify(ranges)} at ${address}`).toBe(all.at(address))
      }
    }
    expect(sure).toBeGreaterThan(3000)
  })
})
