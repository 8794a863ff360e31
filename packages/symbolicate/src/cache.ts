export type OnLookup = (isHit: boolean) => void

interface Entry {
  value: unknown
  weight: number
  onGone: (() => void) | undefined
}

interface Room {
  readonly capacity: number
  readonly onLookup: OnLookup | undefined
  readonly entries: Map<string, Entry>
  weight: number
}

/** A cache that evicts the least recently used values if their total weight exceeds the capacity. */
export class WeightedCache<T> {
  readonly #room: Room
  readonly #name: string
  readonly #loading = new Map<string, Promise<T>>()
  onWeight: (() => void) | undefined

  constructor(capacity: number, onLookup?: OnLookup, shelf?: { room: Room; name: string }) {
    this.#room = shelf?.room ?? { capacity, onLookup, entries: new Map(), weight: 0 }
    this.#name = shelf?.name ?? ''
  }

  /** Returns a section of the cache for one type of value. Each section has its own keys, but all sections share the capacity. */
  shelf<U extends T>(name: string): WeightedCache<U> {
    return new WeightedCache<U>(0, undefined, { room: this.#room, name: `${name}:` })
  }

  get weight(): number {
    return this.#room.weight
  }

  get(key: string): T | undefined {
    const { entries, onLookup } = this.#room
    const name = this.#name + key
    const entry = entries.get(name)
    onLookup?.(entry !== undefined)
    if (!entry) return undefined
    entries.delete(name)
    entries.set(name, entry)
    return entry.value as T
  }

  /**
   * Adds a value to the cache unless its weight exceeds the capacity.
   * @param onGone called when the value is removed from the cache, or immediately if the value is not added.
   */
  set(key: string, value: T, weight: number, onGone?: () => void): void {
    const { entries, capacity } = this.#room
    const name = this.#name + key
    if (weight > capacity || entries.has(name)) {
      onGone?.()
      return
    }
    entries.set(name, { value, weight, onGone })
    this.#change(weight)
  }

  /**
   * Loads a value that is slow to compute. Concurrent calls for the same key share a single load.
   * @param load returns the value, its weight, and the `onGone` of {@link set}. If `load` throws, nothing is cached.
   */
  async load(key: string, load: () => Promise<{ value: T; weight: number; onGone?: () => void }>): Promise<T> {
    const known = this.get(key) ?? this.#loading.get(key)
    if (known !== undefined) return known
    const loading = load().then(({ value, weight, onGone }) => {
      this.set(key, value, weight, onGone)
      return value
    })
    this.#loading.set(key, loading)
    return loading.finally(() => this.#loading.delete(key))
  }

  /** Changes the weight of a cached value, which can cause other values to be evicted. */
  reweigh(key: string, weight: number): void {
    const entry = this.#room.entries.get(this.#name + key)
    if (!entry) return
    const change = weight - entry.weight
    entry.weight = weight
    this.#change(change)
  }

  delete(key: string): void {
    this.#delete(this.#name + key)
  }

  #delete(name: string): void {
    const { entries } = this.#room
    const entry = entries.get(name)
    if (!entry) return
    entries.delete(name)
    this.#change(-entry.weight)
    entry.onGone?.()
  }

  #change(by: number): void {
    const room = this.#room
    room.weight += by
    if (by !== 0) this.onWeight?.()
    while (room.weight > room.capacity) this.#delete(room.entries.keys().next().value as string)
  }
}
