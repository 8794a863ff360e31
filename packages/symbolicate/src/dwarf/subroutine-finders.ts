import { RangeMap } from './range-map.ts'

/** `declaration`: it only declares, as of functions that were inlined everywhere, and of templates. */
export type SubroutineKind = 'function' | 'inlined' | 'declaration'

/** A function, or one that the compiler copied into another. */
export class Subroutine {
  /** Of its entry in `.debug_info`. */
  readonly offset: number
  /** The subroutine that it stands in. */
  readonly parent: Subroutine | undefined
  readonly isInlined: boolean
  readonly hasCode: boolean
  /** Where the entries below it end. */
  end: number
  /** Address at which its code begins; 0 of what has none, or has it in several pieces. */
  low = 0
  callFile = 0
  callLine = 0
  callColumn = 0

  constructor(kind: SubroutineKind, offset: number, parent?: Subroutine) {
    this.offset = offset
    this.parent = parent
    this.isInlined = kind === 'inlined'
    this.hasCode = kind !== 'declaration'
    this.end = offset
  }

  /** Where the outer one calls it; only when inlined. */
  calledFrom(file: number, line: number, column: number): this {
    this.callFile = file
    this.callLine = line
    this.callColumn = column
    return this
  }
}

/** Questions that are answered by looking through all ranges, before they are put in order: that takes as long as many such searches. */
const MAX_SEARCHED = 16

/** Stands for every subroutine that a search does not want. */
export const OTHER = new Subroutine('function', 0)

/** Takes the subroutines of a part of a unit as they are read, outer ones before those in them, and answers for addresses. */
export interface Finder {
  /** False of a search: what is not wanted gets no object of its own. */
  readonly keepsAll: boolean
  /** Whether there are entries that were not gone over. */
  hasSkipped: boolean
  /** Whether a subroutine with this range has to be told to {@link add}. */
  wants(low: number, high: number): boolean
  add(low: number, high: number, owner: Subroutine): void
}

/** All subroutines, by their ranges. */
export class AllSubroutines implements Finder {
  readonly keepsAll = true
  hasSkipped = false
  readonly #owners: Subroutine[] = []
  /** The ranges as they came, each with the index of its owner. */
  readonly #ranges: number[] = []
  #searched = 0
  #map: RangeMap | undefined

  wants(): boolean {
    return true
  }

  add(low: number, high: number, owner: Subroutine): void {
    if (this.#owners.at(-1) !== owner) this.#owners.push(owner)
    this.#ranges.push(low, high, this.#owners.length - 1)
  }

  at(address: number): Subroutine | undefined {
    if (!this.#map && this.#searched++ < MAX_SEARCHED) {
      const one = this.#search(address)
      if (!one.isUnsure) return one.found
    }
    this.#map ??= this.#mapped()
    return this.#owners[this.#map.at(address) ?? -1]
  }

  #search(address: number): OneSubroutine {
    const one = new OneSubroutine(address)
    const ranges = this.#ranges
    for (let at = 0; at < ranges.length; at += 3) {
      const low = ranges[at] as number
      const high = ranges[at + 1] as number
      if (one.wants(low, high)) one.add(low, high, this.#owners[ranges[at + 2] as number] as Subroutine)
    }
    return one
  }

  #mapped(): RangeMap {
    const map = new RangeMap()
    const ranges = this.#ranges
    for (let at = 0; at < ranges.length; at += 3) {
      map.add(ranges[at] as number, ranges[at + 1] as number, ranges[at + 2] as number)
    }
    return map
  }

  get isEmpty(): boolean {
    return this.#owners.length === 0
  }

  get weight(): number {
    return this.#owners.length * 130 + this.#ranges.length * 8 + (this.#map?.size ?? 0) * 24
  }
}

/** The subroutine of one address, as {@link AllSubroutines.at} has it, without keeping the others. */
export class OneSubroutine implements Finder {
  readonly keepsAll = false
  hasSkipped = false
  /** Ranges overlap in a way that only all of them tell. */
  isUnsure = false
  readonly #address: number
  /** The range that starts last at or before the address. */
  #low = Number.NEGATIVE_INFINITY
  #high = Number.NEGATIVE_INFINITY
  found: Subroutine | undefined

  constructor(address: number) {
    this.#address = address
  }

  /** Takes what it has to know of those whose owner is not wanted. */
  wants(low: number, high: number): boolean {
    if (low > this.#address) return false
    if (high > this.#address) return true
    if (low < this.#low) {
      if (high > this.#low) this.isUnsure = true
    } else if (low < this.#high && high < this.#high) this.#low = high
    else {
      this.#low = low
      this.#high = high
    }
    return false
  }

  add(low: number, high: number, owner: Subroutine): void {
    if (low < this.#low || (owner.isInlined && owner.parent === OTHER)) this.isUnsure = true
    this.#low = low
    this.#high = high
    this.found = owner
  }
}
