const FIRST_CAPACITY = 64

export class NumberList {
  #numbers = new Uint32Array(FIRST_CAPACITY)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(...numbers: readonly number[]): void {
    while (this.#length + numbers.length > this.#numbers.length) {
      const larger = new Uint32Array(2 * this.#numbers.length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    // For a few elements, this loop is several times faster than `set`.
    for (let nth = 0; nth < numbers.length; nth++) this.#numbers[this.#length++] = numbers[nth] as number
  }

  /** Returns the numbers as an array that is valid until another number is added. */
  done(): Uint32Array {
    return this.#numbers.subarray(0, this.#length)
  }
}
