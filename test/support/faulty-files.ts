import { fs, vol } from 'memfs'

/**
 * An in-memory file system that fails on request. In a test file: `vi.mock('node:fs', async () => (await
 * import('…/faulty-files.ts')).fsModule)`, and the same with `promisesModule`.
 */
interface Fault {
  /** Name of the function, such as `readSync`, or `handle.write` for a method of an open file. */
  call: string
  path: string
  code: string
  /** Calls that succeed first. */
  after: number
}

let faults: Fault[] = []
const paths = new Map<unknown, string>()

/** Makes a call fail on one path from now on. `after` calls succeed first. */
export function failOn(call: string, path: string, code: string, after = 0): void {
  faults.push({ call, path, code, after })
}

/** Empties the file system, creates the given files, and forgets the faults. */
export function startWith(files: Record<string, string>): void {
  faults = []
  vol.reset()
  vol.fromJSON(files)
  // Like with a usual umask: other users may not write.
  for (const file of Object.keys(files)) vol.chmodSync(file, 0o644)
}

export const files = vol

function check(call: string, target: unknown): void {
  const path = paths.get(target) ?? target
  for (const fault of faults) {
    if (fault.call !== call || fault.path !== path) continue
    if (fault.after-- > 0) continue
    throw Object.assign(new Error(`${fault.code}: ${call} '${String(path)}'`), { code: fault.code, path })
  }
}

type Api = Record<string, unknown>
type Call = (...args: unknown[]) => unknown

function wrapped(api: Api, prefix: string, around: (name: string, call: Call) => Call): Api {
  const names = new Set([...Object.keys(api), ...Object.getOwnPropertyNames(Object.getPrototypeOf(api))])
  return Object.fromEntries(
    [...names].map((name) => {
      const value = api[name]
      const isCall = typeof value === 'function' && !/^[A-Z]|^constructor$/.test(name)
      // Keep function properties: realpathSync.native.
      return [name, isCall ? Object.assign(around(`${prefix}${name}`, (value as Call).bind(api)), value) : value]
    }),
  )
}

const sync = (name: string, call: Call): Call => {
  return (...args) => {
    check(name, args[0])
    const result = call(...args)
    if (name === 'openSync') paths.set(result, String(args[0]))
    return result
  }
}

const async = (name: string, call: Call): Call => {
  return async (...args) => {
    check(name, args[0])
    const result = await call(...args)
    if (name !== 'open') return result
    const path = String(args[0])
    paths.set((result as { fd: number }).fd, path)
    return wrapped(result as Api, 'handle.', (inner, act) => async (...given) => {
      check(inner, path)
      return act(...given)
    })
  }
}

const module = wrapped(fs as unknown as Api, '', sync)
const promises = wrapped(fs.promises as unknown as Api, '', async)

export const fsModule = { ...module, promises, default: { ...module, promises } }
export const promisesModule = { ...promises, default: promises }
