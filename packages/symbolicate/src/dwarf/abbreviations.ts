import { BinaryError } from '@symup/core/internal'
import { FORM } from './constants.ts'
import { Cursor } from './cursor.ts'
import type { Section } from './section.ts'

/** The shape that entries of one kind have. */
export interface Abbreviation {
  tag: number
  hasChildren: boolean
  /** Attribute name, form, implicit constant; three numbers each. */
  attributes: readonly number[]
}

export type Abbreviations = ReadonlyMap<number, Abbreviation>

const FIRST_READ = 32 * 1024
const FIRST_ENTRY = 128
const MAX_ATTRIBUTES = 1000

/** The table at an offset of `.debug_abbrev`. */
export function readAbbreviations(section: Section, offset: number): Abbreviations {
  return reading(section, offset, (cursor, isWhole) => {
    const table = new Map<number, Abbreviation>()
    for (let entry = readNext(cursor, isWhole); entry; entry = readNext(cursor, isWhole)) {
      if (!table.has(entry.code)) table.set(entry.code, entry.abbreviation)
    }
    return table
  })
}

/** One entry of a table, without reading what comes after it: a unit's own is nearly always the first. */
export function readAbbreviation(section: Section, offset: number, code: number): Abbreviation | undefined {
  return reading(
    section,
    offset,
    (cursor, isWhole) => {
      for (let entry = readNext(cursor, isWhole); entry; entry = readNext(cursor, isWhole)) {
        if (entry.code === code) return entry.abbreviation
      }
      return undefined
    },
    FIRST_ENTRY,
  )
}

/**
 * A table does not say how long it is: what does not fit is read again with more.
 * @param read must keep nothing of the cursor's bytes. It is told whether the cursor has the rest of the section.
 */
export function reading<T>(
  section: Section,
  offset: number,
  read: (cursor: Cursor, isWhole: boolean) => T,
  first = FIRST_READ,
): T {
  for (let length = first; ; length *= 8) {
    try {
      return section.borrow(offset, Math.min(length, section.size - offset), (bytes) =>
        read(new Cursor(bytes, section.little), offset + length >= section.size),
      )
    } catch (error) {
      if (!(error instanceof BinaryError) || offset + length >= section.size) throw error
    }
  }
}

function readNext(cursor: Cursor, isWhole: boolean): { code: number; abbreviation: Abbreviation } | undefined {
  // The last table of a section may lack its closing zero.
  const code = isWhole && cursor.isAtEnd ? 0 : cursor.uleb()
  if (code === 0) return undefined
  const tag = cursor.uleb()
  const hasChildren = cursor.u8() === 1
  const attributes: number[] = []
  for (;;) {
    const name = cursor.uleb()
    const form = cursor.uleb()
    const constant = form === FORM.implicitConstant ? cursor.sleb() : 0
    if (name === 0 && form === 0) break
    attributes.push(name, form, constant)
    if (attributes.length > 3 * MAX_ATTRIBUTES) throw new BinaryError('damaged', 'an entry has too many attributes')
  }
  return { code, abbreviation: { tag, hasChildren, attributes } }
}
