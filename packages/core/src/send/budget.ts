/** Bytes that may be in memory at a time. Whoever finds no room waits, in the order in which they came. */
export class Budget {
  #left: number
  readonly #waiting: { bytes: number; resolve(): void }[] = []

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** @param bytes at most what the budget has. */
  take(bytes: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ bytes, resolve })
      this.#serve()
    })
  }

  give(bytes: number): void {
    this.#left += bytes
    this.#serve()
  }

  #serve(): void {
    for (let next = this.#waiting[0]; next && next.bytes <= this.#left; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#left -= next.bytes
      next.resolve()
    }
  }
}
