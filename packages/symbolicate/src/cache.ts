/** Called for every look-up. The argument says whether it was a hit. */
export type OnLookup = (isHit: boolean) => void

interface Entry {
  value: unknown
  weight: number
  onGone: (() => void) | undefined
}

/** State shared by all shelves in one cache. */
interface Room {
  readonly capacity: number
  readonly onLookup: OnLookup | undefined
  /** The most recently used entry is last. */
  readonly entries: Map<string, Entry>
  weight: number
}

/** Keeps the most recently used values, up to a total weight. */
export class WeightedCache<T> {
  readonly #room: Room
  readonly #name: string
  readonly #loading = new Map<string, Promise<T>>()
  /** Called whenever the weight changes. */
  onWeight: ((change: number) => void) | undefined

  /** @param capacity maximum total weight of the values. */
  constructor(capacity: number, onLookup?: OnLookup, shelf?: { room: Room; name: string }) {
    this.#room = shelf?.room ?? { capacity, onLookup, entries: new Map(), weight: 0 }
    this.#name = shelf?.name ?? ''
  }

  /** A section for one kind of value. It has its own keys and shares the cache's capacity. */
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
   * A value heavier than the capacity is not kept.
   * @param onGone called if the value is not kept, or when it is removed.
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
   * For values that are slow to load: concurrent callers share one load.
   * @param load returns the value and its weight. If it throws, nothing is kept.
   */
  async load(key: string, load: () => Promise<{ value: T; weight: number }>): Promise<T> {
    const known = this.get(key) ?? this.#loading.get(key)
    if (known !== undefined) return known
    const loading = load().then(({ value, weight }) => {
      this.set(key, value, weight)
      return value
    })
    this.#loading.set(key, loading)
    return loading.finally(() => this.#loading.delete(key))
  }

  /** Changes the weight of a value, which may evict others. */
  reweigh(key: string, change: number): void {
    const entry = this.#room.entries.get(this.#name + key)
    if (!entry) return
    entry.weight += change
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
    if (by !== 0) this.onWeight?.(by)
    while (room.weight > room.capacity) this.#delete(room.entries.keys().next().value as string)
  }
}
