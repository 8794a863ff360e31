/** A `declaration` has no code. Examples are templates and abstract origins of inlined functions. */
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
  /** Start address of its code; 0 if it has no code or several ranges. */
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

/** Subroutines in a part of a unit by address, outer ones first. */
export class SubroutineRanges {
  readonly #owners: Subroutine[] = []
  /** Ranges in the order they were added, each with its owner's index. */
  readonly #ranges: number[] = []

  add(low: number, high: number, owner: Subroutine): void {
    if (this.#owners.at(-1) !== owner) this.#owners.push(owner)
    this.#ranges.push(low, high, this.#owners.length - 1)
  }

  /** The innermost subroutine is the one whose range starts last. */
  at(address: number): Subroutine | undefined {
    const ranges = this.#ranges
    let owner: number | undefined
    let start = Number.NEGATIVE_INFINITY
    for (let at = 0; at < ranges.length; at += 3) {
      const low = ranges[at] as number
      if (low < start || low > address || address >= (ranges[at + 1] as number)) continue
      start = low
      owner = ranges[at + 2]
    }
    return this.#owners[owner ?? -1]
  }

  eachRange(use: (low: number, high: number, owner: Subroutine) => void): void {
    const ranges = this.#ranges
    for (let at = 0; at < ranges.length; at += 3) {
      use(ranges[at] as number, ranges[at + 1] as number, this.#owners[ranges[at + 2] as number] as Subroutine)
    }
  }

  get isEmpty(): boolean {
    return this.#owners.length === 0
  }

  get weight(): number {
    return this.#owners.length * 130 + this.#ranges.length * 8
  }
}
