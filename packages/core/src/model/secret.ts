const HIDDEN = '***'

/**
 * A secret value. It prints as `***` in string conversion, JSON, `util.inspect` and error messages. Only {@link Secret.reveal} returns the
 * text, and only code that sends it may call that.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  /** Removes the secret from foreign text, such as a server's answer or a library's error. */
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
