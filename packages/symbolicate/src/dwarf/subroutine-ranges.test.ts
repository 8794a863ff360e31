import { expect, it } from 'vitest'
import { Subroutine, SubroutineRanges } from './subroutine-ranges.ts'

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
])('finds the function of an address: %s', (_, address, text, expected) => {
  const all = new SubroutineRanges()
  // Parses `10-20 15-30`; ends are exclusive.
  const owners = text.split(' ').map((range, nth) => {
    const [low = 0, high = 0] = range.split('-').map(Number)
    const owner = new Subroutine('inlined', nth)
    all.add(low, high, owner)
    return owner
  })
  expect(all.at(address)).toBe(expected === undefined ? undefined : owners[expected])
})
