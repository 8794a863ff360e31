import { BinaryError } from '@symup/core/resolving'
import { eachRange, isCode } from './ranges.ts'
import { functionRanges } from './subroutines.ts'
import { type DwarfSections, readUnitBounds, type Unit } from './unit.ts'
import { UnitRanges } from './unit-ranges.ts'

export interface UnitIndex {
  /**
   * Returns the units that may contain an address, most likely first. The ranges of units can overlap, because dsymutil and strict DWARF 2
   * assign a single range to each unit.
   */
  unitsAt(address: number): Unit[]
  readonly weight: number
}

/** The approximate memory usage per unit in bytes. */
const UNIT_BYTES = 150

export function indexUnits(sections: DwarfSections, units: readonly Unit[]): UnitIndex {
  const ranges = new UnitRanges()
  for (const [index, unit] of units.entries()) {
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
  else if (entry.lineOffset !== undefined) functionRanges(sections, unit, entry, add)
}
