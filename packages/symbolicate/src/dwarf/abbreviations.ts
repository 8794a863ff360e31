import { BinaryError } from '@symup/core/resolving'
import { FORM } from './constants.ts'
import { Cursor } from './cursor.ts'
import type { Section } from './section.ts'

/** The layout of entries with one abbreviation code. */
export interface Abbreviation {
  tag: number
  hasChildren: boolean
  /** Attribute name, form and implicit constant: three numbers per attribute. */
  attributes: readonly number[]
  /** How to skip entries with this layout, which depends on a unit's sizes. Computed on first use. */
  shapes: (Shape | undefined)[]
}

/** How to skip entries with one abbreviation. */
export interface Shape {
  /** How to skip each attribute: a number of bytes, or the negated form number if the value includes its own length. */
  steps: readonly number[]
  /** Total size of the attributes if constant, otherwise -1. */
  fixed: number
  /** A function or an inlined call that may have code. */
  isSubroutine: boolean
  isInlined: boolean
  /** A function without code that has child entries: the abstract origin of inlined code, or a template. */
  isDeclaration: boolean
  hasChildren: boolean
}

/** Most tables are shorter. */
const FIRST_READ = 4 * 1024
const MAX_ATTRIBUTES = 1000
/** Size limit for a table. A whole program's table has a few hundred KB. */
const MAX_TABLE_BYTES = 1024 * 1024
/** Approximate memory per entry, in addition to its attributes. */
const ENTRY_BYTES = 200

/** A unit's abbreviations by code. */
export interface Abbreviations extends Pick<ReadonlyMap<number, Abbreviation>, 'get' | 'size'> {
  /** Approximate memory in bytes. */
  weight: number
}

/**
 * The table at an offset of `.debug_abbrev`.
 * @param last the code after which reading may stop. A unit's own entry is nearly always the first.
 * @throws BinaryError if the table is invalid.
 */
export function readAbbreviations(section: Section, offset: number, last?: number): Abbreviations {
  return reading(section, offset, (cursor, isWhole) => {
    const entries = new Map<number, Abbreviation>()
    let weight = 0
    // The last table in a section may lack the final zero.
    for (let code = cursor.uleb(); code !== 0; code = isWhole && cursor.isAtEnd ? 0 : cursor.uleb()) {
      const entry = readAbbreviation(cursor)
      if (cursor.at > MAX_TABLE_BYTES) throw new BinaryError('damaged', 'The abbreviation table is too large.')
      // If a code repeats, the first entry wins.
      if (entries.has(code)) continue
      entries.set(code, entry)
      weight += ENTRY_BYTES + 8 * entry.attributes.length
      if (code === last) break
    }
    return { get: (code) => entries.get(code), size: entries.size, weight }
  })
}

/**
 * A table does not store its length, so a read that was too short is repeated with more bytes.
 * @param read its argument says whether the cursor covers the rest of the section.
 */
export function reading<T>(
  section: Section,
  offset: number,
  read: (cursor: Cursor, isWhole: boolean) => T,
  first = FIRST_READ,
): T {
  for (let length = first; ; length *= 8) {
    try {
      const bytes = section.bytes(offset, Math.min(length, section.size - offset))
      return read(new Cursor(bytes, section.little), offset + length >= section.size)
    } catch (error) {
      if (!(error instanceof BinaryError) || offset + length >= section.size) throw error
    }
  }
}

function readAbbreviation(cursor: Cursor): Abbreviation {
  const tag = cursor.uleb()
  const hasChildren = cursor.u8() === 1
  const attributes: number[] = []
  for (;;) {
    const name = cursor.uleb()
    const form = cursor.uleb()
    const constant = form === FORM.implicitConstant ? cursor.sleb() : 0
    if (name === 0 && form === 0) break
    if (attributes.push(name, form, constant) > 3 * MAX_ATTRIBUTES)
      throw new BinaryError('damaged', 'An entry in the debug information has too many attributes.')
  }
  return { tag, hasChildren, attributes, shapes: [undefined, undefined, undefined, undefined] }
}
