import { BinaryError } from '@symup/core/resolving'

const MAX_RANGES = 20_000_000
const MAX_CANDIDATES = 16

export class UnitRanges {
  #lows = new Float64Array(1024)
  #highs = new Float64Array(1024)
  #units = new Uint32Array(1024)
  #count = 0

  get weight(): number {
    return this.#lows.length * 20
  }

  add(low: number, high: number, unit: number): void {
    if (!(low < high)) return
    if (this.#count === this.#lows.length) this.#grow()
    this.#lows[this.#count] = low
    this.#highs[this.#count] = high
    this.#units[this.#count++] = unit
  }

  /**
   * Returns at most {@link MAX_CANDIDATES} units whose ranges contain the address. As in LLVM's tools, the units are sorted by the start of
   * their ranges.
   */
  holding(address: number): number[] {
    const found = new Map<number, number>()
    for (let index = 0; index < this.#count && found.size < MAX_CANDIDATES; index++) {
      const low = this.#lows[index] as number
      if (address < low || address >= (this.#highs[index] as number)) continue
      const unit = this.#units[index] as number
      found.set(unit, Math.min(low, found.get(unit) ?? low))
    }
    return [...found].sort(([, a], [, b]) => a - b).map(([unit]) => unit)
  }

  #grow(): void {
    if (this.#count >= MAX_RANGES)
      throw new BinaryError('damaged', 'The units in the debug information have too many address ranges.')
    const grown = <T extends Float64Array | Uint32Array>(old: T, larger: T): T => {
      larger.set(old)
      return larger
    }
    const length = this.#count * 2
    this.#lows = grown(this.#lows, new Float64Array(length))
    this.#highs = grown(this.#highs, new Float64Array(length))
    this.#units = grown(this.#units, new Uint32Array(length))
  }
}
