/** Keeps the most recently used values up to a total weight. */
export class WeightedCache<T> {
  readonly #entries = new Map<string, { value: T; weight: number }>()
  readonly #capacity: number
  #weight = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** What is heavier than the whole capacity is not kept. */
  set(key: string, value: T, weight: number): void {
    if (weight > this.#capacity || this.#entries.has(key)) return
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const [oldest, { weight: freed }] of this.#entries) {
      if (this.#weight <= this.#capacity) break
      this.#entries.delete(oldest)
      this.#weight -= freed
    }
  }
}
