import { describe, expect, it } from 'vitest'
import { LineSequences } from './line-sequences.ts'

describe('the sequence of an address', () => {
  const sequences = new LineSequences()
  sequences.add(100, 200, 0, 10)
  sequences.add(300, 400, 10, 20)
  sequences.add(120, 200, 20, 30)
  sequences.add(310, 330, 30, 40)

  it.each([
    [99, undefined],
    [100, { from: 0, end: 10 }],
    [199, { from: 0, end: 10 }],
    [200, undefined],
    [299, undefined],
    [300, undefined],
    [310, { from: 30, end: 40 }],
    [329, { from: 30, end: 40 }],
    [330, { from: 10, end: 20 }],
    [399, { from: 10, end: 20 }],
    [400, undefined],
  ])(
    '%i: of those that end behind it the one that ends first, the first of equal ones, if it begins before',
    (address, found) => {
      expect(sequences.holding(address)).toEqual(found)
    },
  )
})

describe('marks', () => {
  const sequences = new LineSequences()
  expect(sequences.mark(50, 1000, 1, 11, 1)).toBe(50 + 2048)
  sequences.mark(2100, 1100, 2, 12, 2)
  sequences.mark(4200, 1200, 3, 13, 3)
  sequences.add(1000, 1300, 40, 5000)
  sequences.mark(5100, 2000, 4, 14, 4)
  sequences.add(2000, 2100, 5000, 6000)
  const mark = (at: number, address: number, file: number) => ({ at, address, file, line: 10 + file, column: file })

  it.each([
    ['between two', 1050, mark(50, 1000, 1), 2100],
    ['at one', 1100, mark(2100, 1100, 2), 4200],
    ['before the next', 1199, mark(2100, 1100, 2), 4200],
    ['behind the last of its sequence', 1250, mark(4200, 1200, 3), 5000],
    ['in the next sequence', 2050, mark(5100, 2000, 4), 6000],
  ])('%s: the search begins at the last one that is not beyond, and ends with the next', (_, address, from, end) => {
    expect(sequences.holding(address)).toEqual({ from, end })
  })

  it('of other sequences do not count', () => {
    const others = new LineSequences()
    others.mark(50, 1000, 1, 1, 1)
    others.add(1000, 1100, 0, 100)
    others.add(3000, 3100, 100, 200)
    others.mark(250, 10, 1, 1, 1)
    others.add(5, 20, 200, 300)
    expect(others.holding(3050)).toEqual({ from: 100, end: 200 })
    expect(others.holding(7)).toEqual({ from: 200, end: 250 })
  })
})
