import { expect, it } from 'vitest'
import { Subroutine, SubroutineRanges } from './subroutine-ranges.ts'

it.each<[string, number, string, number | undefined]>([
  ['in no function', 9, '10-20', undefined],
  ['at the start', 10, '10-20', 0],
  ['at the last address', 19, '10-20', 0],
  ['at the end', 20, '10-20', undefined],
  ['in the innermost function', 15, '10-40 12-20 14-16', 2],
  ['after an inner function', 17, '10-40 12-20 14-16', 1],
  ['after all inner functions', 30, '10-40 12-20 14-16', 0],
  ['before the inner function', 11, '10-40 12-20', 0],
  ['in the later of two equal functions', 15, '10-20 10-20', 1],
  ['after an inner function with the same start', 15, '10-20 10-12', 0],
  ['after a function that ends at its start', 15, '10-20 5-10', 0],
  ['in a function that begins where another one ends', 15, '5-15 15-25', 1],
  ['in a function that precedes the first one', 15, '15-25 5-15', 0],
  ['in a function inside a later, larger one', 12, '10-20 10-30', 1],
  ['after the end of an overlapping function', 18, '10-16 14-17', undefined],
  ['in a function that extends past two functions with the same end', 30, '10-20 12-20 13-40', 2],
  ['in a function that extends past two overlapping functions', 30, '10-20 12-25 13-40', 2],
])('finds the function at an address: %s', (_, address, text, expected) => {
  const all = new SubroutineRanges()
  // Parses `10-20 15-30`. Ends are exclusive.
  const owners = text.split(' ').map((range, nth) => {
    const [low = 0, high = 0] = range.split('-').map(Number)
    const owner = new Subroutine('inlined', nth)
    all.add(low, high, owner)
    return owner
  })
  expect(all.at(address)).toBe(expected === undefined ? undefined : owners[expected])
})
