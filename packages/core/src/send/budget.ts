/** Limits the bytes in memory. Callers without room wait in order of arrival. */
export class Budget {
  #left: number
  readonly #waiting: { bytes: number; resolve(): void }[] = []

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** @param bytes at most the size of the budget. */
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
