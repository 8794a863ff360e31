const HIDDEN = '***'

/**
 * A value that must not be seen: it prints as `***` in string conversion, JSON, `util.inspect` and error messages.
 * Only {@link Secret.reveal} gives the text, and only the code that puts it on the wire calls it.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  /** Takes the secret out of a text that came from elsewhere, such as a server's answer or a library's error. */
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
