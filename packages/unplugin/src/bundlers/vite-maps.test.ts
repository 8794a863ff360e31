import type { Plugin, UserConfig } from 'vite'
import { expect, it } from 'vitest'
import { vite } from './vite.ts'

/** What the plugin changes in a config, by its own `config` hook. */
function changed(config: UserConfig): unknown {
  const hooks = vite.hooks({ service: 'shop', version: '1.2.3' }) as Partial<Plugin>[]
  const main = hooks.find(({ name }) => name === 'symup') as { config(user: UserConfig): unknown }
  return main.config(config)
}

const hidden = { build: { sourcemap: 'hidden' } }

it('makes maps for the browsers of Astro 6 and 7, which turn them off where their user set nothing', () => {
  const client = { build: { sourcemap: false } } as const
  const plugins = [{ name: 'astro:build' }]
  const config = { root: '/astro', plugins, builder: {}, build: { ssr: true }, environments: { client } }
  expect(changed(config)).toEqual({ ...hidden, environments: { client: hidden } })
  expect(changed({ ...config, build: { ssr: true, sourcemap: false } })).toEqual({ environments: {} })
  expect(changed({ ...config, plugins: [] })).toEqual({ ...hidden, environments: {} })
})

it('leaves alone the maps that SvelteKit 3 makes for its server', () => {
  const ssr = { build: { sourcemap: true } } as const
  expect(changed({ root: '/kit', environments: { ssr } })).toEqual({ ...hidden, environments: {} })
})

it('makes maps in WXT, whose module for Vue turns them off', () => {
  const plugins = [{ name: 'vite:vue' }, [{ name: 'wxt:globals' }]]
  const build = { sourcemap: false }
  expect(changed({ root: '/wxt', plugins, build })).toEqual({ ...hidden, environments: {} })
  expect(changed({ root: '/wxt-2', plugins: plugins.slice(0, 1), build })).toEqual({ environments: {} })
  expect(changed({ root: '/wxt-3', plugins: plugins.slice(1), build })).toEqual({ environments: {} })
})
