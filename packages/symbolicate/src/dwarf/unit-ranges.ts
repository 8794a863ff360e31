import { BinaryError } from '@symup/core/resolving'

const MAX_RANGES = 20_000_000
const MAX_CANDIDATES = 16

export class UnitRanges {
  /** Three numbers per range: its start, its end and the unit. */
  readonly #ranges: number[] = []

  get weight(): number {
    return this.#ranges.length * 8
  }

  add(low: number, high: number, unit: number): void {
    if (!(low < high)) return
    if (this.#ranges.push(low, high, unit) > 3 * MAX_RANGES)
      throw new BinaryError('damaged', 'The units in the debug information have too many address ranges.')
  }

  /**
   * Returns at most {@link MAX_CANDIDATES} units whose ranges contain the address. As in LLVM's tools, the units are sorted by the start of
   * their ranges.
   */
  holding(address: number): number[] {
    const ranges = this.#ranges
    const found = new Map<number, number>()
    for (let at = 0; at < ranges.length && found.size < MAX_CANDIDATES; at += 3) {
      const low = ranges[at] as number
      if (address < low || address >= (ranges[at + 1] as number)) continue
      const unit = ranges[at + 2] as number
      found.set(unit, Math.min(low, found.get(unit) ?? low))
    }
    return [...found].sort(([, a], [, b]) => a - b).map(([unit]) => unit)
  }
}
