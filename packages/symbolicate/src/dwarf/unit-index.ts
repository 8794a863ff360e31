import { BinaryError, firstAbove } from '@symup/core/resolving'
import { Cursor } from './cursor.ts'
import { eachRange, isCode } from './ranges.ts'
import type { Section } from './section.ts'
import { functionRanges } from './subroutines.ts'
import { type DwarfSections, readUnitBounds, type Unit } from './unit.ts'
import { UnitRanges } from './unit-ranges.ts'

export interface UnitIndex {
  /**
   * Returns the units that may contain an address, most likely first. The ranges of units can overlap, because dsymutil and strict DWARF 2
   * assign a single range to each unit. `.debug_aranges`, which lists separate ranges, takes precedence over the unit's own range.
   */
  unitsAt(address: number): Unit[]
  readonly weight: number
}

/** The approximate memory usage per unit in bytes. */
const UNIT_BYTES = 150

export function indexUnits(sections: DwarfSections, units: readonly Unit[]): UnitIndex {
  const ranges = new UnitRanges()
  const listed = sections.aranges ? readAranges(sections, units, ranges) : new Set<number>()
  for (const [index, unit] of units.entries()) {
    if (listed.has(index)) continue
    try {
      addUnit(sections, unit, (low, high) => ranges.add(low, high, index))
    } catch (error) {
      // An invalid unit must not affect the other units.
      if (!(error instanceof BinaryError)) throw error
    }
  }
  return {
    get weight() {
      return ranges.weight + units.length * UNIT_BYTES
    },
    unitsAt: (address) => ranges.holding(address).map((index) => units[index] as Unit),
  }
}

function addUnit(sections: DwarfSections, unit: Unit, add: (low: number, high: number) => void): void {
  const entry = readUnitBounds(sections, unit)
  if (entry.ranges && eachRange(sections, unit, entry, entry.ranges, add)) return
  if (entry.lowPc !== undefined && entry.highPc !== undefined) {
    if (isCode(entry.lowPc, entry.highPc, unit, sections.code)) add(entry.lowPc, entry.highPc)
  }
  // Old compilers do not write the range of a unit, so the ranges of its functions are used.
  else if (entry.lineOffset !== undefined && (entry.ranges || !sections.aranges))
    functionRanges(sections, unit, entry, add)
}

function readAranges(sections: DwarfSections, units: readonly Unit[], ranges: UnitRanges): Set<number> {
  const listed = new Set<number>()
  try {
    const { size } = sections.aranges as Section
    for (let offset = 0; offset + 12 < size; ) offset = takeSet(sections, offset, units, ranges, listed)
  } catch (error) {
    // If `.debug_aranges` is invalid, keep the sets that were read before the error.
    if (!(error instanceof BinaryError)) throw error
  }
  return listed
}

/**
 * Reads one set of ranges. Source: section 6.1.2 of the DWARF 5 standard.
 * @returns the start of the next set.
 */
function takeSet(
  sections: DwarfSections,
  offset: number,
  units: readonly Unit[],
  ranges: UnitRanges,
  listed: Set<number>,
): number {
  const section = sections.aranges as Section
  const head = section.cursor(offset, 12)
  let length = head.u32()
  const offsetBytes = length === 0xffffffff ? 8 : 4
  if (offsetBytes === 8) length = head.u64()
  const end = offset + head.at + length
  const cursor = new Cursor(section.bytes(offset, end - offset), section.little, head.at)
  const version = cursor.u16()
  const unitOffset = cursor.sized(offsetBytes)
  const addressBytes = cursor.u8()
  const segmentBytes = cursor.u8()
  if (version < 2 || version > 5 || segmentBytes !== 0 || (addressBytes !== 4 && addressBytes !== 8)) return end
  const tuple = 2 * addressBytes
  cursor.at = Math.ceil(cursor.at / tuple) * tuple
  const at = firstAbove(units.length, (index) => (units[index] as Unit).offset >= unitOffset)
  if (units[at]?.offset !== unitOffset) return end
  while (cursor.at + tuple <= cursor.bytes.length) {
    const low = cursor.sized(addressBytes)
    const high = low + cursor.sized(addressBytes)
    if (isCode(low, high, { addressBytes }, sections.code)) ranges.add(low, high, at)
  }
  listed.add(at)
  return end
}
