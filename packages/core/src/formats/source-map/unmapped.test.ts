import { expect, it } from 'vitest'
import { isUnmapped } from './unmapped.ts'

<<<<<<< HEAD
it.each<[string, number | undefined, number | undefined, number, boolean]>([
  ['in a function that begins behind the segment, before the code of another source', 1, 20, 10, true],
  ['in a function that begins at the segment', 1, 10, 10, false],
  ['in a function that began before the segment', 1, 5, 10, false],
  ['outside of functions', 1, undefined, 10, false],
  ['between two segments of one source', 0, 20, 10, false],
  ['on a line without another segment', undefined, 20, 10, false],
])('%s', (_, otherSource, functionColumn, column, expected) => {
  const other = otherSource === undefined ? undefined : { column: 90, source: otherSource }
  expect(isUnmapped({ column, source: 0 }, other, functionColumn)).toBe(expected)
=======
const OTHER = { column: 90, source: 1 }
const SAME = { column: 90, source: 0 }

it.each<[string, typeof OTHER | undefined, number | undefined, boolean]>([
  ['in a function that begins behind the segment, before the code of another source', OTHER, 20, true],
  ['in a function that begins at the segment', OTHER, 10, false],
  ['in a function that began before the segment', OTHER, 5, false],
  ['outside of functions', OTHER, undefined, false],
  ['between two segments of one source', SAME, 20, false],
  ['on a line without another segment', undefined, 20, false],
])('%s', (_, other, functionColumn, expected) => {
  expect(isUnmapped({ column: 10, source: 0 }, other, functionColumn)).toBe(expected)
>>>>>>> s3-b
})
