/** A `declaration` is a subroutine without code, such as a template or the abstract origin of an inlined function. */
export type SubroutineKind = 'function' | 'inlined' | 'declaration'

export class Subroutine {
  readonly offset: number
  readonly parent: Subroutine | undefined
  readonly isInlined: boolean
  readonly hasCode: boolean
  end: number
  /** The start address of the code, or 0 if the subroutine does not have exactly one range. */
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

  calledFrom(file: number, line: number, column: number): this {
    this.callFile = file
    this.callLine = line
    this.callColumn = column
    return this
  }
}

/** The address ranges of subroutines. Outer subroutines precede the subroutines that they contain. */
export class SubroutineRanges {
  readonly #owners: Subroutine[] = []
  readonly #ranges: number[] = []

  add(low: number, high: number, owner: Subroutine): void {
    if (this.#owners.at(-1) !== owner) this.#owners.push(owner)
    this.#ranges.push(low, high, this.#owners.length - 1)
  }

  /** Returns the innermost subroutine at an address, which is the subroutine whose range starts last. */
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
