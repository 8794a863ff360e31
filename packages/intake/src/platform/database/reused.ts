/** A pool of a few reusable objects that are expensive to create. Callers wait if none is free. */
export class Reused<T> {
  readonly #make: () => T
  readonly #spare: T[] = []
  readonly #waiting: ((one: T) => void)[] = []
  #left: number

  /** @param count maximum number. Each is created on demand. */
  constructor(count: number, make: () => T) {
    this.#left = count
    this.#make = make
  }

  async take(): Promise<T> {
    const spare = this.#spare.pop()
    if (spare !== undefined) return spare
    if (this.#left-- > 0) return this.#make()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  give(one: T): void {
    const next = this.#waiting.shift()
    if (next) next(one)
    else this.#spare.push(one)
  }

  /** Removes and returns the unused objects. */
  drain(): T[] {
    return this.#spare.splice(0)
  }
}
