import type { ArtifactSource } from '../artifacts.ts'
import { askSource, notedSource } from '../noted-source.ts'
import type { StoredBytes } from '../stored-bytes.ts'
import type { Asked, Callable, Handle, StoredFile } from './protocol.ts'

type AnyFunction = (...args: unknown[]) => unknown

/** A source as a worker may call it: by names and numbers, with answers that another thread can be sent. */
export class CallableSource {
  readonly #source: ArtifactSource
  readonly #handles: AnyFunction[] = []

  constructor(source: ArtifactSource) {
    this.#source = source
  }

  get names(): Callable[] {
    const { miniPrograms = {}, ...rest } = this.#source
    return [...namesIn(rest), ...namesIn(miniPrograms).map((name) => `miniPrograms.${name}`)]
  }

  /** @throws what the source throws. */
  async call(target: Callable | number, args: unknown[]): Promise<unknown> {
    const answer = typeof target === 'number' ? this.#handles[target]?.(...args) : askSource(this.#source, target, args)
    return this.#sendable(await answer)
  }

  /**
   * What comes of asking the source; and what it answered, for another thread.
   * @throws what the source throws.
   */
  async answersTo<T>(ask: (source: ArtifactSource) => Promise<T>): Promise<{ asked: () => Asked[]; found: T }> {
    const answers: Asked[] = []
    const found = await ask(
      notedSource(this.#source, (target, args, value) => {
        answers.push({ target, args, value })
      }),
    )
    return { asked: () => answers.map((it) => ({ ...it, value: this.#sendable(it.value) })), found }
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

function namesIn(functions: object): string[] {
  return Object.entries(functions).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
}
