import { BinaryError, type BinarySource, readElfLayout } from '@symup/core/resolving'
import type { Companions } from './companions.ts'
import { DwarfFile } from './dwarf-file.ts'
import { openSectionNow } from './elf-sections.ts'
import { type PackageIndex, readPackageIndex } from './package-index.ts'
import { paged, type Section } from './section.ts'
import { type DwarfSections, readUnitEntry, type Unit, type UnitEntry } from './unit.ts'

export interface SplitUnit {
  file: DwarfFile
  unit: Unit
  entry: UnitEntry
}

/** The maximum number of open files. A build has one `.dwo` file per source file. */
const MAX_OPEN = 32
const NAMES = {
  info: 'info.dwo',
  abbrev: 'abbrev.dwo',
  str: 'str.dwo',
  strOffsets: 'str_offsets.dwo',
  rangeLists: 'rnglists.dwo',
} as const
/** The size in bytes of the header before the range lists, keyed by offset size. */
const RANGE_LISTS_HEADER = { 4: 12, 8: 20 } as const

type SplitSections = Partial<Record<keyof typeof NAMES, Section>>

interface Package {
  sections: SplitSections
  index: PackageIndex
}

/** Finds the split units (`-gsplit-dwarf`) of skeleton units, either in the `.dwp` file or in `.dwo` files. */
export class SplitUnits {
  readonly #companions: Companions
  readonly #skeleton: DwarfSections
  /** The open split units, keyed by the offset of their skeleton unit. The least recently used unit comes first. */
  readonly #open = new Map<number, SplitUnit & { close(): void }>()
  readonly #missing = new Set<number>()
  #package: Package | undefined
  #packageSource: BinarySource | undefined

  constructor(skeleton: DwarfSections, companions: Companions) {
    this.#skeleton = skeleton
    this.#companions = companions
    const source = companions.package()
    if (!source) return
    try {
      this.#package = this.#openPackage(source)
      this.#packageSource = source
    } catch (error) {
      source.close()
      if (!(error instanceof BinaryError)) throw error
    }
  }

  /** @returns undefined if no file contains the split unit. */
  find(skeleton: Unit, { splitName, splitId, ...entry }: UnitEntry): SplitUnit | undefined {
    if (splitName === undefined || splitId === undefined || this.#missing.has(skeleton.offset)) return undefined
    const { offset } = skeleton
    const found = this.#open.get(offset) ?? this.#inPackage(entry, splitId) ?? this.#inFile(entry, splitName, splitId)
    if (!found) {
      this.#missing.add(offset)
      return undefined
    }
    this.#open.delete(offset)
    this.#open.set(offset, found)
    if (this.#open.size > MAX_OPEN) this.#closeOldest()
    return found
  }

  close(): void {
    while (this.#open.size > 0) this.#closeOldest()
    this.#packageSource?.close()
  }

  #closeOldest(): void {
    const [oldest, unit] = this.#open.entries().next().value as [number, SplitUnit & { close(): void }]
    this.#open.delete(oldest)
    unit.close()
  }

  #openPackage(source: BinarySource): Package {
    const { layout, sections } = this.#sectionsOf(source)
    const index = openSectionNow(source, layout, 'cu_index', this.#skeleton.work)
    if (!index) throw new BinaryError('other-format', 'The .dwp file does not contain an index of its units.')
    return { sections, index: readPackageIndex(index) }
  }

  #inPackage(skeleton: UnitEntry, splitId: number) {
    const found = this.#package?.index(splitId)
    if (!found) return undefined
    const { sections } = this.#package as Package
    const parts: SplitSections = {}
    try {
      for (const name of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
        const place = found[name]
        const part = place ? sections[name]?.part(place.offset, place.size) : sections[name]
        if (part) parts[name] = part
      }
      return this.#unitIn(parts, skeleton, splitId, () => undefined)
    } catch (error) {
      if (!(error instanceof BinaryError)) throw error
      return undefined
    }
  }

  #inFile(skeleton: UnitEntry, name: string, splitId: number) {
    for (const source of this.#companions.split(name, skeleton.compilationDirectory)) {
      try {
        const { sections } = this.#sectionsOf(source)
        const found = this.#unitIn(sections, skeleton, splitId, source.close)
        if (found) return found
      } catch (error) {
        if (!(error instanceof BinaryError)) throw error
      }
      source.close()
    }
    return undefined
  }

  #sectionsOf(file: BinarySource) {
    const source = paged(file)
    const layout = readElfLayout(source)
    const sections: SplitSections = {}
    for (const [key, name] of Object.entries(NAMES) as [keyof SplitSections, string][]) {
      const section = openSectionNow(source, layout, name, this.#skeleton.work)
      if (section) sections[key] = section
    }
    return { layout, sections }
  }

  /**
   * The addresses come from the skeleton's file, because the split file does not contain any. In DWARF 4, the ranges also come from the
   * skeleton's file.
   */
  #unitIn({ info, abbrev, ...rest }: SplitSections, skeleton: UnitEntry, splitId: number, close: () => void) {
    if (!info || !abbrev) return undefined
    const { work, addr, ranges, supplement, code } = this.#skeleton
    const file = new DwarfFile({
      ...rest,
      ...{ work, info, abbrev },
      ...(addr && { addr }),
      ...(ranges && { ranges }),
      ...(supplement && { supplement }),
      ...(code && { code }),
    })
    for (const unit of file.units) {
      const own = readUnitEntry(file.sections, unit)
      if (own.splitId !== splitId) continue
      const { addressBase, rangeListsBase: rangesBase, lowPc } = skeleton
      const rangeListsBase = own.rangeListsBase || RANGE_LISTS_HEADER[unit.offsetBytes === 8 ? 8 : 4]
      const entry = { ...own, addressBase, rangeListsBase, ...(lowPc !== undefined && { lowPc }) }
      return { file, unit, entry: unit.version < 5 ? { ...entry, rangesBase } : entry, close }
    }
    return undefined
  }
}
