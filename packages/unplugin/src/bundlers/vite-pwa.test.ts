import { expect, it } from 'vitest'
import { nameWorkersMap } from './vite-pwa.ts'

function pwa(sourcemap: unknown, name = 'vite-plugin-pwa') {
  const seen: Record<string, unknown>[] = []
  const plugin = { name, configResolved: (config: Record<string, unknown>) => seen.push(config) }
  nameWorkersMap([false, [[plugin]]])
  nameWorkersMap([plugin])
  const config = { root: '/app', build: { sourcemap, outDir: 'dist' } }
  plugin.configResolved(config)
  return { config, seen: seen[0] }
}

it('vite-plugin-pwa builds a service worker that names its map, as Workbox does not move a hidden one', () => {
  const { config, seen } = pwa('hidden')
  expect(seen).toEqual({ root: '/app', build: { sourcemap: true, outDir: 'dist' } })
  expect({ ...seen }).toEqual(seen)
  // What is said later is said to both, and the app's own maps stay hidden.
  Object.assign(config, { base: '/shop/' })
  expect(seen).toMatchObject({ base: '/shop/' })
  expect(config.build.sourcemap).toBe('hidden')
})

it('no other setting, and no other plugin, is changed', () => {
  expect(pwa(false).seen).toEqual({ root: '/app', build: { sourcemap: false, outDir: 'dist' } })
  expect(pwa('hidden', 'other').seen).toMatchObject({ build: { sourcemap: 'hidden' } })
})
