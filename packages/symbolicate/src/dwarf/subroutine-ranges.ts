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

/** Which subroutine each address is in. Outer ones are added before those in them. */
export class SubroutineRanges {
  /** Whether there are entries that were not gone over. */
  hasSkipped = false
  readonly #owners: Subroutine[] = []
  readonly #map = new RangeMap()

  add(low: number, high: number, owner: Subroutine): void {
    if (this.#owners.at(-1) !== owner) this.#owners.push(owner)
    this.#map.add(low, high, this.#owners.length - 1)
  }

  at(address: number): Subroutine | undefined {
    return this.#owners[this.#map.at(address) ?? -1]
  }

  get isEmpty(): boolean {
    return this.#owners.length === 0
  }

  get weight(): number {
    return this.#owners.length * 130 + this.#map.size * 24
  }
}
