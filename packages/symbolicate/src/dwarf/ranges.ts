import { BinaryError } from '@symup/core/internal'
import { reading } from './abbreviations.ts'
import { FORM } from './constants.ts'
import type { Cursor } from './cursor.ts'
import { type DwarfSections, type FormValue, indexedAddress, type Unit, type UnitEntry } from './unit.ts'

/** From, to (exclusive). */
export type AddressRange = readonly [low: number, high: number]

const FIRST_READ = 1024

/** The address ranges that `DW_AT_ranges` stands for; empty ones, and those of code that the linker dropped, are left out. */
export function readRanges(sections: DwarfSections, unit: Unit, entry: UnitEntry, found: FormValue): AddressRange[] {
  return unit.version >= 5
    ? readRangeList(sections, unit, entry, found)
    : readOldRanges(sections, unit, entry, (entry.rangesBase ?? 0) + found.value)
}

function collector(addressBytes: number) {
  const ranges: AddressRange[] = []
  // What the linker writes where code is gone: all ones, or one less in the old format.
  const gone = 2 ** (8 * addressBytes) - 2
  return {
    ranges,
    add(low: number, high: number): void {
      if (low < high && low < gone) ranges.push([low, high])
    },
  }
}

/** Version 2 to 4: `.debug_ranges`. */
function readOldRanges(sections: DwarfSections, unit: Unit, entry: UnitEntry, offset: number): AddressRange[] {
  const section = sections.ranges
  if (!section) return []
  const { addressBytes } = unit
  const largest = 2 ** (8 * addressBytes) - 1
  return reading(
    section,
    offset,
    (cursor) => {
      const { ranges, add } = collector(addressBytes)
      let base = entry.lowPc ?? 0
      for (;;) {
        const low = cursor.sized(addressBytes)
        const high = cursor.sized(addressBytes)
        if (low === 0 && high === 0) return ranges
        if (low >= largest) base = high
        else add(base + low, base + high)
      }
    },
    FIRST_READ,
  )
}

/** Version 5: `.debug_rnglists`. */
function readRangeList(sections: DwarfSections, unit: Unit, entry: UnitEntry, found: FormValue): AddressRange[] {
  const section = sections.rangeLists
  if (!section) return []
  const { rangeListsBase: base } = entry
  const { offsetBytes } = unit
  const offset =
    found.form === FORM.rangeListIndex
      ? base + section.cursor(base + found.value * offsetBytes, offsetBytes).sized(offsetBytes)
      : found.value
  return reading(section, offset, (cursor) => takeRangeList(cursor, sections, unit, entry), FIRST_READ)
}

function takeRangeList(cursor: Cursor, sections: DwarfSections, unit: Unit, entry: UnitEntry): AddressRange[] {
  const { addressBytes } = unit
  const { ranges, add } = collector(addressBytes)
  const indexed = () => indexedAddress(sections, unit, entry, cursor.uleb())
  let base = entry.lowPc ?? 0
  for (;;) {
    const kind = cursor.u8()
    if (kind === 0) return ranges
    if (kind === 1)
      base = indexed() // DW_RLE_base_addressx
    else if (kind === 2)
      add(indexed(), indexed()) // startx_endx
    else if (kind === 3)
      addFrom(indexed(), cursor.uleb()) // startx_length
    else if (kind === 4)
      addFrom(base + cursor.uleb(), cursor.uleb(), base) // offset_pair
    else if (kind === 5)
      base = cursor.sized(addressBytes) // base_address
    else if (kind === 6)
      add(cursor.sized(addressBytes), cursor.sized(addressBytes)) // start_end
    else if (kind === 7)
      addFrom(cursor.sized(addressBytes), cursor.uleb()) // start_length
    else throw new BinaryError('damaged', `a list of ranges has an entry of the unknown kind ${kind}`)
  }

  /** `end` is a length, or relative to `from`. */
  function addFrom(low: number, end: number, from = low): void {
    if (from < 2 ** (8 * addressBytes) - 2) add(low, from + end)
  }
}
