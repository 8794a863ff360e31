import { binaryOf } from '@symup/core/internal'
import { expect, it } from 'vitest'
import { readAbbreviations } from './abbreviations.ts'
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
