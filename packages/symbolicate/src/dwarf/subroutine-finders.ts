import { RangeMap } from './range-map.ts'

/** `declaration`: without code, such as abstract origins of inlined functions, and templates. */
export type SubroutineKind = 'function' | 'inlined' | 'declaration'

/** A function, or an inlined copy of one. */
export class Subroutine {
  /** Offset of its entry in `.debug_info`. */
  readonly offset: number
  /** The enclosing subroutine. */
  readonly parent: Subroutine | undefined
  readonly isInlined: boolean
  readonly hasCode: boolean
  /** End of its child entries. */
  end: number
  /** Start address of its code; 0 if it has none, or several ranges. */
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

  /** Call site in the enclosing subroutine, if inlined. */
  calledFrom(file: number, line: number, column: number): this {
    this.callFile = file
    this.callLine = line
    this.callColumn = column
    return this
  }
}

/** Represents all subroutines that a search does not need. */
export const OTHER = new Subroutine('function', 0)

/** Collects the subroutines of a part of a unit, outer ones first, and finds them by address. */
export interface Finder {
  /** False for a search: unneeded subroutines get no object. */
  readonly keepsAll: boolean
  /** Whether some entries were skipped. */
  hasSkipped: boolean
  /** Whether {@link add} needs a subroutine with this range. */
  wants(low: number, high: number): boolean
  add(low: number, high: number, owner: Subroutine): void
}

/** All subroutines, by range. */
export class AllSubroutines implements Finder {
  readonly keepsAll = true
  hasSkipped = false
  readonly #owners: Subroutine[] = []
  /** Ranges in the order of arrival, each with its owner's index. */
  readonly #ranges: number[] = []
  #map: RangeMap | undefined

  wants(): boolean {
    return true
  }

  add(low: number, high: number, owner: Subroutine): void {
    if (this.#owners.at(-1) !== owner) this.#owners.push(owner)
    this.#ranges.push(low, high, this.#owners.length - 1)
  }

  at(address: number): Subroutine | undefined {
    this.#map ??= this.#mapped()
    return this.#owners[this.#map.at(address) ?? -1]
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

/** Finds the subroutine of one address like {@link AllSubroutines.at}, without keeping the others. */
export class OneSubroutine implements Finder {
  readonly keepsAll = false
  hasSkipped = false
  /** The ranges overlap, so a complete search is needed. */
  isUnsure = false
  readonly #address: number
  /** The range that starts last at or before the address. */
  #low = Number.NEGATIVE_INFINITY
  #high = Number.NEGATIVE_INFINITY
  found: Subroutine | undefined

  constructor(address: number) {
    this.#address = address
  }

  /** Also records the ranges of subroutines that are not needed. */
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
