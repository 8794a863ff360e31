import type { ArtifactSource } from '../artifacts.ts'
import type { Callable, Handle } from './protocol.ts'

type AnyFunction = (...args: unknown[]) => unknown

/** Makes the functions of a source callable from a worker, by name or by handle. */
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

  /** @throws the errors from the source. */
  async call(target: Callable | number, args: unknown[]): Promise<unknown> {
    const called = typeof target === 'number' ? this.#handles[target] : functionOf(this.#source, target)
    return this.#sendable(await called?.(...args))
  }

  /** Replaces each function with a handle, because functions cannot be sent to another thread. */
  #sendable(value: unknown): unknown {
    if (typeof value === 'function') return { handle: this.#handles.push(value as AnyFunction) - 1 } satisfies Handle
    if (Array.isArray(value)) return value.map((item) => this.#sendable(item))
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#sendable(item)]))
  }
}

function namesIn(functions: object): string[] {
  return Object.entries(functions).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
}

function functionOf(source: ArtifactSource, target: Callable): AnyFunction | undefined {
  const [first, second] = target.split('.') as [string, string?]
  const named = (source as unknown as Record<string, unknown>)[first]
  return (second === undefined ? named : (named as Record<string, unknown> | undefined)?.[second]) as AnyFunction
}
