import { BinaryError, type BinarySource } from '@symup/core/internal'
import { firstAbove } from '../first-above.ts'
import { Cursor } from './cursor.ts'
import { type HiddenNames, isHiddenName } from './hidden-names.ts'

/** Names of addresses, for code without debug information. */
export interface SymbolTable {
  /** The symbol that holds an address. */
  at(address: number): NativeSymbol | undefined
  /** Where the symbol of a name is; looks through the first half million by address. */
  addressOf(name: string): number | undefined
}

interface NativeSymbol {
  /** Mangled. */
  name: string
  /** Source file of a local symbol, without its directory. */
  file?: string
}

export const NO_SYMBOLS: SymbolTable = { at: () => undefined, addressOf: () => undefined }

export interface ElfSymbolPlace {
  source: BinarySource
  offset: number
  size: number
  namesOffset: number
  namesSize: number
  bits: 32 | 64
  little: boolean
  machine: number
}

const MAX_SYMBOLS = 8_000_000
const MAX_NAME = 64 * 1024
/** Symbols whose names are read to find one: takes half a second. */
const MAX_SEARCHED = 500_000
const EM_MIPS = 8
const EM_ARM = 40
const EM_AARCH64 = 183
const EM_RISCV = 243
const FUNCTION = 2
const SOURCE_FILE = 4
export const NO_FILE = 0xffffffff
/** No type, object, function, indirect function: what code can have as its name. */
const TYPES_OF_CODE = new Set([0, 1, FUNCTION, 10])
const STEP = 24 * 16 * 1024

/** The symbols of one table, or of several of the same file. */
export function readElfSymbols(places: readonly ElfSymbolPlace[]): SymbolTable {
  const count = places.reduce((sum, place) => sum + countOf(place), 0)
  // Names of a later table are numbered after those of the ones before it.
  const starts = places.map((_, index) => places.slice(0, index).reduce((sum, { namesSize }) => sum + namesSize, 0))
  const symbols = new Symbols(count, (name) => {
    const index = starts.findLastIndex((start) => start <= name)
    const { source, namesOffset, namesSize } = places[index] as ElfSymbolPlace
    return nameIn(source, namesOffset, namesSize, name - (starts[index] as number))
  })
  for (const [index, place] of places.entries()) takeElfSymbols(place, symbols, starts[index] as number)
  return symbols.sorted()
}

function countOf({ source, offset, size, bits }: ElfSymbolPlace): number {
  return Math.floor(Math.max(0, Math.min(size, source.size - offset)) / (bits === 64 ? 24 : 16))
}

function takeElfSymbols(place: ElfSymbolPlace, symbols: Symbols, namesStart: number): void {
  const { source, offset, namesOffset, namesSize, bits, little, machine } = place
  const entryBytes = bits === 64 ? 24 : 16
  const count = countOf(place)
  const clearsLowestBit = machine === EM_ARM || machine === EM_MIPS
  let file = NO_FILE
  for (let from = 0; from < count * entryBytes; from += STEP) {
    const cursor = new Cursor(source.read(offset + from, Math.min(STEP, count * entryBytes - from)), little)
    while (!cursor.isAtEnd) {
      const name = cursor.u32()
      let value = 0
      let bytes = 0
      if (bits === 32) {
        value = cursor.u32()
        bytes = cursor.u32()
      }
      const info = cursor.u8()
      const type = info & 0xf
      const isLocal = info >> 4 === 0
      cursor.skip(1)
      const section = cursor.u16()
      if (bits === 64) {
        value = cursor.u64()
        bytes = cursor.u64()
      }
      // It stands before the local symbols of the file that it names.
      if (type === SOURCE_FILE) file = namesStart + name
      // Undefined, or absolute.
      if (section === 0 || section === 0xfff1 || !TYPES_OF_CODE.has(type)) continue
      if (type === 0 && isMark(nameIn(source, namesOffset, namesSize, name), machine)) continue
      // The lowest bit of a function's address marks Thumb code.
      symbols.add(
        clearsLowestBit && type === FUNCTION ? value - (value % 2) : value,
        bytes,
        namesStart + name,
        isLocal ? file : NO_FILE,
      )
    }
  }
}

/** `$a`, `$d`, `$x` … tell code from data and name nothing. */
function isMark(name: string | undefined, machine: number): boolean {
  if (!name) return true
  if (machine === EM_ARM) return /^\$[adt]/.test(name)
  if (machine === EM_AARCH64) return /^\$[dx]/.test(name)
  return machine === EM_RISCV && /^(?:\$[dx]|\.L)/.test(name)
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
    // C's leading underscore is not part of the name.
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
  return symbols.sorted()
}

function nameIn(source: BinarySource, offset: number, size: number, at: number): string | undefined {
  if (at >= size) return undefined
  for (let length = 256; ; length *= 16) {
    const bytes = source.read(offset + at, Math.min(length, size - at))
    const end = bytes.indexOf(0)
    if (end !== -1) return bytes.toString('utf8', 0, end)
    if (length >= MAX_NAME || bytes.length < length) return bytes.toString('utf8')
  }
}

/** Addresses, sizes and name offsets (or numbers) in columns; a name is read when it is asked for. */
export class Symbols {
  readonly #addresses: Float64Array
  readonly #sizes: Float64Array
  readonly #names: Uint32Array
  /** Offset of the name of the source file, or {@link NO_FILE}. */
  readonly #files: Uint32Array
  readonly #nameOf: (name: number) => string | undefined
  #count = 0

  constructor(max: number, nameOf: (name: number) => string | undefined) {
    if (max > MAX_SYMBOLS) throw new BinaryError('damaged', 'its symbol table is too large')
    this.#addresses = new Float64Array(max)
    this.#sizes = new Float64Array(max)
    this.#names = new Uint32Array(max)
    this.#files = new Uint32Array(max)
    this.#nameOf = nameOf
  }

  add(address: number, size: number, name: number, file: number): void {
    this.#addresses[this.#count] = address
    this.#sizes[this.#count] = size
    this.#files[this.#count] = file
    this.#names[this.#count++] = name
  }

  /** Of several symbols at one address the largest counts, and the last of equal ones. */
  sorted(): SymbolTable {
    const addresses = this.#addresses
    const sizes = this.#sizes
    const order = Uint32Array.from({ length: this.#count }, (_, index) => index).sort(
      (a, b) =>
        (addresses[a] as number) - (addresses[b] as number) || (sizes[a] as number) - (sizes[b] as number) || a - b,
    )
    return {
      addressOf: (name) => {
        const searched = order.subarray(0, MAX_SEARCHED)
        const symbol = searched.find((index) => this.#nameOf(this.#names[index] as number) === name)
        return symbol === undefined ? undefined : addresses[symbol]
      },
      at: (address) => {
        const above = firstAbove(order.length, (index) => (addresses[order[index] as number] as number) > address)
        const symbol = order[above - 1]
        if (symbol === undefined) return undefined
        const size = sizes[symbol] as number
        if (size !== 0 && (addresses[symbol] as number) + size <= address) return undefined
        const name = this.#nameOf(this.#names[symbol] as number)
        if (!name) return undefined
        const file = this.#files[symbol] as number
        const fileName = file === NO_FILE ? undefined : this.#nameOf(file)
        return { name, ...(fileName && { file: fileName }) }
      },
    }
  }
}
