import { expect, it } from 'vitest'
import { TransformWatch } from './transforms.ts'
import { type LoadingCompiler, watchLoaders } from './watch-loaders.ts'

interface Run {
  resourcePath?: string
  resourceQuery?: string
  given?: string
  transforms?: TransformWatch
}

/** As webpack runs a loader: the hook before the loaders are known, then what was loaded. */
function run(
  load: (context: { loaders: { normal?: unknown }[] }) => unknown,
  { given = '<p>', transforms = new TransformWatch(), ...resource }: Run = {},
): unknown {
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
  watchLoaders(compiler, transforms)
  const context = { loaders: [] as { path: string; normal?: unknown }[], ...resource }
  told?.(context)
  const path = '/shop/node_modules/html-webpack-plugin/lib/loader.js'
  const own: { path: string; normal?: unknown } = { path }
  context.loaders = [own, { path }]
  for (const it of context.loaders) it.normal = load
  return (own.normal as (this: object, ...given: unknown[]) => unknown).call(context, given)
}

it('a loader finds itself among the loaders while it runs, as html-webpack-plugin does to know whether others are there', () => {
  const own = function (this: { loaders: { normal?: unknown }[] }) {
    return this.loaders.filter(({ normal }) => normal !== own).length
  }
  expect(run(own as never)).toBe(0)
})

it.each([
  ['script', ['/app/A.vue']],
  ['style', []],
])('of the %s of a component, %j is told', (type, expected) => {
  const transforms = new TransformWatch()
  const resource = { resourcePath: '/app/A.vue', resourceQuery: `?vue&type=${type}&lang=x` }
  run(() => 'push([module.id, 1])', { given: '<script>\nstart()\n</script>', transforms, ...resource })
  expect([...transforms.faults.keys()]).toEqual(expected)
})
