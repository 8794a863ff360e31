/** Hears of every look-up, whether it was there. */
export type OnLookup = (isHit: boolean) => void

/** What a cache keeps of one kind. */
export type Shelf<T> = Pick<WeightedCache<T>, 'get' | 'set' | 'reweigh' | 'delete'>

interface Entry<T> {
  value: T
  weight: number
  onGone: (() => void) | undefined
  key: string
  /** Where it is kept. */
  entries: Map<string, Entry<T>>
  /** Those used just before and just after it. */
  older: Entry<T> | undefined
  newer: Entry<T> | undefined
}

/** Keeps the most recently used values up to a total weight. */
export class WeightedCache<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #shelves = new Map<string, Map<string, Entry<T>>>()
  readonly #capacity: number
  readonly #onLookup: OnLookup | undefined
  #oldest: Entry<T> | undefined
  #newest: Entry<T> | undefined
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
    return this.#get(this.#entries, key)
  }

  /**
   * What is heavier than the whole capacity is not kept.
   * @param onGone is called when it is not kept, or no longer.
   */
  set(key: string, value: T, weight: number, onGone?: () => void): void {
    this.#set(this.#entries, key, value, weight, onGone)
  }

  /** For a value whose weight changes as it is used; others may have to go for it. */
  reweigh(key: string, change: number): void {
    this.#reweigh(this.#entries.get(key), change)
  }

  delete(key: string): void {
    this.#delete(this.#entries.get(key))
  }

  /** A part of it for values of one kind, which have keys of their own and share its capacity with all others. */
  shelf<U extends T>(name: string): Shelf<U> {
    const entries = this.#shelves.get(name) ?? new Map<string, Entry<T>>()
    this.#shelves.set(name, entries)
    return {
      get: (key) => this.#get(entries, key) as U | undefined,
      set: (key, value, weight, onGone) => this.#set(entries, key, value, weight, onGone),
      reweigh: (key, change) => this.#reweigh(entries.get(key), change),
      delete: (key) => this.#delete(entries.get(key)),
    }
  }

  #get(entries: Map<string, Entry<T>>, key: string): T | undefined {
    const entry = entries.get(key)
    this.#onLookup?.(entry !== undefined)
    if (!entry) return undefined
    if (entry !== this.#newest) {
      this.#unlink(entry)
      this.#append(entry)
    }
    return entry.value
  }

  #set(entries: Map<string, Entry<T>>, key: string, value: T, weight: number, onGone?: () => void): void {
    if (weight > this.#capacity || entries.has(key)) {
      onGone?.()
      return
    }
    const entry: Entry<T> = { value, weight, onGone, key, entries, older: undefined, newer: undefined }
    entries.set(key, entry)
    this.#append(entry)
    this.#change(weight)
    this.#shrink()
  }

  #reweigh(entry: Entry<T> | undefined, change: number): void {
    if (!entry) return
    entry.weight += change
    this.#change(change)
    this.#shrink()
  }

  #delete(entry: Entry<T> | undefined): void {
    if (!entry) return
    entry.entries.delete(entry.key)
    this.#unlink(entry)
    this.#change(-entry.weight)
    entry.onGone?.()
  }

  #append(entry: Entry<T>): void {
    entry.older = this.#newest
    entry.newer = undefined
    if (this.#newest) this.#newest.newer = entry
    else this.#oldest = entry
    this.#newest = entry
  }

  #unlink({ older, newer }: Entry<T>): void {
    if (older) older.newer = newer
    else this.#oldest = newer
    if (newer) newer.older = older
    else this.#newest = older
  }

  #shrink(): void {
    while (this.#oldest && this.#weight > this.#capacity) this.#delete(this.#oldest)
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
