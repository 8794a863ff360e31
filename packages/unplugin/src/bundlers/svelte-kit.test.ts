import { expect, it } from 'vitest'
import { svelteKitOf } from './svelte-kit.ts'

const plugins = (options: unknown) => [{ name: 'vite-plugin-sveltekit-setup', api: { options } }]

it.each([
  ['SvelteKit 2', { kit: { paths: { assets: '', base: '/shop' } } }, '/shop/', "SvelteKit's paths.base"],
  ['SvelteKit 3', { paths: { assets: '', base: '' } }, '/', "SvelteKit's paths.base"],
  [
    'a CDN',
    { paths: { assets: 'https://cdn.example.com/a', base: '/shop' } },
    'https://cdn.example.com/a/',
    "SvelteKit's paths.assets",
  ],
])('knows where the browsers of %s load from', (_, options, value, from) => {
  expect(svelteKitOf(plugins(options))?.prefix).toMatchObject({ value, from })
})

it('knows that a CDN has what SvelteKit made, and not the service worker', () => {
  const kit = { appDir: 'app', paths: { assets: 'https://cdn.example.com/a', base: '/shop' } }
  const prefix = svelteKitOf(plugins({ kit }))?.prefix
  if (!prefix || 'because' in prefix) throw new Error('no prefix')
  expect(prefix.elsewhere?.('service-worker.js')).toBe('/shop/')
  expect(prefix.elsewhere?.('app/immutable/entry/app.js')).toBeUndefined()
})

it('finds no SvelteKit among other plugins', () => {
  expect(svelteKitOf([{ name: 'vite:build' }])).toBeUndefined()
})

it('goes before the adapter, once, and leaves the adapter as it was', async () => {
  const order: string[] = []
  const adapter = {
    async adapt(builder: string) {
      order.push(`adapter ${builder} ${this === adapter}`)
    },
  }
  const { adapt } = adapter
  svelteKitOf(plugins({ adapter }))?.beforeAdapter(async () => void order.push('upload'))
  await adapter.adapt('one')
  expect(order).toEqual(['upload', 'adapter one true'])
  expect(adapter.adapt).toBe(adapt)
})

it('lets a failed upload end the build before the adapter runs', async () => {
  const adapter = { adapt: () => Promise.reject(new Error('the adapter ran')) }
  svelteKitOf(plugins({ adapter }))?.beforeAdapter(() => Promise.reject(new Error('refused')))
  await expect(adapter.adapt()).rejects.toThrow('refused')
})

it('of adapter-node, says where the server was bundled once more', async () => {
  const adapter = {
    name: '@sveltejs/adapter-node',
    async adapt(builder: { writeClient?(directory: string): unknown }) {
      builder.writeClient?.('out/client/shop')
    },
  }
  const written: string[] = []
  const told: string[] = []
  const kit = svelteKitOf(plugins({ paths: { base: '/shop' }, adapter }))
  kit?.beforeAdapter(
    async () => {},
    async (server) => void told.push(server),
  )
  await adapter.adapt({ writeClient: (directory) => written.push(directory) })
  expect([written, told]).toEqual([['out/client/shop'], ['out/server']])
})

it('of adapter-static, says that no server runs', () => {
  expect(svelteKitOf(plugins({ adapter: { name: '@sveltejs/adapter-static' } }))?.isStatic).toBe(true)
  expect(svelteKitOf(plugins({ adapter: { name: '@sveltejs/adapter-node' } }))?.isStatic).toBe(false)
})
