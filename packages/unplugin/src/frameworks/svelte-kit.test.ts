import type { ResolvedConfig } from 'vite'
import { expect, it } from 'vitest'
import { svelteKit } from './svelte-kit.ts'

const configOf = (options: unknown) =>
  ({ plugins: [{ name: 'vite-plugin-sveltekit-setup', api: { options } }] }) as unknown as ResolvedConfig
const prefixOf = (options: unknown) => svelteKit.prefix?.(configOf(options), './')
/** Runs the uploads before and after the adapter. */
const open = (options: unknown, upload: () => Promise<void>, uploadServer = async (_: string) => {}) =>
  svelteKit.open?.(configOf(options), { upload, uploadServer })

it.each([
  ['SvelteKit 2', { kit: { paths: { assets: '', base: '/shop' } } }, '/shop/', "SvelteKit's paths.base"],
  ['SvelteKit 3', { paths: { assets: '', base: '' } }, '/', "SvelteKit's paths.base"],
  [
    'a CDN',
    { paths: { assets: 'https://cdn.example.com/a', base: '/shop' } },
    'https://cdn.example.com/a/',
    "SvelteKit's paths.assets",
  ],
])('knows the URL from which browsers load files with %s', (_, options, value, from) => {
  expect(prefixOf(options)).toMatchObject({ value, from })
})

it('knows that a CDN serves the SvelteKit output but not the service worker', () => {
  const kit = { appDir: 'app', paths: { assets: 'https://cdn.example.com/a', base: '/shop' } }
  const prefix = prefixOf({ kit })
  if (!prefix || 'because' in prefix) throw new Error('no prefix')
  expect(prefix.exceptionFor?.('service-worker.js')).toBe('/shop/')
  expect(prefix.exceptionFor?.('app/immutable/entry/app.js')).toBeUndefined()
})

it('runs once before the adapter, and does not change the adapter', async () => {
  const order: string[] = []
  const adapter = {
    async adapt(builder: string) {
      order.push(`adapter ${builder} ${this === adapter}`)
    },
  }
  const { adapt } = adapter
  open({ adapter }, async () => void order.push('upload'))
  await adapter.adapt('one')
  expect(order).toEqual(['upload', 'adapter one true'])
  expect(adapter.adapt).toBe(adapt)
})

it('ends the build before the adapter runs if an upload fails', async () => {
  const adapter = { adapt: () => Promise.reject(new Error('the adapter ran')) }
  open({ adapter }, () => Promise.reject(new Error('refused')))
  await expect(adapter.adapt()).rejects.toThrow('refused')
})

it('reports where adapter-node bundled the server again', async () => {
  const adapter = {
    name: '@sveltejs/adapter-node',
    async adapt(builder: { writeClient?(directory: string): unknown }) {
      builder.writeClient?.('out/client/shop')
    },
  }
  const written: string[] = []
  const told: string[] = []
  open(
    { paths: { base: '/shop' }, adapter },
    async () => {},
    async (server) => void told.push(server),
  )
  await adapter.adapt({ writeClient: (directory) => written.push(directory) })
  expect([written, told]).toEqual([['out/client/shop'], ['out/server']])
})

it.each([
  ['static', 'step'],
  ['node', 'bundled'],
  ['vercel', undefined],
])('knows how adapter-%s changes the server', (name, expected) => {
  expect(svelteKit.server?.(configOf({ adapter: { name: `@sveltejs/adapter-${name}` } }))).toBe(expected)
})
