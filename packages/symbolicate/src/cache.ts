/** Hears of every look-up, whether it was there. */
export type OnLookup = (isHit: boolean) => void

/** What a cache keeps of one kind. */
export type Shelf<T> = Pick<WeightedCache<T>, 'get' | 'set' | 'reweigh' | 'delete'>

/** Keeps the most recently used values up to a total weight. */
export class WeightedCache<T> {
  readonly #entries = new Map<string, { value: T; weight: number; onGone: (() => void) | undefined }>()
  readonly #capacity: number
  readonly #onLookup: OnLookup | undefined
  #weight = 0
  /** Hears of every change of the weight. */
  onWeight: ((change: number) => void) | undefined

  /** @param capacity the most that the values may weigh together. */
  constructor(capacity: number, onLookup?: OnLookup) {
    this.#capacity = capacity
    this.#onLookup = onLookup
  }

  get weight(): number {
    return this.#weight
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    this.#onLookup?.(entry !== undefined)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /**
   * What is heavier than the whole capacity is not kept.
   * @param onGone is called when it is not kept, or no longer.
   */
  set(key: string, value: T, weight: number, onGone?: () => void): void {
    if (weight > this.#capacity || this.#entries.has(key)) {
      onGone?.()
      return
    }
    this.#entries.set(key, { value, weight, onGone })
    this.#change(weight)
    this.#shrink()
  }

  /** For a value whose weight changes as it is used; others may have to go for it. */
  reweigh(key: string, change: number): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    entry.weight += change
    this.#change(change)
    this.#shrink()
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#change(-entry.weight)
    entry.onGone?.()
  }

  /** A part of it for values of one kind, which have keys of their own and share its capacity with all others. */
  shelf<U extends T>(name: string): Shelf<U> {
    const own = (key: string) => `${name} ${key}`
    return {
      get: (key) => this.get(own(key)) as U | undefined,
      set: (key, value, ...rest) => this.set(own(key), value, ...rest),
      reweigh: (key, change) => this.reweigh(own(key), change),
      delete: (key) => this.delete(own(key)),
    }
  }

  #shrink(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) break
      this.delete(oldest)
    }
  }

  #change(by: number): void {
    this.#weight += by
    if (by !== 0) this.onWeight?.(by)
  }
}

/** A cache for what takes long to load: who asks while it is being loaded waits for the same load. */
export class SharedCache<T> {
  readonly #kept: Shelf<T>
  readonly #loading = new Map<string, Promise<T>>()

  constructor(kept: Shelf<T>) {
    this.#kept = kept
  }

  /** @param load gives the value and its weight; when it throws, nothing is kept. */
  async get(key: string, load: () => Promise<{ value: T; weight: number }>): Promise<T> {
    const known = this.#kept.get(key) ?? this.#loading.get(key)
    if (known !== undefined) return known
    const loading = load().then(({ value, weight }) => {
      this.#kept.set(key, value, weight)
      return value
    })
    this.#loading.set(key, loading)
    return loading.finally(() => this.#loading.delete(key))
  }

  /** For a value whose weight changes as it is used. */
  reweigh(key: string, change: number): void {
    this.#kept.reweigh(key, change)
  }

  /** It is loaded anew when it is asked for next. */
  forget(key: string): void {
    this.#kept.delete(key)
  }
}
