import { binaryOf } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import { readAbbreviations } from './abbreviations.ts'
import { sectionOf } from './numbers.fixture.ts'
import { Section, WorkLimit } from './section.ts'

/** Entries of 8 bytes: the code (2), the tag, the children flag, one attribute and its form (2), and the end (2). */
function table(entries: number): Section {
  const codes = Array.from({ length: entries }, (_, index) => 128 + index)
  const bytes = codes.flatMap((code) => [(code & 0x7f) | 0x80, code >> 7, 0x2e, 0, 0x03, 0x08, 0, 0])
  const work = new WorkLimit()
  work.restart()
  return new Section(binaryOf(Buffer.from([...bytes, 0, ...bytes])), 0, bytes.length * 2 + 1, true, work)
}

it.each([1023, 1024, 1025, 8 * 1024])('reads a table of %i entries completely, wherever a read ends', (entries) => {
  expect(readAbbreviations(table(entries), 0).size).toBe(entries)
})

const PLAIN = { attributes: [0x03, 0x08, 0], hasChildren: false }

it('reads entries with any numbers in any order, and uses the first of equal numbers', () => {
  const entry = (code: number, tag: number) => [code, tag, 0, 0x03, 0x08, 0, 0]
  const codes = [5, 6, 9, 7, 8, 9, 5, 2]
  const read = readAbbreviations(sectionOf([...codes.flatMap((code, index) => entry(code, 0x20 + index)), 0, 1]), 0)
  expect([5, 6, 7, 8, 9, 2].map((code) => read.get(code))).toMatchObject(
    [0x20, 0x21, 0x23, 0x24, 0x22, 0x27].map((tag) => ({ tag, ...PLAIN })),
  )
  expect([read.size, read.get(0), read.get(1), read.get(4), read.get(10)]).toEqual([6, ...Array(4).fill(undefined)])
})

it('reads constants and long numbers, and ends an entry at a padded zero as well as a plain one', () => {
  const bytes = [1, 0x2e, 1, 0x87, 0x40, 0x21, 0x7f, 0x6e, 0x81, 0x3e, 0x80, 0, 0x80, 0, 2, 0x34, 0, 0, 0, 0]
  const read = readAbbreviations(sectionOf(bytes), 0)
  expect(read.get(1)).toMatchObject({ tag: 0x2e, hasChildren: true, attributes: [0x2007, 0x21, -1, 0x6e, 0x1f01, 0] })
  expect(read.get(2)).toMatchObject({ tag: 0x34, hasChildren: false, attributes: [] })
  expect(readAbbreviations(sectionOf(bytes), 0, 1).size).toBe(1)
})

it.each([1000, 1001])('reads an entry with up to 1000 attributes: %i', (count) => {
  const bytes = [1, 0x2e, 0, ...Array.from({ length: count }, () => [0x03, 0x08]).flat(), 0, 0, 0]
  const read = () => readAbbreviations(sectionOf(bytes), 0).get(1)?.attributes.length
  if (count === 1000) expect(read()).toBe(3000)
  else expect(read).toThrow('An entry in the debug information has too many attributes.')
})

it.each([1, 2, 3, 4, 5, 6])('reports a table that ends after %i bytes of an entry as damaged', (length) => {
  const bytes = [1, 0x2e, 0, 0x03, 0x08, 0, 0].slice(0, length)
  expect(() => readAbbreviations(sectionOf(bytes), 0)).toThrow('offset that is out of range')
})
