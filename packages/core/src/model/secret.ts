const HIDDEN = '***'

/**
 * A secret value that appears as `***` in strings, JSON, the output of `util.inspect`, and error messages. Only {@link Secret.reveal}
 * returns the text. Only code that sends the secret may call `reveal`.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  /** Removes the secret from text that symup did not write, such as a server's response or a library's error. */
  redact(text: string): string {
    return this.#value === '' ? text : text.replaceAll(this.#value, HIDDEN)
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return HIDDEN
  }
}
