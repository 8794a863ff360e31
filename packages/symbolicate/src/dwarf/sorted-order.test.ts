import { expect, it } from 'vitest'
import { sortedOrder } from './sorted-order.ts'

it.each([
  ['near each other', [5, 3, 5, 1, 3, 5, 0]],
  ['too far apart for one number', [2 ** 60, 3, 2 ** 60, 3, 2 ** 64]],
  ['none', []],
])('sorts values, and equal ones by their place: %s', (_, values) => {
  const expected = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
  expect([...sortedOrder(Float64Array.of(...values, 7, 7), values.length)]).toEqual(expected)
})
