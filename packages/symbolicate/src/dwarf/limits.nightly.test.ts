import { expect, it } from 'vitest'
import { readAbbreviations } from './abbreviations.ts'
import { Cursor } from './cursor.ts'
import { DwarfFile } from './dwarf-file.ts'
import type { LineHeader } from './line-header.ts'
import { runLineProgram } from './line-program.ts'
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
  const sequence = Buffer.from([1, 2, 1, 0, 1, 1])
  const run = (count: number) => {
    const bytes = Buffer.alloc(count * sequence.length, sequence)
    const header = { minimumLength: 1, lineRange: 14, opcodeBase: 13, addressBytes: 8 } as LineHeader
    return runLineProgram(new Cursor(bytes, true), header, 0, 0, [])
  }
  expect(run(2_000_000)).toMatchObject({ line: 1 })
  expect(() => run(2_000_001)).toThrow('A line program in the debug information has too many sequences.')
})
