import { firstAbove } from '@symup/core/resolving'
import { demangle } from '@symup/demangle'
import { WeightedCache } from '../cache.ts'
import { type Abbreviations, readAbbreviations, reading } from './abbreviations.ts'
import { AT, FORM } from './constants.ts'
import type { Cursor } from './cursor.ts'
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
/**
 * The capacity of the cache for abbreviation tables. The limit is necessary because every unit in a hostile file can have a large table.
 */
const KEPT_TABLE_BYTES = 8 * 1024 * 1024
const SUPPLEMENT = new Set<number>([FORM.gnuRefAlternative, FORM.refSupplement4, FORM.refSupplement8])

/**
 * Returns whether the name in the debug information should be preferred to the symbol. This is the case for Dart's `Precompiled_` symbols
 * and for Swift names that could not be demangled.
 */
export function isWorse(symbol: string, demangled: string): boolean {
  return /^Precompiled_/.test(symbol) || (symbol === demangled && /^(?:\$[sS]|_T[0A-Z])/.test(symbol))
}

export class DwarfFile {
  readonly sections: DwarfSections
  readonly units: readonly Unit[]
  readonly #abbreviations = new WeightedCache<Abbreviations>(KEPT_TABLE_BYTES)
  #supplement: DwarfFile | undefined

  constructor(sections: DwarfSections) {
    this.sections = sections
    this.units = listUnits(sections.info)
  }

  /**
   * Returns the demangled linkage name of an entry or its abstract origin. If neither the entry nor its origin has a linkage name, the
   * plain `DW_AT_name` is returned.
   */
  nameOf(from: Unit, fromEntry: UnitEntry, start: number): string | undefined {
    let name: string | undefined
    let offset: number | undefined = start
    let file: DwarfFile = this
    for (let step = 0; step < MAX_CHAIN && offset !== undefined; step++) {
      const isInUnit: boolean = file === this && offset >= from.firstEntry && offset < from.end
      const unit: Unit | undefined = isInUnit ? from : file.#unitHolding(offset)
      if (!unit) break
      const entry = isInUnit ? fromEntry : readUnitEntry(file.sections, unit, file.abbreviationsOf(unit))
      const named: ReadonlyMap<number, FormValue> = file.#attributesAt(unit, offset)
      const linkage = textOf(file.sections, unit, entry, named.get(AT.linkageName) ?? named.get(AT.mipsLinkageName))
      name ??= textOf(file.sections, unit, entry, named.get(AT.name))
      if (linkage !== undefined) {
        const demangled = demangle(linkage)
        return name !== undefined && isWorse(linkage, demangled) ? name : demangled
      }
      const next: FormValue | undefined = named.get(AT.abstractOrigin) ?? named.get(AT.specification)
      if (next && SUPPLEMENT.has(next.form)) {
        const supplement = file.#supplementOf()
        if (!supplement) break
        file = supplement
        offset = next.value
      } else offset = next && targetOf(unit, next)
    }
    return name === undefined ? undefined : demangle(name)
  }

  get weight(): number {
    return this.#abbreviations.weight + (this.#supplement?.weight ?? 0)
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
      this.#abbreviations.set(key, abbreviations, abbreviations.weight)
    }
    return abbreviations
  }

  #attributesAt(unit: Unit, offset: number): ReadonlyMap<number, FormValue> {
    const table = this.abbreviationsOf(unit)
    const read = (cursor: Cursor) => readAttributes(cursor, offset, table.get(cursor.uleb()), unit)
    return reading(this.sections.info, offset, read, 512)
  }

  #unitHolding(offset: number): Unit | undefined {
    const unit = this.units[firstAbove(this.units.length, (index) => (this.units[index] as Unit).end > offset)]
    return unit && offset >= unit.firstEntry ? unit : undefined
  }
}
