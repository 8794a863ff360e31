import { BinaryError } from '@symup/core/resolving'
import { type Abbreviation, type Abbreviations, readAbbreviations, reading } from './abbreviations.ts'
import { AT, FORM } from './constants.ts'
import type { Cursor } from './cursor.ts'
import { type FormSizes, readForm } from './forms.ts'
import type { HiddenNames } from './hidden-names.ts'
import type { Section, WorkLimit } from './section.ts'

export interface DwarfSections {
  /** Limits the work for one request. The limit is reset before each request. */
  work: WorkLimit
  info: Section
  abbrev: Section
  line?: Section
  str?: Section
  lineStr?: Section
  strOffsets?: Section
  addr?: Section
  ranges?: Section
  rangeLists?: Section
  /** The file referenced in `.gnu_debugaltlink`, to which dwz moved debug information that several files share. */
  supplement?: DwarfSections
  hiddenNames?: HiddenNames
  code?: CodeRange
}

export interface CodeRange {
  from: number
  /** The address just past the end of the range. */
  to: number
  /**
   * Returns whether a function ends at the address. Set only if code starts at 0. Linkers also use 0 as the address of removed code, so a
   * range that starts at 0 is valid only if a function ends where the range ends.
   */
  isEnd?(address: number): boolean
}

/** A unit in `.debug_info`. The offsets in a unit are relative to the start of the section. */
export interface Unit extends FormSizes {
  offset: number
  firstEntry: number
  /** The offset just past the end of the unit. */
  end: number
  abbreviationsOffset: number
  /** Identifies the split unit of a skeleton unit in DWARF 5. In both units, the id is rounded to 53 bits. */
  splitId?: number
}

export interface UnitBounds {
  lineOffset?: number
  lowPc?: number
  highPc?: number
  /** The value and form of `DW_AT_ranges`. */
  ranges?: FormValue
  stringOffsetsBase: number
  addressBase: number
  rangeListsBase: number
  /** The base for offsets into `.debug_ranges`. Used only by split units in DWARF 4. */
  rangesBase?: number
}

export interface UnitEntry extends UnitBounds {
  name?: string
  compilationDirectory?: string
  /** The `.dwo` file that contains the rest of the unit (split DWARF). */
  splitName?: string
  /** Identifies the split unit in DWARF 4, like {@link Unit.splitId} in DWARF 5. */
  splitId?: number
}

export interface FormValue {
  form: number
  value: number
}

const MAX_UNITS = 500_000
const MAX_HEADER = 40
const COMPILE = 1
const PARTIAL = 3
const SKELETON = 4
const SPLIT_COMPILE = 5

/** Returns the compilation units in order, excluding type units. Stops at the first invalid unit. */
export function listUnits(info: Section): Unit[] {
  const units: Unit[] = []
  for (let offset = 0; offset + 11 <= info.size && units.length < MAX_UNITS; ) {
    const cursor = info.cursor(offset, MAX_HEADER)
    let length = cursor.u32()
    const offsetBytes = length === 0xffffffff ? 8 : 4
    if (offsetBytes === 8) length = cursor.u64()
    const end = offset + cursor.at + length
    if (length === 0 || end > info.size) break
    const version = cursor.u16()
    if (version >= 2 && version <= 5) {
      const kind = version >= 5 ? cursor.u8() : COMPILE
      const addressFirst = version >= 5 ? cursor.u8() : 0
      const abbreviationsOffset = cursor.sized(offsetBytes)
      const addressBytes = version >= 5 ? addressFirst : cursor.u8()
      const splitId = kind === SKELETON || kind === SPLIT_COMPILE ? cursor.u64() : undefined
      const isCode = kind === COMPILE || kind === PARTIAL || splitId !== undefined
      if (isCode && (addressBytes === 4 || addressBytes === 8)) {
        units.push({
          offset,
          firstEntry: offset + cursor.at,
          end,
          version,
          offsetBytes,
          addressBytes,
          abbreviationsOffset,
          ...(splitId !== undefined && { splitId }),
        })
      }
    }
    offset = end
  }
  return units
}

/**
 * @param abbreviations the abbreviations of the unit, if they were already read.
 * @throws BinaryError if the entry is invalid.
 */
export function readUnitEntry(sections: DwarfSections, unit: Unit, abbreviations?: Abbreviations): UnitEntry {
  const values = readOwnAttributes(sections, unit, abbreviations)
  const entry: UnitEntry = boundsIn(sections, unit, values)
  const name = textOf(sections, unit, entry, values.get(AT.name))
  const directory = textOf(sections, unit, entry, values.get(AT.compilationDirectory))
  const splitName = textOf(sections, unit, entry, values.get(AT.splitName) ?? values.get(AT.gnuSplitName))
  if (name !== undefined) entry.name = name
  if (directory !== undefined) entry.compilationDirectory = directory
  const splitId = unit.splitId ?? values.get(AT.gnuSplitId)?.value
  if (splitName !== undefined) entry.splitName = splitName
  if (splitId !== undefined) entry.splitId = splitId
  return entry
}

/** Reads a unit's bounds but not its strings, which are scattered across a large section. @throws BinaryError if the entry is invalid. */
export function readUnitBounds(sections: DwarfSections, unit: Unit): UnitBounds {
  return boundsIn(sections, unit, readOwnAttributes(sections, unit))
}

function readOwnAttributes(
  { info, abbrev }: DwarfSections,
  unit: Unit,
  abbreviations?: Abbreviations,
): Map<number, FormValue> {
  return reading(
    info,
    unit.firstEntry,
    (cursor) => {
      const code = cursor.uleb()
      const table = abbreviations ?? readAbbreviations(abbrev, unit.abbreviationsOffset, code)
      const abbreviation = table.get(code)
      if (!abbreviation) throw new BinaryError('damaged', 'A unit in the debug information has no root entry.')
      return readAttributes(cursor, unit.firstEntry, abbreviation, unit)
    },
    512,
  )
}

/** Returns the attribute values, keyed by attribute. Positions of strings and blocks are absolute. */
export function readAttributes(
  cursor: Cursor,
  base: number,
  abbreviation: Abbreviation | undefined,
  sizes: FormSizes,
): Map<number, FormValue> {
  const values = new Map<number, FormValue>()
  const attributes = abbreviation?.attributes ?? []
  for (let index = 0; index < attributes.length; index += 3) {
    const form = attributes[index + 1] as number
    const value = readForm(cursor, form, attributes[index + 2] as number, sizes)
    values.set(attributes[index] as number, { form, value: form === FORM.string ? base + value : value })
  }
  return values
}

function boundsIn(sections: DwarfSections, unit: Unit, values: Map<number, FormValue>): UnitBounds {
  const number = (attribute: number) => values.get(attribute)?.value
  const entry: UnitBounds = {
    // If a unit has no base, the section has a single contribution. Indexes are then relative to the end of the section's header.
    stringOffsetsBase: number(AT.stringOffsetsBase) ?? (unit.version >= 5 ? 2 * unit.offsetBytes : 0),
    addressBase: number(AT.addressBase) ?? number(AT.gnuAddressBase) ?? (unit.version >= 5 ? 2 * unit.offsetBytes : 0),
    rangeListsBase: number(AT.rangeListsBase) ?? number(AT.gnuRangesBase) ?? 0,
  }
  const low = values.get(AT.lowPc)
  const high = values.get(AT.highPc)
  const ranges = values.get(AT.ranges)
  const line = number(AT.statementList)
  if (line !== undefined) entry.lineOffset = line
  if (low) entry.lowPc = addressOf(sections, unit, entry, low.form, low.value) ?? 0
  if (high && entry.lowPc !== undefined)
    entry.highPc = highPcOf(sections, unit, entry, entry.lowPc, high.form, high.value)
  if (ranges) entry.ranges = ranges
  return entry
}

/** `DW_AT_high_pc` is an address or, in DWARF 4 and later, a length. */
export function highPcOf(
  sections: DwarfSections,
  unit: Unit,
  entry: UnitBounds,
  low: number,
  form: number,
  value: number,
): number {
  return addressOf(sections, unit, entry, form, value) ?? low + value
}

export function textOf(
  sections: DwarfSections,
  unit: Unit,
  entry: UnitBounds,
  found: FormValue | undefined,
): string | undefined {
  const text = found && storedText(sections, unit, entry, found)
  return text && (sections.hiddenNames?.nameOf(text) ?? text)
}

function storedText(
  sections: DwarfSections,
  unit: Unit,
  { stringOffsetsBase }: UnitBounds,
  { form, value }: FormValue,
): string | undefined {
  switch (form) {
    case FORM.string:
      return sections.info.text(value)
    case FORM.stringPointer:
      return sections.str?.text(value)
    case FORM.lineStringPointer:
      return sections.lineStr?.text(value)
    case FORM.stringSupplement:
    case FORM.gnuStringAlternative:
      return sections.supplement?.str?.text(value)
    case FORM.stringIndex:
    case FORM.stringIndex1:
    case FORM.stringIndex2:
    case FORM.stringIndex3:
    case FORM.stringIndex4:
    case FORM.gnuStringIndex: {
      const at = stringOffsetsBase + value * unit.offsetBytes
      const offset = sections.strOffsets?.cursor(at, unit.offsetBytes).sized(unit.offsetBytes)
      return offset === undefined ? undefined : sections.str?.text(offset)
    }
    default:
      return undefined
  }
}

export function addressOf(
  sections: DwarfSections,
  unit: Unit,
  entry: UnitBounds,
  form: number,
  value: number,
): number | undefined {
  switch (form) {
    case FORM.address:
      return value
    case FORM.addressIndex:
    case FORM.addressIndex1:
    case FORM.addressIndex2:
    case FORM.addressIndex3:
    case FORM.addressIndex4:
    case FORM.gnuAddressIndex:
      return indexedAddress(sections, unit, entry, value)
    default:
      return undefined
  }
}

export function indexedAddress(
  { addr }: DwarfSections,
  { addressBytes }: Unit,
  { addressBase }: UnitBounds,
  index: number,
): number {
  if (!addr) throw new BinaryError('damaged', 'The address table in the debug information is missing.')
  return addr.cursor(addressBase + index * addressBytes, addressBytes).sized(addressBytes)
}

export function targetOf(unit: Unit, { form, value }: FormValue): number | undefined {
  switch (form) {
    case FORM.ref1:
    case FORM.ref2:
    case FORM.ref4:
    case FORM.ref8:
    case FORM.refUnsigned:
      return unit.offset + value
    case FORM.refAddress:
      return value
    default:
      return undefined
  }
}
