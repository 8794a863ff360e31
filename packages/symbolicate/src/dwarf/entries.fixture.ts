import { readAbbreviations } from './abbreviations.ts'
import { AT, FORM, TAG } from './constants.ts'
import { sectionOf, u32, u64 } from './numbers.fixture.ts'
import type { DwarfSections, Unit, UnitBounds } from './unit.ts'

/** An entry in `.debug_info`: attribute, form and bytes of each value, and its children. */
export interface Entry {
  tag: number
  values: [attribute: number, form: number, bytes: number[]][]
  below?: Entry[]
}

const uleb = (value: number): number[] => (value < 128 ? [value] : [128 | (value & 127), ...uleb(value >> 7)])

/** A unit with these entries after `start` bytes. Each entry has its own abbreviation, numbered from `firstCode`. */
export function unitOf(entries: readonly Entry[], { firstCode = 1, version = 4, start = 0 } = {}) {
  const info: number[] = Array(start).fill(0)
  const abbreviations: number[] = []
  const offsets = new Map<Entry, number>()
  let code = firstCode
  const write = (entry: Entry) => {
    const { tag, values, below } = entry
    offsets.set(entry, info.length)
    info.push(...uleb(code))
    abbreviations.push(...uleb(code++), ...uleb(tag), below ? 1 : 0)
    for (const [attribute, form, bytes] of values) {
      abbreviations.push(...uleb(attribute), ...uleb(form))
      if (form === FORM.implicitConstant) abbreviations.push(...bytes)
      else info.push(...bytes)
    }
    abbreviations.push(0, 0)
    if (!below) return
    for (const each of below) write(each)
    info.push(0)
  }
  for (const entry of entries) write(entry)
  const sections = { info: sectionOf(info), abbrev: sectionOf([...abbreviations, 0]) } as DwarfSections
  const unit: Unit = {
    ...{ offset: 0, firstEntry: start, end: info.length, abbreviationsOffset: 0 },
    ...{ version, offsetBytes: 4, addressBytes: 8 },
  }
  const bounds: UnitBounds = { stringOffsetsBase: 0, addressBase: 0, rangeListsBase: 0 }
  return { sections, unit, bounds, abbreviations: readAbbreviations(sections.abbrev, 0), offsets }
}

/** A function from `low` to `high` (exclusive). */
export function functionOf(low: number, high: number, ...below: Entry[]): Entry {
  return {
    tag: TAG.subprogram,
    values: [
      [AT.lowPc, FORM.address, u64(low)],
      [AT.highPc, FORM.data4, u32(high - low)],
    ],
    ...(below.length > 0 && { below }),
  }
}

/** A call from `low` to `high` that is inlined at a line. */
export function inlinedOf(low: number, high: number, line: number, ...below: Entry[]): Entry {
  const { values, ...rest } = functionOf(low, high, ...below)
  return { ...rest, tag: TAG.inlinedSubroutine, values: [...values, [AT.callLine, FORM.data1, [line]]] }
}
