/** A few of something that takes memory or time to make, used again and again. Whoever finds none waits for one that is given back. */
export class Reused<T> {
  readonly #make: () => T
  readonly #spare: T[] = []
  readonly #waiting: ((one: T) => void)[] = []
  #left: number

  /** @param count there are never more; each is made when it is needed. */
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

  /** Those that nobody has, which are not given out any more. */
  drain(): T[] {
    return this.#spare.splice(0)
  }
}
