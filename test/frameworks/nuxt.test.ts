import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { symupNuxt } from '../../packages/unplugin/src/frameworks/nuxt.ts'
import type { SymupOptions } from '../../packages/unplugin/src/options.ts'
import { useDirectory, writeIn } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { usePrintedLines } from '../support/printed.ts'
import { hooks } from './nuxt-hooks.ts'

const intake = useIntake()
const root = useDirectory('each')
const printed = usePrintedLines()

const MAP = '{"version":3,"sources":["a.ts"],"sourcesContent":["fail()"],"names":[],"mappings":"AAAA"}'

function write(...files: string[]): void {
  for (const file of files) {
    writeIn(root, file, file.endsWith('.map') ? MAP : 'fail()')
  }
}

let builds = 0

/** An app with another builder than Vite, built step by step. */
function nuxtApp(given: object = {}, more: SymupOptions = {}) {
  const own = hooks()
  const service = `nuxt-${++builds}`
  const options = {
    ...{ dev: false, rootDir: root, buildDir: join(root, '.nuxt'), builder: '@nuxt/webpack-builder' as unknown },
    app: { baseURL: '/shop/', buildAssetsDir: '/_nuxt/', cdnURL: 'https://cdn.example.com' },
    sourcemap: { client: false as boolean | 'hidden', server: true },
    vite: {} as { build?: { sourcemap?: boolean } },
    _layers: [{ config: {} }],
    ...given,
  }
  const module = symupNuxt as (inline: object, nuxt: object) => void
  const common = { ...{ apiKey: 'dev-api-key', endpoint: intake.url, proxy: '', service, version: '1', git: false } }
  const directories = { cacheDirectory: join(root, 'cache') }
  module({ ...common, ...directories, ignoreConfigFile: true, ...more }, { options, hook: own.hook })
  return {
    service,
    options,
    own,
    /** Simulates Nitro. With `isStatic`, it simulates `nuxt generate`. */
    async deploy({ isStatic = false, rollup = {}, publicAssets = [{ dir: join(root, 'public') }] as object[] } = {}) {
      const nitro = hooks()
      const output = { publicDir: join(root, PUBLIC), serverDir: join(root, '.output/server') }
      await own.call('nitro:build:before', { hooks: nitro, options: { static: isStatic, output, publicAssets } })
      await nitro.call('rollup:before', {}, rollup)
      await nitro.call('compiled')
    },
    urls: async () =>
      (await intake.uploads())
        .filter((it) => it.service === service)
        .map(({ event }) => event.minified_url)
        .sort(),
  }
}

const PUBLIC = '.output/public'
const withMap = (file: string) => [file, `${file}.map`]
const isThere = (file: string) => existsSync(join(root, file))

it.each([['@nuxt/webpack-builder'], ['@nuxt/rspack-builder'], [{ bundle: () => undefined }]])(
  'uploads the scripts in the public directory with the builder %s, and deletes only their maps',
  async (builder) => {
    const app = nuxtApp({ builder })
    expect(app.options.sourcemap.client).toBe('hidden')
    await app.own.call('build:before')
    const made = [...withMap(`${PUBLIC}/_nuxt/a.js`), ...withMap(`${PUBLIC}/sw.js`)]
    const copied = withMap(`${PUBLIC}/own.js`)
    write(...made, ...copied, ...withMap('public/own.js'))
    await app.deploy({ isStatic: true })
    expect(await app.urls()).toEqual(['/shop/sw.js', 'https://cdn.example.com/_nuxt/a.js'])
    expect([...made, ...copied].filter((file) => !isThere(file))).toEqual([made[1], made[3]])
  },
)

it('uses separate URLs for scripts that a module copies and for scripts from the builder', async () => {
  const app = nuxtApp({ app: { baseURL: '/shop/', buildAssetsDir: '/_nuxt/' } })
  await app.own.call('build:before')
  write(...withMap(`${PUBLIC}/_nuxt/a.js`), ...withMap(`${PUBLIC}/docs/help.js`))
  write(...withMap('help/help.js'), ...withMap('.nuxt/dist/client/_nuxt/a.js'))
  const publicAssets = [
    { dir: join(root, 'help'), baseURL: '/docs' },
    { dir: join(root, '.nuxt/dist/client') },
    { dir: join(root, 'missing') },
  ]
  await app.deploy({ publicAssets })
  expect(await app.urls()).toEqual(['/shop/_nuxt/a.js'])
  expect(printed.join('\n')).toContain(
    'Server code from Nitro is not uploaded by default. To also upload server code, set server: true.',
  )
})

it("uploads Nitro's bundles with sources once, on request", async () => {
  const app = nuxtApp({}, { server: { service: 'shop-server', minifiedPathPrefix: '/app' } })
  await app.own.call('build:before')
  write(...withMap(`${PUBLIC}/_nuxt/a.js`), ...withMap('.output/server/index.mjs'))
  const rollup = {
    output: { sourcemapExcludeSources: true },
    plugins: [{ name: 'nitro:sourcemap-minify' }, { name: 'theirs' }, {}],
  }
  await app.deploy({ rollup })
  expect(rollup).toEqual({ output: { sourcemapExcludeSources: false }, plugins: [{ name: 'theirs' }, {}] })
  const server = (await intake.uploads()).filter(({ service }) => service === 'shop-server')
  expect(server.map(({ event }) => event.minified_url)).toEqual(['/app/index.mjs'])
  // The user's own setting decides whether a server's maps stay.
  expect(isThere('.output/server/index.mjs.map')).toBe(true)
  expect(printed.join('\n')).not.toContain('is not uploaded')
})

it("deletes a server's maps on request, but a static site has no server", async () => {
  const app = nuxtApp({}, { server: { service: 'shop-static', minifiedPathPrefix: '/app' }, deleteAfterUpload: true })
  await app.own.call('build:before')
  write(...withMap(`${PUBLIC}/_nuxt/a.js`), ...withMap('.output/server/index.mjs'))
  await app.deploy({ isStatic: true })
  expect(isThere('.output/server/index.mjs.map')).toBe(true)
  await app.own.call('build:before')
  write(...withMap(`${PUBLIC}/_nuxt/a.js`))
  await app.deploy()
  expect(isThere('.output/server/index.mjs.map')).toBe(false)
})

it("keeps Nitro's config the same without the module if server code is uploaded", async () => {
  const app = nuxtApp()
  await app.own.call('build:before')
  write(...withMap(`${PUBLIC}/_nuxt/a.js`))
  const rollup = { output: { sourcemapExcludeSources: true }, plugins: [{ name: 'nitro:sourcemap-minify' }] }
  await app.deploy({ rollup })
  expect(rollup.output.sourcemapExcludeSources).toBe(true)
  expect(rollup.plugins).toHaveLength(1)
})

it.each([
  ['true in a lower layer', [{ config: {} }, { config: { sourcemap: true } }], {}, true],
  [
    'false in the app, regardless of lower layers',
    [{ config: { sourcemap: false } }, { config: { sourcemap: true } }],
    {},
    false,
  ],
  ['only for browsers', [{ config: { sourcemap: { client: 'hidden', server: false } } }], {}, 'kept'],
  ['only for a server', [{ config: { sourcemap: { server: true } } }], {}, 'asked for'],
  ["Vite's own if maps are on", [{ config: { sourcemap: true } }], { build: { sourcemap: 'hidden' } }, 'kept'],
  ["Vite's own if maps are off", [{ config: {} }], { build: { sourcemap: true } }, 'asked for'],
])('follows a map setting that is %s', async (_, _layers, vite, expected) => {
  const app = nuxtApp({ _layers, vite })
  expect(app.options.sourcemap.client).toBe(expected === 'asked for' ? 'hidden' : false)
  await app.own.call('build:before')
  const logged = printed.join('\n')
  expect(logged.includes("maps-linked: Nuxt's sourcemap.client is true"), logged).toBe(expected === true)
  expect(logged.includes("sourcemaps-off: Nuxt's sourcemap.client is false"), logged).toBe(expected === false)
  if (expected === 'asked for') expect(app.options.vite.build?.sourcemap).toBeUndefined()
})

it.each(['webpack:config', 'rspack:config'])('writes debug ids into browser code in %s', async (name) => {
  const app = nuxtApp({}, { debugIds: true })
  const configs = ['server', 'client'].map((name) => ({ name, plugins: [] as object[] }))
  await app.own.call(name, configs)
  expect(configs.map(({ plugins }) => plugins.length)).toEqual([0, 1])
  const without = nuxtApp()
  await without.own.call(name, configs)
  expect(configs.map(({ plugins }) => plugins.length)).toEqual([0, 1])
})

it.each([
  ['the dev server', { dev: true }, {}],
  ['`nuxt prepare`', { _prepare: true }, {}],
  ['a plugin that is turned off', {}, { enabled: false }],
])('does not change %s', async (_, given, more) => {
  const app = nuxtApp(given, more)
  expect(app.options.sourcemap.client).toBe(false)
  write(...withMap(`${PUBLIC}/_nuxt/a.js`))
  await app.own.call('build:before')
  await app.deploy()
  expect(await app.urls()).toEqual([])
  expect(printed).toEqual([])
})

it("takes the options from Nuxt's config, and prefers those next to the module name", async () => {
  const app = nuxtApp({ symup: { version: '2', minifiedPathPrefix: '/own/' } })
  await app.own.call('build:before')
  write(...withMap(`${PUBLIC}/_nuxt/a.js`))
  await app.deploy()
  expect(await app.urls()).toEqual(['/own/_nuxt/a.js'])
  const [upload] = (await intake.uploads()).filter(({ service }) => service === app.service)
  expect(upload?.version).toBe('1')
  expect(await (symupNuxt as { getMeta(): Promise<object> }).getMeta()).toEqual({ name: 'symup', configKey: 'symup' })
})
