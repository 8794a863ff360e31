import { BinaryError } from '@symup/core/internal'
import { firstAbove } from '../first-above.ts'
import { Cursor } from './cursor.ts'
import { readRanges } from './ranges.ts'
import type { Section } from './section.ts'
import { readSubroutines } from './subroutines.ts'
import { type DwarfSections, readUnitEntry, type Unit } from './unit.ts'

/** Which units an address may be in. */
export interface UnitIndex {
  /**
   * The likeliest first. Ranges of units may overlap: dsymutil and strict DWARF 2 give a unit one range from its first function to its
   * last, across those of other units. So `.debug_aranges`, which lists the pieces, counts before what the unit itself says.
   */
  unitsAt(address: number): Iterable<Unit>
}

const MAX_RANGES = 20_000_000
/** Units that are tried for one address. */
const MAX_CANDIDATES = 16

export function indexUnits(sections: DwarfSections, units: readonly Unit[]): UnitIndex {
  const ranges = new Ranges()
  const listed = sections.aranges ? readAranges(sections.aranges, units, ranges) : new Set<number>()
  for (const [index, unit] of units.entries()) {
    if (listed.has(index)) continue
    try {
      addUnit(sections, unit, (low, high) => ranges.add(low, high, index))
    } catch (error) {
      // One unit that makes no sense takes nothing from the others.
      if (!(error instanceof BinaryError)) throw error
    }
  }
  const chosen = ranges.chosen()
  return {
    *unitsAt(address) {
      const first = chosen(address)
      if (first === undefined) return
      yield units[first] as Unit
      // Only asked for when the first one knows nothing: rare enough to look through all.
      for (const index of ranges.holding(address, first)) yield units[index] as Unit
    },
  }
}

function addUnit(sections: DwarfSections, unit: Unit, add: (low: number, high: number) => void): void {
  const entry = readUnitEntry(sections, unit)
  if (entry.ranges) {
    for (const [low, high] of readRanges(sections, unit, entry, entry.ranges)) add(low, high)
  } else if (entry.lowPc !== undefined && entry.highPc !== undefined) add(entry.lowPc, entry.highPc)
  // Old compilers do not say what a unit covers: its functions do.
  else if (entry.lineOffset !== undefined && !sections.aranges) {
    for (const [low, high] of readSubroutines(sections, unit, entry).ranges()) add(low, high)
  }
}

/** @returns indexes of the units that the section lists. */
function readAranges(section: Section, units: readonly Unit[], ranges: Ranges): Set<number> {
  const listed = new Set<number>()
  try {
    for (let offset = 0; offset + 12 < section.size; ) offset = takeSet(section, offset, units, ranges, listed)
  } catch (error) {
    // The units that it did not get to tell their ranges themselves.
    if (!(error instanceof BinaryError)) throw error
  }
  return listed
}

/** Source: DWARF 5, §6.1.2. @returns where the next set starts. */
function takeSet(
  section: Section,
  offset: number,
  units: readonly Unit[],
  ranges: Ranges,
  listed: Set<number>,
): number {
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
    ranges.add(low, low + cursor.sized(addressBytes), at)
  }
  listed.add(at)
  return end
}

/** Address ranges with the index of their unit, in columns. */
class Ranges {
  #lows = new Float64Array(1024)
  #highs = new Float64Array(1024)
  #units = new Uint32Array(1024)
  #count = 0

  add(low: number, high: number, unit: number): void {
    if (!(low < high)) return
    if (this.#count === this.#lows.length) this.#grow()
    this.#lows[this.#count] = low
    this.#highs[this.#count] = high
    this.#units[this.#count++] = unit
  }

  /** Units other than `known` with a range that holds the address, up to {@link MAX_CANDIDATES}. */
  holding(address: number, known: number): Set<number> {
    const found = new Set<number>()
    for (let index = 0; index < this.#count && found.size < MAX_CANDIDATES; index++) {
      const isHolding = address >= (this.#lows[index] as number) && address < (this.#highs[index] as number)
      if (isHolding && this.#units[index] !== known) found.add(this.#units[index] as number)
    }
    return found
  }

  /**
   * One unit for each address, as LLVM's tools choose it: where ranges overlap, the unit of the piece before goes on as long as it can,
   * then comes the first unit in the file.
   */
  chosen(): (address: number) => number | undefined {
    const lows: number[] = []
    const highs: number[] = []
    const units: number[] = []
    const active = new ActiveUnits()
    const starts = this.#order(this.#lows)
    const ends = this.#order(this.#highs)
    let previous = 0
    let start = 0
    for (let end = 0; end < ends.length; ) {
      const high = this.#highs[ends[end] as number] as number
      const low = start < starts.length ? (this.#lows[starts[start] as number] as number) : Number.POSITIVE_INFINITY
      const address = Math.min(low, high)
      const first = previous < address ? active.first() : undefined
      if (first !== undefined) {
        const last = lows.length - 1
        if (highs[last] === previous && active.has(units[last] as number)) highs[last] = address
        else {
          lows.push(previous)
          highs.push(address)
          units.push(first)
        }
      }
      if (low <= high) active.add(this.#units[starts[start++] as number] as number)
      else active.remove(this.#units[ends[end++] as number] as number)
      previous = address
    }
    return (address) => {
      const index = firstAbove(lows.length, (at) => (lows[at] as number) > address) - 1
      return index >= 0 && address < (highs[index] as number) ? units[index] : undefined
    }
  }

  #order(values: Float64Array): Uint32Array {
    return Uint32Array.from({ length: this.#count }, (_, index) => index).sort(
      (a, b) => (values[a] as number) - (values[b] as number),
    )
  }

  #grow(): void {
    if (this.#count >= MAX_RANGES) throw new BinaryError('damaged', 'its units have too many ranges')
    const grown = <T extends Float64Array | Uint32Array>(old: T, larger: T): T => {
      larger.set(old)
      return larger
    }
    const length = this.#count * 2
    this.#lows = grown(this.#lows, new Float64Array(length))
    this.#highs = grown(this.#highs, new Float64Array(length))
    this.#units = grown(this.#units, new Uint32Array(length))
  }
}

/** Units whose ranges hold the present address, a heap by their index: that many may overlap in a hostile file. */
class ActiveUnits {
  readonly #counts = new Map<number, number>()
  readonly #heap: number[] = []

  has(unit: number): boolean {
    return this.#counts.has(unit)
  }

  add(unit: number): void {
    const count = this.#counts.get(unit) ?? 0
    this.#counts.set(unit, count + 1)
    if (count > 0) return
    const heap = this.#heap
    let at = heap.push(unit) - 1
    for (let up = (at - 1) >> 1; at > 0 && (heap[up] as number) > unit; up = (at - 1) >> 1) {
      heap[at] = heap[up] as number
      at = up
    }
    heap[at] = unit
  }

  remove(unit: number): void {
    const count = this.#counts.get(unit) as number
    if (count > 1) this.#counts.set(unit, count - 1)
    else this.#counts.delete(unit)
  }

  first(): number | undefined {
    // Those that have ended leave the heap when they come to its top.
    while (this.#heap.length > 0 && !this.has(this.#heap[0] as number)) this.#pop()
    return this.#heap[0]
  }

  #pop(): void {
    const heap = this.#heap
    const moved = heap.pop() as number
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && (heap[down + 1] as number) < (heap[down] as number)) down++
      if ((heap[down] as number) >= moved) break
      heap[at] = heap[down] as number
      at = down
    }
    heap[at] = moved
  }
}
