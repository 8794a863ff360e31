import { BinaryError } from '@symup/core/resolving'
import { type Abbreviation, type Abbreviations, readAbbreviations } from './abbreviations.ts'
import { AT, TAG } from './constants.ts'
import { Cursor } from './cursor.ts'
import { Shapes, skipEntry } from './entry-shapes.ts'
import { readForm } from './forms.ts'
import { eachRange, isCode } from './ranges.ts'
import { Subroutine, SubroutineRanges } from './subroutine-ranges.ts'
import { addressOf, type DwarfSections, type FormValue, highPcOf, type Unit, type UnitBounds } from './unit.ts'

export interface Subroutines {
  /** @throws BinaryError if the entries are invalid. */
  at(address: number): Subroutine | undefined
  isEmpty(): boolean
  /** The approximate memory currently in use, in bytes. */
  readonly weight: number
}

const MAX_UNIT_BYTES = 512 * 1024 * 1024
const MAX_DEPTH = 2000
/**
 * Reads the functions in a unit in one pass. Inlined calls, which take up most of a unit, are read on demand.
 * @throws BinaryError if the entries are invalid. The methods of the result can throw the same error.
 */
export function readSubroutines(
  sections: DwarfSections,
  abbreviations: Abbreviations,
  unit: Unit,
  entry: UnitBounds,
): Subroutines {
  const reading = readingOf(sections, abbreviations, unit, entry)
  let all: SubroutineRanges | undefined
  const functions = () => {
    all ??= readEntries(reading, wholeUnit(unit))
    return all
  }
  const whole = new Map<Subroutine, SubroutineRanges>()
  let weight = 0
  return {
    at(address) {
      const outer = functions().at(address)
      if (!outer || outer.end === outer.offset) return outer
      let found = whole.get(outer)
      if (!found) {
        found = readEntries(reading, { from: outer.offset, to: outer.end, parent: outer.parent, onlyFunctions: false })
        whole.set(outer, found)
        weight += found.weight
      }
      return found.at(address) ?? outer
    },
    isEmpty: () => functions().isEmpty,
    get weight() {
      return weight + (all?.weight ?? 0)
    },
  }
}

/** Calls `add` for each address range of the functions in a unit. @throws BinaryError if the entries are invalid. */
export function functionRanges(
  sections: DwarfSections,
  unit: Unit,
  entry: UnitBounds,
  add: (low: number, high: number) => void,
): void {
  const reading = readingOf(sections, readAbbreviations(sections.abbrev, unit.abbreviationsOffset), unit, entry)
  readEntries(reading, wholeUnit(unit)).eachRange((low, high, owner) => {
    if (!owner.parent) add(low, high)
  })
}

interface Reading {
  sections: DwarfSections
  unit: Unit
  entry: UnitBounds
  shapes: Shapes
}

function readingOf(sections: DwarfSections, abbreviations: Abbreviations, unit: Unit, entry: UnitBounds): Reading {
  if (unit.end - unit.firstEntry > MAX_UNIT_BYTES)
    throw new BinaryError('damaged', 'A unit in the debug information is too large.')
  return { sections, unit, entry, shapes: new Shapes(abbreviations, unit) }
}

interface Part {
  from: number
  to: number
  parent: Subroutine | undefined
  onlyFunctions: boolean
}

function wholeUnit({ firstEntry, end }: Unit): Part {
  return { from: firstEntry, to: end, parent: undefined, onlyFunctions: true }
}

function readEntries(reading: Reading, part: Part): SubroutineRanges {
  const found = new SubroutineRanges()
  const { info } = reading.sections
  const bytes = info.bytes(part.from, part.to - part.from)
  const end = takeEntries(reading, part, new Cursor(bytes, info.little), found)
  if (end > bytes.length)
    throw new BinaryError('damaged', 'The debug information contains an offset that is out of range.')
  return found
}

function takeEntries(
  reading: Reading,
  { from, parent: outer, onlyFunctions }: Part,
  cursor: Cursor,
  found: SubroutineRanges,
): number {
  const { bytes } = cursor
  const end = bytes.length
  const { shapes, unit } = reading
  const parents: (Subroutine | undefined)[] = []
  let parent = outer
  let { at } = cursor
  while (at < end) {
    const start = at
    let code = bytes[at++] as number
    if (code === 0) {
      if (parent) parent.end = from + at
      parent = parents.pop()
      continue
    }
    if (code >= 0x80) {
      cursor.at = start
      code = cursor.uleb()
      at = cursor.at
    }
    const shape = shapes.of(code)
    let self = parent
    if (shape.isSubroutine && !(onlyFunctions && shape.isInlined && parent?.hasCode)) {
      cursor.at = at
      self = takeSubroutine(cursor, shape, from + start, parent, reading, found)
      at = cursor.at
    } else {
      if (shape.isDeclaration) self = new Subroutine('declaration', from + start, parent)
      at = skipEntry(cursor, at, shape, unit)
    }
    if (shape.hasChildren) {
      if (parents.length >= MAX_DEPTH)
        throw new BinaryError('damaged', 'The entries in the debug information are nested too deeply.')
      parents.push(parent)
      parent = self
    }
  }
  return at
}

function takeSubroutine(
  cursor: Cursor,
  { tag, attributes }: Abbreviation,
  offset: number,
  parent: Subroutine | undefined,
  { sections, unit, entry }: Reading,
  found: SubroutineRanges,
): Subroutine {
  // Forms and values are stored in separate variables, because creating an object for each attribute would be too slow. A unit can have
  // millions of entries.
  let lowForm = 0
  let low = 0
  let highForm = 0
  let high = 0
  let ranges: FormValue | undefined
  let callFile = 0
  let callLine = 0
  let callColumn = 0
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
        callFile = value
        break
      case AT.callLine:
        callLine = value
        break
      case AT.callColumn:
        callColumn = value
        break
    }
  }
  const kind = tag === TAG.inlinedSubroutine ? 'inlined' : 'function'
  const { code } = sections
  // `isEnd` does not apply to inlined calls, because they rarely end where a function ends.
  const within = kind === 'inlined' && code?.isEnd ? { from: code.from, to: code.to } : code
  if (ranges && (lowForm === 0 || highForm === 0)) {
    const self = new Subroutine(kind, offset, parent).calledFrom(callFile, callLine, callColumn)
    const bounded = within && within !== code ? { ...sections, code: within } : sections
    eachRange(bounded, unit, entry, ranges, (start, end) => found.add(start, end, self))
    return self
  }
  const start = addressOf(sections, unit, entry, lowForm, low)
  const end = start === undefined ? 0 : highPcOf(sections, unit, entry, start, highForm, high)
  const self = new Subroutine(kind, offset, parent).calledFrom(callFile, callLine, callColumn)
  if (start !== undefined && isCode(start, end, unit, within)) {
    self.low = start
    found.add(start, end, self)
  }
  return self
}
