import type { Plugin, UserConfig } from 'vite'
import { expect, it } from 'vitest'
import { vite } from './vite.ts'

/** The changes that the plugin's `config` hook makes. */
function changed(config: UserConfig): unknown {
  const hooks = vite.hooks({ service: 'shop', version: '1.2.3' }) as Partial<Plugin>[]
  const main = hooks.find(({ name }) => name === 'symup') as { config(user: UserConfig): unknown }
  return main.config(config)
}

const hidden = { build: { sourcemap: 'hidden' } }

it('turns on browser maps in Astro 6 and 7, which turn them off by default', () => {
  const client = { build: { sourcemap: false } } as const
  const plugins = [{ name: 'astro:build' }]
  const config = { root: '/astro', plugins, builder: {}, build: { ssr: true }, environments: { client } }
  expect(changed(config)).toEqual({ ...hidden, environments: { client: hidden } })
  expect(changed({ ...config, build: { ssr: true, sourcemap: false } })).toEqual({ environments: {} })
  expect(changed({ ...config, plugins: [] })).toEqual({ ...hidden, environments: {} })
})

it('does not change the maps that SvelteKit 3 generates for its server', () => {
  const ssr = { build: { sourcemap: true } } as const
  expect(changed({ root: '/kit', environments: { ssr } })).toEqual({ ...hidden, environments: {} })
})

it.each([
  [undefined, false],
  [true, true],
])('keeps the user’s map setting for a server whose maps are not uploaded: %s', (sourcemap, kept) => {
  const hooks = vite.hooks({ service: 'shop', version: '1.2.3', deleteAfterUpload: true }) as Partial<Plugin>[]
  const main = hooks.find(({ name }) => name === 'symup') as {
    config(user: UserConfig): unknown
    configEnvironment(name: string, environment: object): unknown
  }
  main.config({ root: `/server-${sourcemap}`, build: { sourcemap } })
  expect(main.configEnvironment('ssr', {})).toEqual({ build: { sourcemap: kept } })
})

it('turns on maps in WXT, whose Vue module turns them off', () => {
  const plugins = [{ name: 'vite:vue' }, [{ name: 'wxt:globals' }]]
  const build = { sourcemap: false }
  expect(changed({ root: '/wxt', plugins, build })).toEqual({ ...hidden, environments: {} })
  expect(changed({ root: '/wxt-2', plugins: plugins.slice(0, 1), build })).toEqual({ environments: {} })
  expect(changed({ root: '/wxt-3', plugins: plugins.slice(1), build })).toEqual({ environments: {} })
})

it.each([
  ['Quasar', 'quasar:html'],
  ['Strapi', 'strapi/server/build-files'],
])('turns on maps in %s, which turns them off by default', (tool, name) => {
  const build = { sourcemap: false }
  const plugins = [{ name }]
  expect(changed({ root: `/${tool}`, plugins, build })).toEqual({ ...hidden, environments: {} })
  const asked = { root: `/${tool}-2`, plugins, build: { sourcemap: true } }
  expect(changed(asked)).toEqual({ environments: {} })
})

it('turns on no maps in a user’s own config with a Quasar plugin', () => {
  const build = { sourcemap: false }
  const alone = [{ name: 'vite:quasar:scss' }]
  expect(changed({ root: '/quasar-2', plugins: alone, build })).toEqual({ environments: {} })
})

it.each([
  [undefined, hidden, { ...hidden, environments: {} }],
  [true, undefined, { build: { sourcemap: true }, environments: {} }],
  ['hidden' as const, undefined, { ...hidden, environments: {} }],
  [false, undefined, { environments: {} }],
])('keeps the user’s map setting in an app that vite-prerender-plugin prerenders: %s', (sourcemap, early, late) => {
  const hooks = vite.hooks({ service: 'shop', version: '1.2.3' }) as Partial<Plugin>[]
  const [app, main] = ['symup:app', 'symup'].map((wanted) => hooks.find(({ name }) => name === wanted)) as [
    { config: { handler(user: UserConfig): unknown } },
    { config(user: UserConfig): unknown },
  ]
  const plugins = [[{ name: 'vite-prerender-plugin' }]]
  const root = `/prerendered-${sourcemap}`
  expect(app.config.handler({ root, plugins, build: { sourcemap } })).toEqual(early)
  // The user's config turns on maps between the two calls of the hook.
  expect(main.config({ root, plugins, build: { sourcemap: true } })).toEqual(late)
})
