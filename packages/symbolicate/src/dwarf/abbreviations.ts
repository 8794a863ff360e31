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
  /** How to skip its entries, depending on a unit's sizes. Computed on first use. */
  shapes: (Shape | undefined)[]
}

/** How to skip entries of one abbreviation. */
export interface Shape {
  /** How to skip its attributes: a number of bytes, or the negative form if the form contains its own length. */
  steps: readonly number[]
  /** Total size of its attributes if constant, otherwise -1. */
  fixed: number
  /** The attribute that points to the next sibling: the steps before it, and its form. */
  sibling: { steps: readonly number[]; form: number } | undefined
  /** A function or an inlined call that may have code. */
  isSubroutine: boolean
  isInlined: boolean
  /** A function without code that has child entries: the abstract origin of inlined code, or a template. */
  isDeclaration: boolean
  hasChildren: boolean
}

const FIRST_READ = 32 * 1024
const FIRST_ENTRY = 128
const MAX_ATTRIBUTES = 1000
/** Size limit of a table. Tables of whole programs have a few hundred KB. */
const MAX_TABLE_BYTES = 4 * 1024 * 1024

/** A table whose entries are parsed on demand, because a unit uses only some of its hundred entries. */
export class Abbreviations {
  readonly #bytes: Buffer
  readonly #little: boolean
  /** Compilers number the entries consecutively from this one. */
  readonly #first: number
  /** Positions of the entries, after their codes. */
  readonly #starts: readonly number[]
  /** Positions of entries with other numbers. */
  readonly #others: ReadonlyMap<number, number>
  readonly #made: (Abbreviation | undefined)[]

  /**
   * @param cursor at the table.
   * @param isWhole whether it contains the rest of the section.
   * @throws BinaryError if it ends within the table.
   */
  constructor(cursor: Cursor, isWhole: boolean) {
    const starts: number[] = []
    const others = new Map<number, number>()
    let first = 0
    for (let code = codeOf(cursor, isWhole); code !== 0; code = codeOf(cursor, isWhole)) {
      if (starts.length === 0) first = code
      const index = code - first
      if (index === starts.length && !others.has(code)) starts.push(cursor.at)
      // If a code repeats, the first entry wins.
      else if ((index < 0 || index > starts.length) && !others.has(code)) others.set(code, cursor.at)
      cursor.skip(endOf(cursor) - cursor.at)
      if (cursor.at > MAX_TABLE_BYTES) throw new BinaryError('damaged', 'a table of its entries is too large')
    }
    this.#bytes = Buffer.from(cursor.bytes.subarray(0, cursor.at))
    this.#little = cursor.little
    this.#first = first
    this.#starts = starts
    this.#others = others
    this.#made = new Array(starts.length)
  }

  get size(): number {
    return this.#starts.length + this.#others.size
  }

  /** Approximate memory in bytes. A number takes several times as much memory in a map as in a list. */
  get weight(): number {
    return this.#bytes.length + 16 * this.#starts.length + 60 * this.#others.size
  }

  get(code: number): Abbreviation | undefined {
    const index = code - this.#first
    const isNumbered = index >= 0 && index < this.#starts.length
    const made = isNumbered ? this.#made[index] : undefined
    if (made) return made
    const start = isNumbered ? this.#starts[index] : this.#others.get(code)
    if (start === undefined) return undefined
    const abbreviation = read(new Cursor(this.#bytes, this.#little, start))
    if (isNumbered) this.#made[index] = abbreviation
    return abbreviation
  }
}

/** The table at an offset of `.debug_abbrev`. @throws BinaryError if it is invalid. */
export function readAbbreviations(section: Section, offset: number): Abbreviations {
  return reading(section, offset, (cursor, isWhole) => new Abbreviations(cursor, isWhole))
}

/** Reads one entry of a table, without parsing later entries. A unit's own entry is nearly always the first. */
export function readAbbreviation(section: Section, offset: number, wanted: number): Abbreviation | undefined {
  return reading(
    section,
    offset,
    (cursor, isWhole) => {
      for (let code = codeOf(cursor, isWhole); code !== 0; code = codeOf(cursor, isWhole)) {
        const end = endOf(cursor)
        if (code === wanted && end <= cursor.bytes.length) return read(cursor)
        cursor.skip(end - cursor.at)
      }
      return undefined
    },
    FIRST_ENTRY,
  )
}

/**
 * A table does not contain its length, so a read that is too short is repeated with more bytes.
 * @param read receives whether the cursor has the rest of the section.
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

/** @returns 0 at the end of the table. */
function codeOf(cursor: Cursor, isWhole: boolean): number {
  // The last table of a section may lack the final zero.
  return isWhole && cursor.isAtEnd ? 0 : cursor.uleb()
}

/** The end of the entry after its code; past the bytes if the entry is incomplete. */
function endOf({ bytes, at: start }: Cursor): number {
  let at = start
  while ((bytes[at++] as number) >= 0x80);
  at++
  for (let left = MAX_ATTRIBUTES; left >= 0; left--) {
    let byte: number
    let name = 0
    do {
      byte = bytes[at++] as number
      name |= byte & 0x7f
    } while (byte >= 0x80)
    let form = 0
    let shift = 0
    do {
      byte = bytes[at++] as number
      form |= (byte & 0x7f) << shift
      shift += 7
    } while (byte >= 0x80)
    if (form === FORM.implicitConstant) while ((bytes[at++] as number) >= 0x80);
    if ((name | form) === 0 || at > bytes.length) return at
  }
  throw new BinaryError('damaged', 'an entry has too many attributes')
}

/** Reads the entry after its code. */
function read(cursor: Cursor): Abbreviation {
  const tag = cursor.uleb()
  const hasChildren = cursor.u8() === 1
  const attributes: number[] = []
  for (;;) {
    const name = cursor.uleb()
    const form = cursor.uleb()
    const constant = form === FORM.implicitConstant ? cursor.sleb() : 0
    if (name === 0 && form === 0) break
    attributes.push(name, form, constant)
  }
  return { tag, hasChildren, attributes, shapes: [undefined, undefined, undefined, undefined] }
}
