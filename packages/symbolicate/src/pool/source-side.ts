import type { ArtifactSource } from '../artifacts.ts'
import type { StoredBytes } from '../stored-bytes.ts'
import type { Asked, Callable, Handle, StoredFile } from './protocol.ts'

type AnyFunction = (...args: unknown[]) => unknown

/** A source as a worker may call it: by names and numbers, with answers that another thread can be sent. */
export class CallableSource {
  readonly #functions = new Map<Callable, AnyFunction>()
  readonly #handles: AnyFunction[] = []

  constructor(source: ArtifactSource) {
    const { miniPrograms, ...rest } = source
    this.#add('', rest)
    if (miniPrograms) this.#add('miniPrograms.', miniPrograms)
  }

  get names(): Callable[] {
    return [...this.#functions.keys()]
  }

  /** @throws what the source throws. */
  async call(target: Callable | number, args: unknown[]): Promise<unknown> {
    const called = typeof target === 'number' ? this.#handles[target] : this.#functions.get(target)
    return this.#sendable(await called?.(...args))
  }

  /**
   * What comes of asking the source; and what it answered, for another thread.
   * @throws what the source throws.
   */
  async answersTo<T>(ask: (source: ArtifactSource) => Promise<T>): Promise<{ asked: () => Asked[]; found: T }> {
    const answers: Asked[] = []
    const functions = [...this.#functions].map(([target, answer]) => [
      target,
      async (...args: unknown[]) => {
        const value = await answer(...args)
        answers.push({ target, args, value })
        return value
      },
    ])
    const found = await ask(Object.fromEntries(functions) as unknown as ArtifactSource)
    return { asked: () => answers.map((it) => ({ ...it, value: this.#sendable(it.value) })), found }
  }

  #add(prefix: string, functions: object): void {
    for (const [name, value] of Object.entries(functions))
      if (typeof value === 'function') this.#functions.set(prefix + name, value as AnyFunction)
  }

  /** Functions become handles, and files on disk their paths. */
  #sendable(value: unknown): unknown {
    if (typeof value === 'function') return { handle: this.#handles.push(value as AnyFunction) - 1 } satisfies Handle
    if (Array.isArray(value)) return value.map((item) => this.#sendable(item))
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
    if ('read' in value) {
      const { path, bytes } = value as Partial<StoredBytes>
      return path === undefined ? bytes : ({ storedFile: path } satisfies StoredFile)
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#sendable(item)]))
  }
}
