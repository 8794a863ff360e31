import { expect, it } from 'vitest'
import { isUnmapped } from './unmapped.ts'

const OTHER = { column: 90, source: 1 }
const SAME = { column: 90, source: 0 }

it.each<[string, typeof OTHER | undefined, number | undefined, boolean]>([
  ['in a function that begins after the segment, before code from another source', OTHER, 20, true],
  ['in a function that begins at the segment', OTHER, 10, false],
  ['in a function that began before the segment', OTHER, 5, false],
  ['outside of functions', OTHER, undefined, false],
  ['between two segments from one source', SAME, 20, false],
  ['on a line without another segment', undefined, 20, false],
])('decides whether code is unmapped: %s', (_, other, functionColumn, expected) => {
  expect(isUnmapped({ column: 10, source: 0 }, other, functionColumn)).toBe(expected)
})
