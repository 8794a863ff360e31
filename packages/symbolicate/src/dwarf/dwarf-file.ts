import { WeightedCache } from '../cache.ts'
import { demangle } from '../demangle/demangle.ts'
import { firstAbove } from '../first-above.ts'
import { type Abbreviations, readAbbreviations, reading } from './abbreviations.ts'
import { AT, FORM } from './constants.ts'
import {
  type DwarfSections,
  type FormValue,
  listUnits,
  readAttributes,
  readUnitEntry,
  targetOf,
  textOf,
  type Unit,
  type UnitEntry,
} from './unit.ts'

const MAX_CHAIN = 16
const SUPPLEMENT = new Set<number>([FORM.gnuRefAlternative, FORM.refSupplement4, FORM.refSupplement8])

/** Whether the debug information's name reads better: Dart's spelling in symbol tables, or a Swift name that cannot be demangled. */
export function isWorse(symbol: string, demangled: string): boolean {
  return /^Precompiled_/.test(symbol) || (symbol === demangled && /^(?:\$[sS]|_T[0A-Z])/.test(symbol))
}

/** The debug information of one file: its units, and the names of their entries. */
export class DwarfFile {
  readonly sections: DwarfSections
  readonly units: readonly Unit[]
  readonly #abbreviations = new WeightedCache<Abbreviations>(1000)
  #supplement: DwarfFile | undefined

  constructor(sections: DwarfSections) {
    this.sections = sections
    this.units = listUnits(sections.info)
  }

  /** The linkage name demangled, else the name, of an entry or of what it is an instance of. */
  nameOf(from: Unit, fromEntry: UnitEntry, start: number): string | undefined {
    let name: string | undefined
    let offset: number | undefined = start
    let file: DwarfFile = this
    for (let step = 0; step < MAX_CHAIN && offset !== undefined; step++) {
      const isHere: boolean = file === this && offset >= from.firstEntry && offset < from.end
      const unit: Unit | undefined = isHere ? from : file.#unitHolding(offset)
      if (!unit) break
      const entry = isHere ? fromEntry : readUnitEntry(file.sections, unit, file.abbreviationsOf(unit))
      const values: Map<number, FormValue> = file.#attributesAt(unit, offset)
      const { sections } = file
      const text = (attribute: number) => textOf(sections, unit, entry, values.get(attribute))
      const linkage = text(AT.linkageName) ?? text(AT.mipsLinkageName)
      name ??= text(AT.name)
      if (linkage !== undefined) {
        const demangled = demangle(linkage)
        return name !== undefined && isWorse(linkage, demangled) ? name : demangled
      }
      const next: FormValue | undefined = values.get(AT.abstractOrigin) ?? values.get(AT.specification)
      if (next && SUPPLEMENT.has(next.form)) {
        const supplement = file.#supplementOf()
        if (!supplement) break
        file = supplement
        offset = next.value
      } else offset = next && targetOf(unit, next)
    }
    return name === undefined ? undefined : demangle(name)
  }

  #supplementOf(): DwarfFile | undefined {
    const { supplement } = this.sections
    this.#supplement ??= supplement && new DwarfFile(supplement)
    return this.#supplement
  }

  abbreviationsOf(unit: Unit): Abbreviations {
    const key = String(unit.abbreviationsOffset)
    let abbreviations = this.#abbreviations.get(key)
    if (!abbreviations) {
      abbreviations = readAbbreviations(this.sections.abbrev, unit.abbreviationsOffset)
      this.#abbreviations.set(key, abbreviations, 1)
    }
    return abbreviations
  }

  #attributesAt(unit: Unit, offset: number): Map<number, FormValue> {
    const table = this.abbreviationsOf(unit)
    return reading(
      this.sections.info,
      offset,
      (cursor) => {
        const abbreviation = table.get(cursor.uleb())
        return abbreviation ? readAttributes(cursor, offset, abbreviation, unit) : new Map<number, FormValue>()
      },
      512,
    )
  }

  #unitHolding(offset: number): Unit | undefined {
    const unit = this.units[firstAbove(this.units.length, (index) => (this.units[index] as Unit).end > offset)]
    return unit && offset >= unit.firstEntry ? unit : undefined
  }
}
