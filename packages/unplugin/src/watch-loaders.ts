import { basename } from 'node:path'
import type { TransformWatch } from './transforms.ts'

/** What is used of webpack's and Rspack's loader context: `this` in a loader. */
interface LoaderContext {
  resourcePath?: string
  /** With its `?`: what of a component it is. */
  resourceQuery?: string
  loaders?: readonly Loader[]
  async?: () => Done
  callback?: Done
}

/** A loader while it runs: `normal` is set when its module is loaded. */
interface Loader {
  path?: string
  normal?: unknown
}

type Done = (...made: unknown[]) => unknown
type Normal = (this: LoaderContext, ...given: unknown[]) => unknown

/** The part of a compiler by which loaders are found. */
export interface LoadingCompiler {
  webpack?: {
    NormalModule?: {
      getCompilationHooks?(compilation: unknown): {
        loader?: { tap(name: string, handler: (context: LoaderContext) => void): void }
      }
    }
  }
  hooks: { compilation?: { tap(name: string, handler: (compilation: unknown) => void): void } }
}

/** Watches the loaders of webpack and Rspack: what each was given and what it returned, whichever way. Nothing of that is changed. */
export function watchLoaders({ webpack, hooks }: LoadingCompiler, transforms: TransformWatch): void {
  hooks.compilation?.tap('symup', (compilation) => {
    webpack?.NormalModule?.getCompilationHooks?.(compilation).loader?.tap('symup', (context) => {
      let { loaders } = context
      watchAll(loaders, transforms)
      // webpack calls the hook before it knows the loaders, Rspack after.
      Object.defineProperty(context, 'loaders', {
        configurable: true,
        enumerable: true,
        get: () => loaders,
        set(next) {
          loaders = next
          watchAll(loaders, transforms)
        },
      })
    })
  })
}

function watchAll(loaders: readonly Loader[] = [], transforms: TransformWatch): void {
  const started = new Set<unknown>()
  for (const loader of loaders) {
    const name = nameOf(loader.path ?? '')
    let { normal } = loader
    let loaded = normal
    Object.defineProperty(loader, 'normal', {
      configurable: true,
      enumerable: true,
      get: () => (started.has(loaded) ? loaded : normal),
      set(given) {
        loaded = given
        normal = typeof given === 'function' ? watched(given as Normal, name, transforms, started) : given
      },
    })
  }
}

/** @param started loaders that run or ran: from then on one may look for itself among the loaders, as that of html-webpack-plugin does. */
function watched(normal: Normal, name: string, transforms: TransformWatch, started: Set<unknown>): Normal {
  return function (...given) {
    started.add(normal)
    const see = (code: unknown, map?: unknown) =>
      transforms.see(name, {
        code: given[0],
        id: `${this.resourcePath ?? ''}${this.resourceQuery ?? ''}`,
        result: { code, map },
      })
    const seeing =
      (done: Done | undefined): Done =>
      (...made) => {
        if (!made[0]) see(made[1], made[2])
        return done?.(...made)
      }
    const { async, callback } = this
    this.callback = seeing(callback)
    this.async = () => seeing(async?.())
    const result = normal.apply(this, given)
    if (result instanceof Promise) result.then(see, () => {})
    else see(result)
    return result
  }
}

/** `babel-loader`, or the name of a file of the project. */
function nameOf(path: string): string {
  const file = path.replaceAll('\\', '/')
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? basename(file)
}
