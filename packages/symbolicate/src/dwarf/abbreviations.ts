import { BinaryError } from '@symup/core/resolving'
import { FORM } from './constants.ts'
import { Cursor } from './cursor.ts'
import type { Section } from './section.ts'

export interface Abbreviation {
  tag: number
  hasChildren: boolean
  /** Three numbers per attribute: its name, its form and its implicit constant. */
  attributes: readonly number[]
  /** The attribute layouts for each combination of unit sizes. Each layout is computed on first use. */
  shapes: (Shape | undefined)[]
}

export interface Shape {
  /** One step per attribute: the number of bytes to skip, or the negated form number if the value encodes its own length. */
  steps: readonly number[]
  /** The total size of the attributes in bytes, or -1 if the size is not fixed. */
  fixed: number
  /** Whether the entry is a function or an inlined call that can have code. */
  isSubroutine: boolean
  isInlined: boolean
  /**
   * Whether the entry is a function that has child entries but no code, such as a template or the abstract origin of an inlined function.
   */
  isDeclaration: boolean
  hasChildren: boolean
}

/** Most abbreviation tables fit in 4 KB. */
const FIRST_READ = 4 * 1024
const MAX_ATTRIBUTES = 1000
/** The maximum size of an abbreviation table in bytes. The tables of entire programs are a few hundred KB in size. */
const MAX_TABLE_BYTES = 1024 * 1024
const ENTRY_BYTES = 200

export interface Abbreviations extends Pick<ReadonlyMap<number, Abbreviation>, 'get' | 'size'> {
  weight: number
}

/**
 * Reads the table at an offset in `.debug_abbrev`.
 * @param last the code after which to stop reading. The root entry of a unit almost always uses the first code.
 * @throws BinaryError if the table is invalid.
 */
export function readAbbreviations(section: Section, offset: number, last?: number): Abbreviations {
  return reading(section, offset, (cursor, isWhole) => {
    const entries = new Map<number, Abbreviation>()
    let weight = 0
    // The last table in a section may lack its terminating zero.
    for (let code = cursor.uleb(); code !== 0; code = isWhole && cursor.isAtEnd ? 0 : cursor.uleb()) {
      const entry = readAbbreviation(cursor)
      if (cursor.at > MAX_TABLE_BYTES)
        throw new BinaryError('damaged', 'The abbreviation table in the debug information is too large.')
      // If an abbreviation code is defined twice, use the first definition.
      if (entries.has(code)) continue
      entries.set(code, entry)
      weight += ENTRY_BYTES + 8 * entry.attributes.length
      if (code === last) break
    }
    return { get: (code) => entries.get(code), size: entries.size, weight }
  })
}

/**
 * Reads a table of unknown length. If the first read is too short, more bytes are read.
 * @param read receives a cursor and whether the cursor extends to the end of the section.
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
