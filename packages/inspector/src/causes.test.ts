import type { EnrichedFrame } from '@symup/intake/inspector'
import { afterAll, expect, it, vi } from 'vitest'
import { type Cause, prefixFix } from './causes.ts'

vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en'] }))
afterAll(() => vi.unstubAllGlobals())

const cause = (reported: string, fix = 'Upload with the path prefix /shop instead of /.') => {
  const frames = [{ file: `https://h${reported}` } as EnrichedFrame]
  return { code: 'prefix-mismatch', messages: [], fix, frames, isFailure: true } as unknown as Cause
}

it.each([
  ['vite', '/shop/assets/a.js', "`base: '/shop/'` in `vite.config`"],
  ['vite', '/shop/_astro/a.js', "`base: '/shop/'` in `astro.config`"],
  ['vite', '/shop/_app/immutable/a.js', "`kit: { paths: { base: '/shop' } }` in `svelte.config`"],
  ['webpack', '/shop/a.js', "`output: { publicPath: '/shop/' }` in `webpack.config`"],
  ['rspack', '/shop/a.js', "`output: { publicPath: '/shop/' }` in `rspack.config`"],
  ['rsbuild', '/shop/a.js', "`output: { assetPrefix: '/shop/' }` in `rsbuild.config`"],
  ['farm', '/shop/a.js', "`compilation: { output: { publicPath: '/shop/' } }` in `farm.config`"],
  ['next', '/shop/_next/static/a.js', "`basePath: '/shop'` in `next.config`"],
  ['nuxt', '/shop/_nuxt/a.js', "`app: { baseURL: '/shop/' }` in `nuxt.config`"],
  ['angular', '/shop/a.js', '`"baseHref": "/shop/"` in `angular.json`'],
])('shows the %s setting for %s', (plugin, reported, setting) =>
  expect(prefixFix(cause(reported), `symup-${plugin}`)).toBe(
    `Set ${setting} and rebuild. If you set \`minifiedPathPrefix\`, make it start with \`/shop/\` instead of \`/\`.`,
  ),
)

it.each([
  ['rollup', '/shop/'],
  ['esbuild', '/shop/'],
  ['parcel', '/shop/'],
  ['vite', 'app:///'],
])('shows the symup option for %s and %s', (plugin, prefix) =>
  expect(prefixFix(cause('/shop/a.js', `Upload with the path prefix ${prefix} instead of /.`), `symup-${plugin}`)).toBe(
    `Make symup’s option \`minifiedPathPrefix\` start with \`${prefix}\` instead of \`/\`, and rebuild.`,
  ),
)

it.each(['symup-cli', 'symup-gradle', 'datadog-ci', null])('does not change the fix for uploads from %s', (sender) =>
  expect(prefixFix(cause('/shop/a.js'), sender)).toBeUndefined(),
)
