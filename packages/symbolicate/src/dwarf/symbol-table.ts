import { BinaryError, type BinarySource } from '@symup/core/resolving'
import { Cursor } from './cursor.ts'
import { type HiddenNames, isHiddenName } from './hidden-names.ts'
import { readTerminated } from './section.ts'

export interface SymbolTable {
  at(address: number): NativeSymbol | undefined
  /** Returns the address of the symbol with the given name. Only the first 500,000 symbols are searched. */
  addressOf(name: string): number | undefined
  readonly weight: number
}

interface NativeSymbol {
  /** The mangled name of the symbol. */
  name: string
  /** The source file of a local symbol, without its directory. */
  file?: string
}

export const NO_SYMBOLS: SymbolTable = { at: () => undefined, addressOf: () => undefined, weight: 0 }

export interface ElfSymbolPlace {
  source: BinarySource
  offset: number
  size: number
  namesOffset: number
  namesSize: number
  bits: 32 | 64
  little: boolean
  machine: number
  /** The numbers of sections that are not loaded into memory, including 0. Symbols in these sections have offsets instead of addresses. */
  unloaded: ReadonlySet<number>
}

const MAX_SYMBOLS = 8_000_000
/** The maximum number of names to search. A search through that many names takes half a second. */
const MAX_SEARCHED = 500_000
const EM_MIPS = 8
const EM_ARM = 40
const EM_AARCH64 = 183
const EM_RISCV = 243
const FUNCTION = 2
const SOURCE_FILE = 4
export const NO_FILE = 0xffffffff
const TYPED = 0
const UNTYPED = 1
const NAMED = 2
const MARK = 3
const STEP = 24 * 16 * 1024

/** GNU ld appends a version to the names of exported functions. Stacks do not contain the version. */
const DEFAULT_VERSION = /(?<=.)@@[\w.-]+$/

export function readElfSymbols(places: readonly ElfSymbolPlace[]): SymbolTable {
  const count = places.reduce((sum, place) => sum + countOf(place), 0)
  // Name offsets continue from table to table, as if the name tables were concatenated.
  const starts = places.map((_, index) => places.slice(0, index).reduce((sum, { namesSize }) => sum + namesSize, 0))
  const symbols = new Symbols(
    count,
    (name) => {
      const index = starts.findLastIndex((start) => start <= name)
      const { source, namesOffset, namesSize } = places[index] as ElfSymbolPlace
      return nameIn(source, namesOffset, namesSize, name - (starts[index] as number))?.replace(DEFAULT_VERSION, '')
    },
    { marks: marksOf(places[0]?.machine) },
  )
  for (const [index, place] of places.entries()) takeElfSymbols(place, symbols, starts[index] as number)
  return symbols
}

function countOf({ source, offset, size, bits }: ElfSymbolPlace): number {
  return Math.floor(Math.max(0, Math.min(size, source.size - offset)) / (bits === 64 ? 24 : 16))
}

function takeElfSymbols(place: ElfSymbolPlace, symbols: Symbols, namesStart: number): void {
  const { source, offset, namesSize, bits, little, machine, unloaded } = place
  const entryBytes = bits === 64 ? 24 : 16
  const count = countOf(place)
  const clearsLowestBit = machine === EM_ARM || machine === EM_MIPS
  const infoAt = bits === 64 ? 4 : 12
  const valueAt = bits === 64 ? 8 : 4
  let file = NO_FILE
  for (let from = 0; from < count * entryBytes; from += STEP) {
    const bytes = source.read(offset + from, Math.min(STEP, count * entryBytes - from))
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const number = (at: number) => {
      if (bits === 32) return view.getUint32(at, little)
      return view.getUint32(little ? at + 4 : at, little) * 2 ** 32 + view.getUint32(little ? at : at + 4, little)
    }
    for (let at = 0; at + entryBytes <= bytes.length; at += entryBytes) {
      const name = view.getUint32(at, little)
      const info = view.getUint8(at + infoAt)
      const type = info & 0xf
      // A symbol for a source file precedes the local symbols from that file.
      if (type === SOURCE_FILE) file = namesStart + name
      const section = view.getUint16(at + infoAt + 2, little)
      // Skip symbols that are undefined, not loaded or absolute.
      if (unloaded.has(section) || section === 0xfff1 || !isTypeOfCode(type) || name >= namesSize) continue
      const value = number(at + valueAt)
      const isLocal = info >> 4 === 0
      // In ARM and MIPS files, the lowest bit of a function's address marks compressed instruction sets such as Thumb.
      symbols.add(
        clearsLowestBit && type === FUNCTION ? value - (value % 2) : value,
        number(at + valueAt + bits / 8),
        namesStart + name,
        isLocal ? file : NO_FILE,
        type === 0,
      )
    }
  }
}

/**
 * Returns the pattern for untyped symbols such as `$a`, `$d` and `$x`, which only mark where code or data starts. A library can have one
 * such mapping symbol per function.
 */
function marksOf(machine: number | undefined): RegExp | undefined {
  if (machine === EM_ARM) return /^\$[adt]/
  if (machine === EM_AARCH64) return /^\$[dx]/
  return machine === EM_RISCV ? /^(?:\$[dx]|\.L)/ : undefined
}

export interface MachOSymbolPlace {
  source: BinarySource
  offset: number
  count: number
  namesOffset: number
  namesSize: number
  bits: 32 | 64
  little: boolean
  hiddenNames?: HiddenNames
}

export function readMachOSymbols(place: MachOSymbolPlace): SymbolTable {
  const { source, offset, namesOffset, namesSize, bits, little, hiddenNames } = place
  const entryBytes = bits === 64 ? 16 : 12
  const count = Math.min(place.count, Math.floor(Math.max(0, source.size - offset) / entryBytes))
  const symbols = new Symbols(count, (at) => {
    const stored = nameIn(source, namesOffset, namesSize, at)
    const name = stored && (hiddenNames?.nameOf(stored) ?? stored)
    // C symbols in Mach-O files have an additional underscore at the start.
    return name && (isHiddenName(name) ? name : name.replace(/^_/, ''))
  })
  for (let from = 0; from < count * entryBytes; from += STEP) {
    const cursor = new Cursor(source.read(offset + from, Math.min(STEP, count * entryBytes - from)), little)
    while (!cursor.isAtEnd) {
      const name = cursor.u32()
      const type = cursor.u8()
      cursor.skip(3)
      const value = cursor.sized(bits / 8)
      const isDefinedInSection = (type & 0xe0) === 0 && (type & 0x0e) === 0x0e
      if (isDefinedInSection) symbols.add(value, 0, name, NO_FILE)
    }
  }
  return symbols
}

function nameIn(source: BinarySource, offset: number, size: number, at: number): string | undefined {
  if (at >= size) return undefined
  return readTerminated((length) => source.read(offset + at, Math.min(length, size - at)))
}

/** Stores addresses, sizes and name offsets (or name numbers) in typed arrays. Names are read on demand. */
export class Symbols implements SymbolTable {
  readonly #addresses: Float64Array
  readonly #sizes: Float64Array
  readonly #names: Uint32Array
  readonly #files: Uint32Array
  readonly #kinds: Uint8Array
  readonly #nameOf: (name: number) => string | undefined
  readonly #marks: RegExp | undefined
  #count = 0
  readonly #nameBytes: number

  /**
   * @param nameBytes the memory used by the names that `nameOf` keeps, in bytes.
   * @param marks matches the names of untyped symbols to ignore.
   */
  constructor(
    max: number,
    nameOf: (name: number) => string | undefined,
    { nameBytes = 0, marks }: { nameBytes?: number; marks?: RegExp | undefined } = {},
  ) {
    if (max > MAX_SYMBOLS) throw new BinaryError('damaged', 'The symbol table is too large.')
    this.#addresses = new Float64Array(max)
    this.#sizes = new Float64Array(max)
    this.#names = new Uint32Array(max)
    this.#files = new Uint32Array(max)
    this.#kinds = new Uint8Array(max)
    this.#nameOf = nameOf
    this.#marks = marks
    this.#nameBytes = nameBytes
  }

  add(address: number, size: number, name: number, file: number, isUntyped = false): void {
    this.#kinds[this.#count] = isUntyped ? UNTYPED : TYPED
    this.#addresses[this.#count] = address
    this.#sizes[this.#count] = size
    this.#files[this.#count] = file
    this.#names[this.#count++] = name
  }

  get weight(): number {
    const columns = [this.#addresses, this.#sizes, this.#names, this.#files, this.#kinds]
    return this.#nameBytes + columns.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  addressOf(name: string): number | undefined {
    const searched = Math.min(this.#count, MAX_SEARCHED)
    for (let index = 0; index < searched; index++) {
      if (this.#nameOf(this.#names[index] as number) === name) return this.#addresses[index]
    }
    return undefined
  }

  at(address: number): NativeSymbol | undefined {
    const symbol = this.#lastBefore(address)
    if (symbol === undefined) return undefined
    const size = this.#sizes[symbol] as number
    if (size !== 0 && (this.#addresses[symbol] as number) + size <= address) return undefined
    const name = this.#nameOf(this.#names[symbol] as number)
    if (!name) return undefined
    const file = this.#files[symbol] as number
    const fileName = file === NO_FILE ? undefined : this.#nameOf(file)
    return { name, ...(fileName && { file: fileName }) }
  }

  #lastBefore(address: number): number | undefined {
    const symbol = this.#nearest(address)
    if (symbol === undefined || !this.#isMark(symbol)) return symbol
    // A function can contain thousands of mapping symbols such as `$d`. Skipping them one at a time would take quadratic time.
    const named = this.#nearest(address, true)
    const from = named === undefined ? Number.NEGATIVE_INFINITY : (this.#addresses[named] as number)
    for (let index = 0; index < this.#count; index++) {
      const own = this.#addresses[index] as number
      if (this.#kinds[index] === UNTYPED && own >= from && own <= address) this.#isMark(index)
    }
    return this.#nearest(address)
  }

  /**
   * Returns the last symbol that starts at or before an address. If several symbols start at the same address, the largest one is returned.
   * The symbols are not sorted, because sorting takes as long as hundreds of searches.
   * @param skipsUnknown whether to skip untyped symbols whose names have not been read yet.
   */
  #nearest(address: number, skipsUnknown = false): number | undefined {
    let found: number | undefined
    let start = Number.NEGATIVE_INFINITY
    let size = 0
    for (let index = 0; index < this.#count; index++) {
      const own = this.#addresses[index] as number
      const kind = this.#kinds[index]
      if (own < start || own > address || kind === MARK || (skipsUnknown && kind === UNTYPED)) continue
      if (own === start && (this.#sizes[index] as number) < size) continue
      found = index
      start = own
      size = this.#sizes[index] as number
    }
    return found
  }

  /** Reads the name of the symbol on demand, because most names are never needed. */
  #isMark(symbol: number): boolean {
    if (this.#kinds[symbol] === UNTYPED) {
      const name = this.#nameOf(this.#names[symbol] as number)
      this.#kinds[symbol] = !name || this.#marks?.test(name) ? MARK : NAMED
    }
    return this.#kinds[symbol] === MARK
  }
}

function isTypeOfCode(type: number): boolean {
  return type <= FUNCTION || type === 10
}
