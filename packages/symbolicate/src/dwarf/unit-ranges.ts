import { BinaryError, firstAbove } from '@symup/core/resolving'
import { sortedOrder } from './sorted-order.ts'

const MAX_RANGES = 20_000_000
/** Maximum units to try for one address. */
const MAX_CANDIDATES = 16

/** Address ranges with unit indexes, in columns. */
export class UnitRanges {
  #lows = new Float64Array(1024)
  #highs = new Float64Array(1024)
  #units = new Uint32Array(1024)
  #count = 0
  #pieces: ((address: number) => number | undefined) | undefined

  /** In bytes. Sorting doubles the memory. */
  get weight(): number {
    return this.#lows.length * 20 * (this.#pieces ? 2 : 1)
  }

  add(low: number, high: number, unit: number): void {
    if (!(low < high)) return
    if (this.#count === this.#lows.length) this.#grow()
    this.#lows[this.#count] = low
    this.#highs[this.#count] = high
    this.#units[this.#count++] = unit
  }

  /** Units other than `known` whose ranges contain the address, up to {@link MAX_CANDIDATES}. */
  holding(address: number, known?: number): Set<number> {
    const found = new Set<number>()
    const lows = this.#lows
    const highs = this.#highs
    const count = this.#count
    for (let index = 0; index < count && found.size < MAX_CANDIDATES; index++) {
      if (address < (lows[index] as number) || address >= (highs[index] as number)) continue
      const unit = this.#units[index] as number
      if (unit !== known) found.add(unit)
    }
    return found
  }

  /**
   * One unit per address, as in LLVM's tools: where ranges overlap, the unit of the previous piece continues as long as
   * possible, then the first unit in the file follows.
   */
  at(address: number): number | undefined {
    this.#pieces ??= this.#chosen()
    return this.#pieces(address)
  }

  #chosen(): (address: number) => number | undefined {
    const lows: number[] = []
    const highs: number[] = []
    const units: number[] = []
    const active = new ActiveUnits()
    const starts = sortedOrder(this.#lows, this.#count)
    if (this.#isApart(starts)) return (address) => this.#inOrder(starts, address)
    const ends = sortedOrder(this.#highs, this.#count)
    let previous = 0
    let start = 0
    for (let end = 0; end < ends.length; ) {
      const high = this.#highs[ends[end] as number] as number
      const low = start < starts.length ? (this.#lows[starts[start] as number] as number) : Number.POSITIVE_INFINITY
      const address = Math.min(low, high)
      const first = previous < address ? active.first() : undefined
      if (first !== undefined) {
        const last = lows.length - 1
        if (highs[last] === previous && active.has(units[last] as number)) highs[last] = address
        else {
          lows.push(previous)
          highs.push(address)
          units.push(first)
        }
      }
      if (low <= high) active.add(this.#units[starts[start++] as number] as number)
      else active.remove(this.#units[ends[end++] as number] as number)
      previous = address
    }
    return (address) => {
      const index = firstAbove(lows.length, (at) => (lows[at] as number) > address) - 1
      return index >= 0 && address < (highs[index] as number) ? units[index] : undefined
    }
  }

  /** Whether no ranges overlap. This is the usual case. */
  #isApart(starts: Uint32Array): boolean {
    let end = Number.NEGATIVE_INFINITY
    for (const index of starts) {
      if ((this.#lows[index] as number) < end) return false
      end = this.#highs[index] as number
    }
    return true
  }

  #inOrder(starts: Uint32Array, address: number): number | undefined {
    const above = firstAbove(starts.length, (at) => (this.#lows[starts[at] as number] as number) > address)
    const index = starts[above - 1]
    return index !== undefined && address < (this.#highs[index] as number) ? this.#units[index] : undefined
  }

  #grow(): void {
    if (this.#count >= MAX_RANGES) throw new BinaryError('damaged', 'its units have too many ranges')
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

/** Units with ranges at the current address: a heap ordered by index, because a hostile file may have many overlaps. */
class ActiveUnits {
  readonly #counts = new Map<number, number>()
  readonly #heap: number[] = []

  has(unit: number): boolean {
    return this.#counts.has(unit)
  }

  add(unit: number): void {
    const count = this.#counts.get(unit) ?? 0
    this.#counts.set(unit, count + 1)
    if (count > 0) return
    const heap = this.#heap
    let at = heap.push(unit) - 1
    for (let up = (at - 1) >> 1; at > 0 && (heap[up] as number) > unit; up = (at - 1) >> 1) {
      heap[at] = heap[up] as number
      at = up
    }
    heap[at] = unit
  }

  remove(unit: number): void {
    const count = this.#counts.get(unit) as number
    if (count > 1) this.#counts.set(unit, count - 1)
    else this.#counts.delete(unit)
  }

  first(): number | undefined {
    // Ended units leave the heap when they reach its top.
    while (this.#heap.length > 0 && !this.has(this.#heap[0] as number)) this.#pop()
    return this.#heap[0]
  }

  #pop(): void {
    const heap = this.#heap
    const moved = heap.pop() as number
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && (heap[down + 1] as number) < (heap[down] as number)) down++
      if ((heap[down] as number) >= moved) break
      heap[at] = heap[down] as number
      at = down
    }
    heap[at] = moved
  }
}
