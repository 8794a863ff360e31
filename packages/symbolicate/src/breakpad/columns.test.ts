import { expect, it } from 'vitest'
import { Columns } from './columns.ts'

function columnsOf(keys: readonly number[]): Columns {
  const columns = new Columns()
  for (const [nth, key] of keys.entries()) columns.add(key, nth, nth * 10, nth * 10 + 5)
  columns.sort()
  return columns
}

const recordAt = (columns: Columns, index: number) => [
  columns.key(index),
  columns.size(index),
  columns.offset(index),
  columns.end(index),
]

it.each([
  ['in their order', [10, 20, 20, 30], [0, 1, 2, 3]],
  ['backwards', [30, 20, 10], [2, 1, 0]],
  ['where only the last is out of order', [20, 30, 10], [2, 0, 1]],
  ['of equal keys the first before the others', [20, 10, 20, 10], [1, 3, 0, 2]],
])('keeps whole records, %s', (_, keys, order) => {
  const columns = columnsOf(keys)
  const records = keys.map((_, index) => recordAt(columns, index))
  expect(records).toEqual(order.map((nth) => [keys[nth], nth, nth * 10, nth * 10 + 5]))
})

it.each([
  [9, -1],
  [10, 0],
  [19, 0],
  [20, 1],
  [21, 1],
  [30, 3],
  [99, 3],
])('the last not above %i is at %i, of equal ones the first', (key, index) => {
  expect(columnsOf([30, 20, 20, 10]).lastNotAbove(key)).toBe(index)
})

it('where there is none, none is found', () => {
  expect(columnsOf([]).lastNotAbove(5)).toBe(-1)
})

it.each([
  [Number.NaN, 1],
  [1, Number.NaN],
  [Number.POSITIVE_INFINITY, 1],
  [1, Number.POSITIVE_INFINITY],
])('leaves out a record of key %d and size %d', (key, size) => {
  const columns = new Columns()
  columns.add(key, size, 0, 0)
  expect(columns.lastNotAbove(Number.MAX_VALUE)).toBe(-1)
})

it('grows, and takes more after it was sorted', () => {
  const columns = new Columns()
  for (let key = 2000; key > 976; key--) columns.add(key, 1, key + 1, key + 2)
  columns.sort()
  for (let key = 976; key > 0; key--) columns.add(key, 1, key + 1, key + 2)
  columns.sort()
  for (const key of [1, 976, 977, 2000]) {
    const index = columns.lastNotAbove(key)
    expect([index, ...recordAt(columns, index)]).toEqual([key - 1, key, 1, key + 1, key + 2])
  }
})
