import { BinaryError } from '@symup/core/resolving'
import { FORM } from './constants.ts'
import type { Section } from './section.ts'
import {
  type CodeRange,
  type DwarfSections,
  type FormValue,
  indexedAddress,
  type Unit,
  type UnitBounds,
} from './unit.ts'

type Add = (low: number, high: number) => void

/** The number of bytes in the first read. Range lists do not store their length. */
const FIRST_READ = 128
const MAX_READ = 8 * 1024
const GONE_64 = 2 ** 64 - 2
const GONE_32 = 2 ** 32 - 2
const MAX_ENTRY = 32

/**
 * Calls `add` for each range in `DW_AT_ranges`. Empty ranges and ranges of removed code are skipped.
 * @returns whether the list contains entries.
 */
export function eachRange(sections: DwarfSections, unit: Unit, entry: UnitBounds, found: FormValue, add: Add): boolean {
  let hasEntries = false
  const take = (low: number, high: number) => {
    hasEntries = true
    if (isCode(low, high, unit, sections.code)) add(low, high)
  }
  if (unit.version < 5) eachOldRange(sections.ranges, unit, entry, (entry.rangesBase ?? 0) + found.value, take)
  else if (sections.rangeLists) eachInList(sections.rangeLists, sections, unit, entry, found, take)
  return hasEntries
}

/**
 * Returns whether a range contains code. After the linker has removed a function's code, the start address of the range is 0, 1, an offset
 * within the section, or close to the largest address.
 */
export function isCode(low: number, high: number, unit: Pick<Unit, 'addressBytes'>, code?: CodeRange): boolean {
  if (low >= high) return false
  if (low === 0 && code?.isEnd) return code.isEnd(high)
  return code ? low >= code.from && low < code.to : low < (unit.addressBytes === 8 ? GONE_64 : GONE_32)
}

/** Reads `.debug_ranges`, which DWARF 2 to 4 use. */
function eachOldRange(section: Section | undefined, unit: Unit, entry: UnitBounds, offset: number, add: Add): void {
  if (!section) return
  const { addressBytes } = unit
  const largest = 2 ** (8 * addressBytes) - 1
  let base = entry.lowPc ?? 0
  for (let at = offset, length = FIRST_READ; ; length = Math.min(length * 4, MAX_READ)) {
    const cursor = section.cursor(at, length)
    const read = cursor.bytes.length - (cursor.bytes.length % (2 * addressBytes))
    if (read === 0) throw new BinaryError('damaged', 'The debug information contains an offset that is out of range.')
    at += read
    while (cursor.at < read) {
      const low = cursor.sized(addressBytes)
      const high = cursor.sized(addressBytes)
      if (low === 0 && high === 0) return
      // If both values are the largest address, the entry marks removed code rather than a new base address.
      if (low >= largest) base = high >= largest ? base : high
      else add(base + low, base + high)
    }
  }
}

/** Reads `.debug_rnglists`, which DWARF 5 uses. */
function eachInList(
  section: Section,
  sections: DwarfSections,
  unit: Unit,
  entry: UnitBounds,
  found: FormValue,
  add: Add,
): void {
  const { rangeListsBase } = entry
  const { offsetBytes, addressBytes } = unit
  const isIndex = found.form === FORM.rangeListIndex
  let position = isIndex
    ? rangeListsBase + section.cursor(rangeListsBase + found.value * offsetBytes, offsetBytes).sized(offsetBytes)
    : found.value
  let cursor = section.cursor(position, FIRST_READ)
  const indexed = () => indexedAddress(sections, unit, entry, cursor.uleb())
  const addLength = (low: number, length: number) => add(low, low + length)
  let base = entry.lowPc ?? 0
  for (;;) {
    if (cursor.at + MAX_ENTRY > FIRST_READ) {
      position += cursor.at
      cursor = section.cursor(position, FIRST_READ)
    }
    const kind = cursor.u8()
    if (kind === 0) return
    if (kind === 1)
      base = indexed() // DW_RLE_base_addressx
    else if (kind === 2)
      add(indexed(), indexed()) // DW_RLE_startx_endx
    else if (kind === 3)
      addLength(indexed(), cursor.uleb()) // DW_RLE_startx_length
    else if (kind === 4)
      add(base + cursor.uleb(), base + cursor.uleb()) // DW_RLE_offset_pair
    else if (kind === 5)
      base = cursor.sized(addressBytes) // DW_RLE_base_address
    else if (kind === 6)
      add(cursor.sized(addressBytes), cursor.sized(addressBytes)) // DW_RLE_start_end
    else if (kind === 7)
      addLength(cursor.sized(addressBytes), cursor.uleb()) // DW_RLE_start_length
    else
      throw new BinaryError(
        'damaged',
        `A range list in the debug information contains an entry of unknown kind ${kind}.`,
      )
  }
}
