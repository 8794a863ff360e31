import { binaryOf } from '@symup/core/internal'
import { expect, it } from 'vitest'
import { readAbbreviation, readAbbreviations } from './abbreviations.ts'
import { sectionOf } from './numbers.fixture.ts'
import { Section, WorkLimit } from './section.ts'

/** Entries of 8 bytes: code in two, tag, children, one attribute with its form in two, end in two. */
function table(entries: number): Section {
  const codes = Array.from({ length: entries }, (_, index) => 128 + index)
  const bytes = codes.flatMap((code) => [(code & 0x7f) | 0x80, code >> 7, 0x2e, 0, 0x03, 0x08, 0, 0])
  const work = new WorkLimit()
  work.restart()
  return new Section(binaryOf(Buffer.from([...bytes, 0, ...bytes])), 0, bytes.length * 2 + 1, true, work)
}

it.each([1023, 1024, 1025, 8 * 1024])('a table of %i entries is whole, wherever a read of it ends', (entries) => {
  expect(readAbbreviations(table(entries), 0).size).toBe(entries)
})

const first = { tag: 0x11, hasChildren: true, attributes: [3, 8, 0, 0x40, 0x21, -2] }
const FIRST = [1, 0x11, 1, 3, 8, 0x40, 0x21, 0x7e, 0, 0]
const second = { tag: 0x2e, hasChildren: false, attributes: [] }
const SECOND = [0x82, 1, 0x2e, 0, 0, 0]

it('an entry has its tag, its children and its attributes, a constant of the table among them', () => {
  const section = sectionOf([...FIRST, ...SECOND, 0, 3, 1, 0, 0, 0])
  expect([...readAbbreviations(section, 0)]).toEqual([
    [1, first],
    [130, second],
  ])
  expect([1, 130, 3, 0].map((code) => readAbbreviation(section, 0, code))).toEqual([
    first,
    second,
    undefined,
    undefined,
  ])
  expect(readAbbreviation(section, FIRST.length, 130)).toEqual(second)
})

it('of two with one code the first counts; the last table may lack its end', () => {
  const section = sectionOf([...FIRST, 1, ...SECOND.slice(2)])
  expect([...readAbbreviations(section, 0)]).toEqual([[1, first]])
  expect(readAbbreviation(section, 0, 7)).toBeUndefined()
})

it('one that stands far behind is found', () => {
  expect(readAbbreviation(table(1024), 0, 128 + 1000)).toEqual({ tag: 0x2e, hasChildren: false, attributes: [3, 8, 0] })
})

it.each([
  ['an entry without end', [...FIRST.slice(0, -2)], 'outside'],
  ['an entry of 1001 attributes', [1, 0x11, 1, ...Array(2002).fill(3), 0, 0], 'an entry has too many attributes'],
])('%s is damage', (_, bytes, message) => {
  expect(() => readAbbreviations(sectionOf(bytes), 0)).toThrow(message)
})

it('an entry may have 1000 attributes', () => {
  const found = readAbbreviations(sectionOf([1, 0x11, 1, ...Array(2000).fill(3), 0, 0, 0]), 0)
  expect(found.get(1)?.attributes).toHaveLength(3000)
})
