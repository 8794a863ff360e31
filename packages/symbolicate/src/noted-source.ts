import type { ArtifactSource } from './artifacts.ts'

type AnyFunction = (...args: unknown[]) => unknown

/** What a source was asked: the name of its function, such as `findScripts` or `miniPrograms.releases`, and what it answered. */
export type Note = (target: string, args: unknown[], value: unknown) => void

/** The same source; what it is asked is noted with its answer. Made for each question, so nothing is made before it is asked for. */
export function notedSource(source: ArtifactSource, note: Note): ArtifactSource {
  return noting(source, '', note)
}

function noting<T extends object>(functions: T, room: string, note: Note): T {
  return new Proxy(functions, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof name !== 'string') return value
      if (typeof value === 'object' && value !== null) return noting(value, `${name}.`, note)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        const answer = await (value as AnyFunction)(...args)
        note(room + name, args, answer)
        return answer
      }
    },
  })
}

/** Asks a function by its name, as `Note` has it; undefined where there is none. */
export function askSource(source: ArtifactSource, target: string, args: unknown[]): unknown {
  const [first, second] = target.split('.') as [string, string?]
  const named = (source as unknown as Record<string, unknown>)[first]
  const called = second === undefined ? named : (named as Record<string, unknown> | undefined)?.[second]
  return (called as AnyFunction | undefined)?.(...args)
}
