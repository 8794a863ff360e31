import { expect, it } from 'vitest'
import { readAbbreviations } from './abbreviations.ts'
import { DwarfFile } from './dwarf-file.ts'
import { LineSequences } from './line-sequences.ts'
import { sectionOf } from './numbers.fixture.ts'
import { WorkLimit } from './section.ts'
import type { DwarfSections, Unit } from './unit.ts'

const MiB = 1024 * 1024
const ENTRY = Buffer.from([1, 0x2e, 0, 0, 0])

it('reports a table of abbreviations larger than 1 MiB as damaged', () => {
  expect(() => readAbbreviations(sectionOf(Buffer.alloc(MiB + 5, ENTRY)), 0)).toThrow(
    'The abbreviation table in the debug information is too large.',
  )
})

it('caches separate tables of units up to 8 MiB, and counts them in the weight', () => {
  const codes = Array.from({ length: 8000 }, (_, nth) => [0x80 | (nth & 0x7f), 0x80 | (nth >> 7), 1, 0x2e, 0, 0, 0])
  const abbrev = sectionOf(codes.flat())
  const file = new DwarfFile({ info: sectionOf([]), abbrev, work: new WorkLimit() } satisfies DwarfSections)
  expect(file.weight).toBe(0)
  for (let nth = 0; nth < 10; nth++) file.abbreviationsOf({ abbreviationsOffset: 7 * nth } as Unit)
  expect(file.weight).toBeGreaterThan(5 * MiB)
  expect(file.weight).toBeLessThan(8 * MiB)
})

it('reports more sequences than any program has functions as damage', () => {
  const sequences = new LineSequences()
  for (let nth = 0; nth < 2_000_000; nth++) sequences.add(nth, nth + 1, 0, 0)
  expect(() => sequences.add(0, 1, 0, 0)).toThrow('A line program in the debug information has too many sequences.')
})
