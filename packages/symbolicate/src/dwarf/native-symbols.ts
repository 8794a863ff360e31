import type { BinarySource } from '@symup/core/resolving'
import { demangle } from '@symup/demangle'
import { isBreakpad, openBreakpad } from '../breakpad/breakpad-symbols.ts'
import { WeightedCache } from '../cache.ts'
import type { Companions } from './companions.ts'
import { DwarfFile, isWorse } from './dwarf-file.ts'
import { type LineTable, readLineTable } from './line-table.ts'
import type { NativeFrame, NativeSymbols } from './native-frame.ts'
import { type OpenChoice, openObjectFile } from './object-file.ts'
import { SplitUnits } from './split-units.ts'
import type { Subroutine } from './subroutine-ranges.ts'
import { readSubroutines, type Subroutines } from './subroutines.ts'
import type { SymbolTable } from './symbol-table.ts'
import { type DwarfSections, readUnitEntry, type Unit, type UnitEntry } from './unit.ts'
import { indexUnits, type UnitIndex } from './unit-index.ts'

/*
 * symup has its own DWARF parser because npm has no maintained library that reads DWARF from native files. `@vscode/dwarf-debugging` and
 * `@membrane/wasm-stack-trace` read only WebAssembly. `@electron/symbolicate-mac` and `@indutny/breakpad` read only the text format of
 * Breakpad. `macho`, `macho-uuid`, `fatmacho` and `elfy` read only headers and load the whole file into memory.
 */

const CACHED_BYTES = 64 * 1024 * 1024
const MAX_INLINED = 500

/**
 * Opens an ELF, Mach-O, WebAssembly or Breakpad file for lookups. Units are read on demand, and up to 64 MiB of them are cached.
 * @throws BinaryError if the format is unknown, or if the file is truncated or damaged.
 */
export async function openNativeSymbols(source: BinarySource, choice: OpenChoice = {}): Promise<NativeSymbols> {
  if (isBreakpad(source.read(0, 16))) return openBreakpad(source)
  const object = await openObjectFile(source, choice)
  const lines = object.dwarf && new DebugInfo(object.dwarf, choice.companions)
  const { format, arch, textAddress, missingNames } = object
  let table: SymbolTable | undefined
  const symbols = () => (table ??= object.symbols())
  return {
    format,
    arch,
    ...(object.id !== undefined && { id: object.id }),
    textAddress,
    hasDebugInfo: lines !== undefined,
    get weight() {
      return object.inflated.memory + (lines?.weight ?? 0) + (table?.weight ?? 0)
    },
    diskBytes: object.inflated.disk,
    ...(missingNames !== undefined && { missingNames }),
    lookUp(address) {
      const symbol = symbols().at(address)
      const name = symbol && demangle(symbol.name)
      const frames = lines?.lookUp(address, name) ?? []
      // If the linker folded identical functions, the symbol table contains the name of only one of them.
      if (!symbol || name === undefined) return frames
      if (frames.length === 0) frames.push({})
      let outermost = frames.at(-1) as NativeFrame
      if (outermost.missing !== undefined) {
        // The line may belong to an inlined function, so the outer function is shown without a line.
        outermost = { missing: outermost.missing }
        frames.splice(0, frames.length, outermost)
      }
      if (outermost.function === undefined || !isWorse(symbol.name, name)) outermost.function = name
      if (symbol.file !== undefined) outermost.file ??= symbol.file
      return frames
    },
    addressOf: (name) => symbols().addressOf(name),
    close() {
      lines?.close()
      object.close()
    },
  }
}

interface LoadedUnit {
  entry: UnitEntry
  lines: LineTable | undefined
  subroutines: Subroutines
  split: boolean
}

class DebugInfo {
  readonly #file: DwarfFile
  readonly #splits: SplitUnits | undefined
  readonly #loaded = new WeightedCache<LoadedUnit>(CACHED_BYTES)
  #index: UnitIndex | undefined

  constructor(sections: DwarfSections, companions: Companions | undefined) {
    sections.work.restart()
    this.#file = new DwarfFile(sections)
    this.#splits = companions && new SplitUnits(sections, companions)
  }

  get weight(): number {
    return this.#loaded.weight + this.#file.weight + (this.#index?.weight ?? 0)
  }

  close(): void {
    this.#splits?.close()
  }

  /** @param name the function's name in the symbol table. If several units contain the address, the name determines the unit. */
  lookUp(address: number, name?: string): NativeFrame[] {
    const { sections, units } = this.#file
    sections.work.restart()
    this.#index ??= indexUnits(sections, units)
    let first: NativeFrame[] | undefined
    for (const unit of this.#index.unitsAt(address)) {
      const frames = this.#framesIn(unit, address)
      if (frames.length === 0) continue
      if (name === undefined || frames.at(-1)?.function === name) return frames
      first ??= frames
    }
    return first ?? []
  }

  #framesIn(unit: Unit, address: number): NativeFrame[] {
    const { entry, lines, subroutines, split } = this.#load(unit)
    const weight = () => (lines?.weight ?? 0) + subroutines.weight
    const before = weight()
    const chain: Subroutine[] = []
    for (
      let at = subroutines.at(address);
      at && chain.length < MAX_INLINED;
      at = at.isInlined ? at.parent : undefined
    ) {
      chain.push(at)
    }
    const row = lines?.positionAt(address, chain.at(-1)?.low)
    this.#loaded.reweigh(String(unit.offset), weight() - before)
    if (!row && chain.length === 0) return []
    const named = (split && this.#splits?.find(unit, entry)) || { file: this.#file, unit, entry }
    let place = { file: row?.file, line: row?.line, column: row?.column }
    const frames = (chain.length === 0 ? [undefined] : chain).map((subroutine) => {
      const name = subroutine && named.file.nameOf(named.unit, named.entry, subroutine.offset)
      const file = place.file === undefined ? undefined : lines?.pathOf(place.file)
      const frame: NativeFrame = {
        ...(name !== undefined && { function: name }),
        ...(file !== undefined && { file }),
        ...(place.line !== undefined && { line: place.line }),
        ...(place.column !== undefined && place.column > 0 && { column: place.column }),
      }
      if (entry.splitName !== undefined && subroutines.isEmpty()) frame.missing = entry.splitName
      if (subroutine) place = { file: subroutine.callFile, line: subroutine.callLine, column: subroutine.callColumn }
      return frame
    })
    // The Swift compiler inlines generated code that has neither a name nor a line number.
    return frames.filter((frame, index) => frame.function !== undefined || frame.line || index === frames.length - 1)
  }

  #load(unit: Unit): LoadedUnit {
    const key = String(unit.offset)
    const cached = this.#loaded.get(key)
    if (cached) return cached
    const { sections } = this.#file
    const abbreviations = this.#file.abbreviationsOf(unit)
    const entry = readUnitEntry(sections, unit, abbreviations)
    const lines = readLineTable(sections, unit, entry)
    const split = this.#splits?.find(unit, entry)
    const subroutines = split
      ? readSubroutines(split.file.sections, split.file.abbreviationsOf(split.unit), split.unit, split.entry)
      : readSubroutines(sections, abbreviations, unit, entry)
    const loaded = { entry, lines, subroutines, split: split !== undefined }
    this.#loaded.set(key, loaded, (lines?.weight ?? 0) + subroutines.weight + 1000)
    return loaded
  }
}
