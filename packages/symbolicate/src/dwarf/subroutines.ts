import { BinaryError } from '@symup/core/internal'
import { type Abbreviation, readAbbreviations } from './abbreviations.ts'
import { AT, FORM, TAG } from './constants.ts'
import { Cursor } from './cursor.ts'
import { Shapes, skipEntry, skipTree } from './entry-shapes.ts'
import { readForm } from './forms.ts'
import { RangeMap } from './range-map.ts'
import { type AddressRange, readRanges } from './ranges.ts'
import { addressOf, type DwarfSections, type FormValue, highPcOf, type Unit, type UnitEntry } from './unit.ts'

/** A function, or one that the compiler copied into another. */
export interface Subroutine {
  /** Of its entry in `.debug_info`. */
  offset: number
  /** Where the entries below it end. */
  end: number
  /** False of what only declares: of functions that were inlined everywhere, and of templates. */
  hasCode: boolean
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
  /** The innermost one. @throws BinaryError when the entries make no sense. */
  at(address: number): Subroutine | undefined
  ranges(): AddressRange[]
  isEmpty(): boolean
  /** Bytes that it takes, about, with what is still to be read. */
  weight: number
}

const MAX_UNIT_BYTES = 512 * 1024 * 1024
const MAX_DEPTH = 2000

/**
 * Goes over a unit's entries once for its functions. What is inlined in one, which is most of a unit, is read when an address falls into it.
 * Where entries say what is next to them, what is below them is not even gone over; functions may be there too, so a unit in which an address
 * is in none is gone over again.
 * @throws BinaryError when the entries make no sense.
 */
export function readSubroutines(sections: DwarfSections, unit: Unit, entry: UnitEntry): Subroutines {
  if (unit.end - unit.firstEntry > MAX_UNIT_BYTES) throw new BinaryError('damaged', 'a unit is too large')
  const shapes = new Shapes(readAbbreviations(sections.abbrev, unit.abbreviationsOffset), unit)
  const reading = { sections, unit, entry, shapes }
  const part = { from: unit.firstEntry, to: unit.end, parent: undefined }
  const first = readEntries(reading, { ...part, only: 'outermost' })
  let all = first.skipped === 0 ? first : undefined
  const functions = () => {
    all ??= readEntries(reading, { ...part, only: 'functions' })
    return all
  }
  const whole = new Map<Subroutine, Found>()
  return {
    at(address) {
      const outer = first.at(address) ?? functions().at(address)
      if (!outer || outer.end === outer.offset) return outer
      let found = whole.get(outer)
      if (!found) {
        const { offset: from, end: to, parent } = outer
        found = readEntries(reading, { from, to, parent })
        whole.set(outer, found)
      }
      return found.at(address) ?? outer
    },
    ranges: () => functions().ranges,
    isEmpty: () => first.isEmpty && functions().isEmpty,
    weight: first.weight + shapes.count * 300,
  }
}

interface Reading {
  sections: DwarfSections
  unit: Unit
  entry: UnitEntry
  shapes: Shapes
}

interface Part {
  /** Offsets in `.debug_info`. */
  from: number
  to: number
  parent: Subroutine | undefined
  /** Only functions: what is inlined in them is counted. Only the outermost: what is below them is not even counted, where they say how long it is. */
  only?: 'functions' | 'outermost'
}

function readEntries({ sections, unit, entry, shapes }: Reading, { from, to, parent: outer, only }: Part): Found {
  const found = new Found()
  const cursor = new Cursor(sections.info.bytes(from, to - from), sections.info.little)
  const { bytes } = cursor
  const reading = { sections, unit, entry, found }
  const parents: (Subroutine | undefined)[] = []
  let parent = outer
  while (cursor.at < bytes.length) {
    const at = cursor.at
    const code = (bytes[at] as number) < 0x80 ? (bytes[cursor.at++] as number) : cursor.uleb()
    if (code === 0) {
      // Set again by whatever ends later in the same function.
      if (parent) parent.end = from + cursor.at
      parent = parents.pop()
      continue
    }
    const attributesAt = cursor.at
    const shape = shapes.of(code)
    if (!shape) throw new BinaryError('damaged', 'an entry has no shape')
    let self = parent
    if (shape.isSubroutine && !(only && shape.isInlined && parent?.hasCode)) {
      self = takeSubroutine(cursor, shape.abbreviation, from + at, parent, reading)
      if (only === 'outermost' && shape.sibling) {
        const body = cursor.at
        cursor.at = attributesAt
        if (skipTree(cursor, shape, unit, from)) {
          self.end = from + cursor.at
          found.skipped += cursor.at - body
          continue
        }
        cursor.at = body
      }
    } else if (only === 'outermost' && skipTree(cursor, shape, unit, from)) {
      found.skipped += cursor.at - at
      continue
    } else {
      if (shape.isSubroutine) found.inlined++
      else if (shape.isDeclaration) self = subroutineAt(from + at, parent, false, false)
      skipEntry(cursor, shape, unit)
    }
    if (shape.abbreviation.hasChildren) {
      if (parents.length >= MAX_DEPTH) throw new BinaryError('damaged', 'its entries are nested too deep')
      parents.push(parent)
      parent = self
    }
  }
  return found
}

function subroutineAt(
  offset: number,
  parent: Subroutine | undefined,
  isInlined: boolean,
  hasCode: boolean,
): Subroutine {
  return { offset, end: offset, hasCode, parent, isInlined, callFile: 0, callLine: 0, callColumn: 0 }
}

interface Taking {
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
  { sections, unit, entry, found }: Taking,
): Subroutine {
  const self = subroutineAt(offset, parent, tag === TAG.inlinedSubroutine, true)
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

/** Subroutines of a part of a unit, by their ranges. */
class Found {
  readonly ranges: AddressRange[] = []
  /** Entries that were passed over. */
  inlined = 0
  /** Bytes of entries that were not gone over. */
  skipped = 0
  readonly #map = new RangeMap()
  readonly #owners: Subroutine[] = []

  add(low: number, high: number, owner: Subroutine, addressBytes: number): void {
    if (low >= high || low >= 2 ** (8 * addressBytes) - 2) return
    if (this.#owners.at(-1) !== owner) this.#owners.push(owner)
    this.#map.add(low, high, this.#owners.length - 1)
    if (!owner.parent) this.ranges.push([low, high])
  }

  at(address: number): Subroutine | undefined {
    const index = this.#map.at(address)
    return index === undefined ? undefined : this.#owners[index]
  }

  get isEmpty(): boolean {
    return this.#owners.length === 0
  }

  /** With what is still to be read, so that a unit never grows beyond it. */
  get weight(): number {
    return (this.#owners.length + this.inlined) * 150 + this.skipped * 2 + this.#map.size * 24
  }
}
