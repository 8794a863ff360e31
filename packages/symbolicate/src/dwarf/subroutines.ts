import { BinaryError } from '@symup/core/internal'
import { type Abbreviation, type Abbreviations, readAbbreviations } from './abbreviations.ts'
import { AT, FORM, TAG } from './constants.ts'
import { Cursor } from './cursor.ts'
import { readForm } from './forms.ts'
import { RangeMap } from './range-map.ts'
import { type AddressRange, readRanges } from './ranges.ts'
import { addressOf, type DwarfSections, type FormValue, highPcOf, type Unit, type UnitEntry } from './unit.ts'

/** A function, or one that the compiler copied into another. */
export interface Subroutine {
  /** Of its entry in `.debug_info`. */
  offset: number
  /** The subroutine that it stands in. */
  parent: Subroutine | undefined
  isInlined: boolean
  /** Where the outer one calls it; only when inlined. */
  callFile: number
  callLine: number
  callColumn: number
}

/** The code of one unit, and which subroutine each address is in. */
export interface Subroutines {
  /** The innermost one. */
  at(address: number): Subroutine | undefined
  ranges: AddressRange[]
  isEmpty: boolean
  weight: number
}

const MAX_UNIT_BYTES = 512 * 1024 * 1024
const MAX_DEPTH = 2000

/** Reads a unit's entries once, keeping those that are code. @throws BinaryError when they make no sense. */
export function readSubroutines(sections: DwarfSections, unit: Unit, entry: UnitEntry): Subroutines {
  if (unit.end - unit.firstEntry > MAX_UNIT_BYTES) throw new BinaryError('damaged', 'a unit is too large')
  const abbreviations = readAbbreviations(sections.abbrev, unit.abbreviationsOffset)
  const found = new Found()
  const bytes = sections.info.bytes(unit.firstEntry, unit.end - unit.firstEntry)
  const cursor = new Cursor(bytes, sections.info.little)
  const shapes = shapesOf(abbreviations, unit)
  const reading = { sections, unit, entry, found }
  const parents: (Subroutine | undefined)[] = []
  let parent: Subroutine | undefined
  while (!cursor.isAtEnd) {
    const at = cursor.at
    const code = cursor.uleb()
    if (code === 0) {
      parent = parents.pop()
      continue
    }
    const shape = shapes[code]
    if (!shape) throw new BinaryError('damaged', 'an entry has no shape')
    let self = parent
    if (shape.isSubroutine) self = takeSubroutine(cursor, shape.abbreviation, unit.firstEntry + at, parent, reading)
    else {
      if (shape.isDeclaration) self = declared(unit.firstEntry + at, parent)
      if (shape.length === undefined) skipEntry(cursor, shape.abbreviation, unit)
      else cursor.skip(shape.length)
    }
    if (shape.abbreviation.hasChildren) {
      if (parents.length >= MAX_DEPTH) throw new BinaryError('damaged', 'its entries are nested too deep')
      parents.push(parent)
      parent = self
    }
  }
  return found.finish()
}

interface Reading {
  sections: DwarfSections
  unit: Unit
  entry: UnitEntry
  found: Found
}

function takeSubroutine(
  cursor: Cursor,
  { tag, attributes }: Abbreviation,
  offset: number,
  parent: Subroutine | undefined,
  { sections, unit, entry, found }: Reading,
): Subroutine {
  const isInlined = tag === TAG.inlinedSubroutine
  const self: Subroutine = { offset, parent, isInlined, callFile: 0, callLine: 0, callColumn: 0 }
  // Forms and values apart: an object for each attribute of millions of entries would cost more than reading them.
  let lowForm = 0
  let low = 0
  let highForm = 0
  let high = 0
  let ranges: FormValue | undefined
  for (let index = 0; index < attributes.length; index += 3) {
    const form = attributes[index + 1] as number
    const value = readForm(cursor, form, attributes[index + 2] as number, unit)
    switch (attributes[index]) {
      case AT.lowPc:
        lowForm = form
        low = value
        break
      case AT.highPc:
        highForm = form
        high = value
        break
      case AT.ranges:
        ranges = { form, value }
        break
      case AT.callFile:
        self.callFile = value
        break
      case AT.callLine:
        self.callLine = value
        break
      case AT.callColumn:
        self.callColumn = value
        break
    }
  }
  if (lowForm !== 0 && highForm !== 0) {
    const start = lowForm === FORM.address ? low : addressOf(sections, unit, entry, { form: lowForm, value: low })
    if (start !== undefined) {
      const end =
        highForm === FORM.data8 || highForm === FORM.data4
          ? start + high
          : highPcOf(sections, unit, entry, start, { form: highForm, value: high })
      found.add(start, end, self, unit.addressBytes)
    }
  } else if (ranges) {
    for (const [from, to] of readRanges(sections, unit, entry, ranges)) found.add(from, to, self, unit.addressBytes)
  }
  return self
}

class Found {
  readonly #map = new RangeMap()
  readonly #owners: Subroutine[] = []
  readonly #ranges: AddressRange[] = []

  add(low: number, high: number, owner: Subroutine, addressBytes: number): void {
    if (low >= high || low >= 2 ** (8 * addressBytes) - 2) return
    if (this.#owners.at(-1) !== owner) this.#owners.push(owner)
    this.#map.add(low, high, this.#owners.length - 1)
    if (!owner.parent) this.#ranges.push([low, high])
  }

  finish(): Subroutines {
    const owners = this.#owners
    const map = this.#map
    return {
      at(address) {
        const index = map.at(address)
        return index === undefined ? undefined : owners[index]
      },
      ranges: this.#ranges,
      isEmpty: owners.length === 0,
      weight: owners.length * 100 + map.size * 24,
    }
  }
}

/** How entries of one abbreviation are gone over. */
interface Shape {
  abbreviation: Abbreviation
  /** Bytes of its attributes, where all have a fixed length: most of a unit is passed over this way. */
  length: number | undefined
  /** A function or an inlined call that may have code. */
  isSubroutine: boolean
  /** A function without code that has entries below it: of what was inlined everywhere, and of templates. */
  isDeclaration: boolean
}

/** By code. */
function shapesOf(abbreviations: Abbreviations, unit: Unit): readonly (Shape | undefined)[] {
  const shapes: (Shape | undefined)[] = []
  for (const [code, abbreviation] of abbreviations) {
    const { tag, attributes, hasChildren } = abbreviation
    let length = 0
    let hasCode = false
    for (let index = 0; index < attributes.length; index += 3) {
      const name = attributes[index]
      if (name === AT.lowPc || name === AT.ranges) hasCode = true
      length += fixedLength(attributes[index + 1] as number, unit)
    }
    const isFunction = tag === TAG.subprogram
    shapes[code] = {
      abbreviation,
      length: Number.isNaN(length) ? undefined : length,
      isSubroutine: tag === TAG.inlinedSubroutine || (isFunction && hasCode),
      isDeclaration: isFunction && !hasCode && hasChildren,
    }
  }
  return shapes
}

function declared(offset: number, parent: Subroutine | undefined): Subroutine {
  return { offset, parent, isInlined: false, callFile: 0, callLine: 0, callColumn: 0 }
}

const ONE = new Set<number>([FORM.data1, FORM.ref1, FORM.flag, FORM.stringIndex1, FORM.addressIndex1])
const TWO = new Set<number>([FORM.data2, FORM.ref2, FORM.stringIndex2, FORM.addressIndex2])
const FOUR = new Set<number>([FORM.data4, FORM.ref4, FORM.stringIndex4, FORM.addressIndex4])
const EIGHT = new Set<number>([FORM.data8, FORM.ref8, FORM.refSignature])
const OFFSET = new Set<number>([FORM.stringPointer, FORM.lineStringPointer, FORM.sectionOffset])

function fixedLength(form: number, { addressBytes, offsetBytes }: Unit): number {
  if (form === FORM.flagPresent || form === FORM.implicitConstant) return 0
  if (ONE.has(form)) return 1
  if (TWO.has(form)) return 2
  if (FOUR.has(form)) return 4
  if (EIGHT.has(form)) return 8
  if (OFFSET.has(form)) return offsetBytes
  return form === FORM.address ? addressBytes : Number.NaN
}

function skipEntry(cursor: Cursor, { attributes }: Abbreviation, unit: Unit): void {
  for (let index = 0; index < attributes.length; index += 3) {
    readForm(cursor, attributes[index + 1] as number, attributes[index + 2] as number, unit)
  }
}
