import { expect, it } from 'vitest'
import { TransformWatch } from './transforms.ts'
import { type LoadingCompiler, watchLoaders } from './watch-loaders.ts'

/** As webpack runs a loader: the hook before the loaders are known, then what was loaded. */
function run(load: (context: { loaders: { normal?: unknown }[] }) => unknown): unknown {
  let told: ((context: object) => void) | undefined
  const loader = {
    tap(_: string, handler: (context: object) => void) {
      told = handler
    },
  }
  const compiler: LoadingCompiler = {
    webpack: { NormalModule: { getCompilationHooks: () => ({ loader }) } },
    hooks: { compilation: { tap: (_, handler) => handler({}) } },
  }
  watchLoaders(compiler, new TransformWatch())
  const context = { loaders: [] as { path: string; normal?: unknown }[] }
  told?.(context)
  const path = '/shop/node_modules/html-webpack-plugin/lib/loader.js'
  const own: { path: string; normal?: unknown } = { path }
  context.loaders = [own, { path }]
  for (const it of context.loaders) it.normal = load
  return (own.normal as (this: object, ...given: unknown[]) => unknown).call(context, '<p>')
}

it('a loader finds itself among the loaders while it runs, as html-webpack-plugin does to know whether others are there', () => {
  const own = function (this: { loaders: { normal?: unknown }[] }) {
    return this.loaders.filter(({ normal }) => normal !== own).length
  }
  expect(run(own as never)).toBe(0)
})
