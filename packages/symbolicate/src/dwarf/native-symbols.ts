import type { BinarySource } from '@symup/core/internal'
import { isBreakpad, openBreakpad } from '../breakpad/breakpad-symbols.ts'
import { WeightedCache } from '../cache.ts'
import { demangle } from '../demangle/demangle.ts'
import { type Abbreviations, readAbbreviations, reading } from './abbreviations.ts'
import { AT } from './constants.ts'
import { firstAbove, type LineTable, readLineTable } from './line-program.ts'
import type { NativeFrame, NativeSymbols } from './native-frame.ts'
import { openObjectFile, type SliceChoice } from './object-file.ts'
import { readSubroutines, type Subroutine, type Subroutines } from './subroutines.ts'
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
import { indexUnits, type UnitIndex } from './unit-index.ts'

/*
 * Why DWARF is read here and not by a library: npm has none for native files that is kept. `@vscode/dwarf-debugging` and
 * `@membrane/wasm-stack-trace` read WebAssembly only, `@electron/symbolicate-mac` and `@indutny/breakpad` read Breakpad's text form,
 * `macho`, `macho-uuid`, `fatmacho` and `elfy` stop at headers and want the whole file in memory.
 */

const CACHED_BYTES = 64 * 1024 * 1024
const MAX_CHAIN = 16
const MAX_INLINED = 500

/** Whether the debug information's name reads better: Dart's spelling in symbol tables, or a Swift name that cannot be demangled. */
function isWorse(symbol: string, demangled: string): boolean {
  return /^Precompiled_/.test(symbol) || (symbol === demangled && /^\$[sS]/.test(symbol))
}

/**
 * Opens an ELF, Mach-O, WebAssembly or Breakpad file for lookups. Units are read when an address falls into them and at most 64 MiB of them are kept.
 * @throws BinaryError when it is none of them, cut short or damaged.
 */
export async function openNativeSymbols(source: BinarySource, choice: SliceChoice = {}): Promise<NativeSymbols> {
  if (isBreakpad(source.read(0, 16))) return openBreakpad(source)
  const object = await openObjectFile(source, choice)
  const lines = object.dwarf && new DebugInfo(object.dwarf)
  const { format, arch, textAddress } = object
  return {
    format,
    arch,
    ...(object.id !== undefined && { id: object.id }),
    textAddress,
    hasDebugInfo: lines !== undefined,
    lookUp(address) {
      const frames = lines?.lookUp(address) ?? []
      // The symbol table knows the name under which the linker kept a function that was folded with others.
      const symbol = object.symbols().at(address)
      if (!symbol) return frames
      if (frames.length === 0) frames.push({})
      let outermost = frames.at(-1) as NativeFrame
      if (outermost.missing !== undefined) {
        // The line may as well be of a function that was inlined: paired with the outer one it would be wrong.
        outermost = { missing: outermost.missing }
        frames.splice(0, frames.length, outermost)
      }
      const name = demangle(symbol.name)
      if (outermost.function === undefined || !isWorse(symbol.name, name)) outermost.function = name
      if (symbol.file !== undefined) outermost.file ??= symbol.file
      return frames
    },
    addressOf: (name) => object.symbols().addressOf(name),
    close: object.close,
  }
}

interface LoadedUnit {
  entry: UnitEntry
  lines: LineTable | undefined
  subroutines: Subroutines
}

/** The compilation units of a file, by address. */
class DebugInfo {
  readonly #sections: DwarfSections
  readonly #units: Unit[]
  readonly #loaded = new WeightedCache<LoadedUnit>(CACHED_BYTES)
  readonly #abbreviations = new WeightedCache<Abbreviations>(1000)
  #index: UnitIndex | undefined

  constructor(sections: DwarfSections) {
    this.#sections = sections
    sections.work.restart()
    this.#units = listUnits(sections.info)
  }

  lookUp(address: number): NativeFrame[] {
    this.#sections.work.restart()
    this.#index ??= indexUnits(this.#sections, this.#units)
    for (const unit of this.#index.unitsAt(address)) {
      const frames = this.#framesIn(unit, address)
      if (frames.length > 0) return frames
    }
    return []
  }

  #framesIn(unit: Unit, address: number): NativeFrame[] {
    const { entry, lines, subroutines } = this.#load(unit)
    const row = lines?.positionAt(address)
    const chain: Subroutine[] = []
    for (
      let at = subroutines.at(address);
      at && chain.length < MAX_INLINED;
      at = at.isInlined ? at.parent : undefined
    ) {
      chain.push(at)
    }
    if (!row && chain.length === 0) return []
    let place = { file: row?.file, line: row?.line, column: row?.column }
    const frames = (chain.length === 0 ? [undefined] : chain).map((subroutine) => {
      const name = subroutine && this.#nameOf(unit, entry, subroutine.offset)
      const file = place.file === undefined ? undefined : lines?.pathOf(place.file)
      const frame: NativeFrame = {
        ...(name !== undefined && { function: name }),
        ...(file !== undefined && { file }),
        ...(place.line !== undefined && { line: place.line }),
        ...(place.column !== undefined && place.column > 0 && { column: place.column }),
      }
      if (entry.splitName !== undefined && subroutines.isEmpty) frame.missing = entry.splitName
      if (subroutine) place = { file: subroutine.callFile, line: subroutine.callLine, column: subroutine.callColumn }
      return frame
    })
    return frames
  }

  #load(unit: Unit): LoadedUnit {
    const key = String(unit.offset)
    const cached = this.#loaded.get(key)
    if (cached) return cached
    const entry = readUnitEntry(this.#sections, unit)
    const lines = readLineTable(this.#sections, unit, entry)
    const subroutines = readSubroutines(this.#sections, unit, entry)
    const loaded = { entry, lines, subroutines }
    this.#loaded.set(key, loaded, (lines?.weight ?? 0) + subroutines.weight + 1000)
    return loaded
  }

  /** The linkage name demangled, else the name, of an entry or of what it is an instance of. */
  #nameOf(from: Unit, fromEntry: UnitEntry, start: number): string | undefined {
    let name: string | undefined
    let offset: number | undefined = start
    for (let step = 0; step < MAX_CHAIN && offset !== undefined; step++) {
      const isHere: boolean = offset >= from.firstEntry && offset < from.end
      const unit: Unit | undefined = isHere ? from : this.#unitHolding(offset)
      if (!unit) break
      const entry = isHere ? fromEntry : readUnitEntry(this.#sections, unit)
      const values = this.#attributesAt(unit, offset)
      const text = (attribute: number) => textOf(this.#sections, unit, entry, values.get(attribute))
      const linkage = text(AT.linkageName) ?? text(AT.mipsLinkageName)
      name ??= text(AT.name)
      if (linkage !== undefined) {
        const demangled = demangle(linkage)
        return name !== undefined && isWorse(linkage, demangled) ? name : demangled
      }
      const next: FormValue | undefined = values.get(AT.abstractOrigin) ?? values.get(AT.specification)
      offset = next && targetOf(unit, next)
    }
    return name === undefined ? undefined : demangle(name)
  }

  #attributesAt(unit: Unit, offset: number): Map<number, FormValue> {
    const key = String(unit.abbreviationsOffset)
    let abbreviations = this.#abbreviations.get(key)
    if (!abbreviations) {
      abbreviations = readAbbreviations(this.#sections.abbrev, unit.abbreviationsOffset)
      this.#abbreviations.set(key, abbreviations, 1)
    }
    const table = abbreviations
    return reading(
      this.#sections.info,
      offset,
      (cursor) => {
        const abbreviation = table.get(cursor.uleb())
        return abbreviation ? readAttributes(cursor, offset, abbreviation, unit) : new Map<number, FormValue>()
      },
      512,
    )
  }

  #unitHolding(offset: number): Unit | undefined {
    const unit = this.#units[firstAbove(this.#units.length, (index) => (this.#units[index] as Unit).end > offset)]
    return unit && offset >= unit.firstEntry ? unit : undefined
  }
}
