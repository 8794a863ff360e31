import { BinaryError, type BinarySource, uleb, type WasmLayout, type WasmRange } from '@symup/core/resolving'
import { NO_FILE, NO_SYMBOLS, Symbols, type SymbolTable } from './symbol-table.ts'

const MAX_FUNCTIONS = 8_000_000
const MAX_NAMES = 512 * 1024 * 1024
const FUNCTION_NAMES = 1
const FUNCTION_IMPORT = 0
/** The type prefixes of `(ref null …)` and `(ref …)`. */
const REFERENCES = [0x63, 0x64]
/** The approximate memory usage per name in bytes, excluding its characters. */
const ENTRY_BYTES = 50

/**
 * Returns the functions of a module, with their names from the name section. Addresses are relative to the start of the code section's
 * content.
 */
export function wasmSymbols(source: BinarySource, { custom, code, imports }: WasmLayout): SymbolTable {
  if (!code) return NO_SYMBOLS
  const names = namesOf(source, custom.get('name'))
  const bodies = new Reader(source, code)
  const count = bodies.number()
  if (count > MAX_FUNCTIONS) throw new BinaryError('damaged', 'The file has too many functions.')
  const nameBytes = [...names.values()].reduce((sum, { length }) => sum + ENTRY_BYTES + length, 0)
  const symbols = new Symbols(count, (index) => names.get(index), { nameBytes })
  const imported = imports ? importedFunctions(new Reader(source, imports)) : 0
  for (let index = 0; index < count; index++) {
    const start = bodies.at
    const size = bodies.number()
    bodies.skip(size)
    symbols.add(start, bodies.at - start, imported + index, NO_FILE)
  }
  return symbols
}

/** Returns the function names, keyed by function index. Imported functions have the lowest indexes. */
function namesOf(source: BinarySource, section: WasmRange | undefined): Map<number, string> {
  const names = new Map<number, string>()
  if (!section || section.size > MAX_NAMES) return names
  const bytes = source.read(section.offset, section.size)
  for (let at = 0; at < bytes.length; ) {
    const kind = bytes[at]
    const size = uleb(bytes, at + 1)
    const end = size.next + size.value
    if (kind === FUNCTION_NAMES) {
      const count = uleb(bytes, size.next)
      at = count.next
      for (let index = 0; index < count.value && at < end; index++) {
        const number = uleb(bytes, at)
        const length = uleb(bytes, number.next)
        at = length.next + length.value
        names.set(number.value, bytes.toString('utf8', length.next, at))
      }
    }
    at = end
  }
  return names
}

function importedFunctions(reader: Reader): number {
  let functions = 0
  for (let left = reader.number(); left > 0; left--) {
    reader.skip(reader.number())
    reader.skip(reader.number())
    const kind = reader.number()
    if (kind === FUNCTION_IMPORT) {
      functions++
      reader.number()
    } else if (kind === 3) {
      skipType(reader)
      reader.skip(1)
    } else if (kind === 4) {
      reader.skip(1)
      reader.number()
    } else {
      // A table's type precedes its limits. If the lowest bit of the flags is set, the limits include a maximum.
      if (kind === 1) skipType(reader)
      const flags = reader.number()
      reader.number()
      if (flags & 1) reader.number()
    }
  }
  return functions
}

/** Skips a value type. A value type is either one byte or a reference followed by a type index. */
function skipType(reader: Reader): void {
  if (REFERENCES.includes(reader.number())) reader.number()
}

class Reader {
  at = 0
  readonly #source: BinarySource
  readonly #range: WasmRange

  constructor(source: BinarySource, range: WasmRange) {
    this.#source = source
    this.#range = range
  }

  number(): number {
    const { offset, size } = this.#range
    const { value, next } = uleb(this.#source.read(offset + this.at, Math.min(5, size - this.at)), 0)
    this.at += next
    return value
  }

  skip(bytes: number): void {
    this.at += bytes
    if (this.at > this.#range.size) throw new BinaryError('damaged', 'A section is shorter than its header declares.')
  }
}
