import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build as viteBuild } from 'vite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { symupAngular } from '../../packages/unplugin/src/frameworks/angular.ts'
import { symupAstro } from '../../packages/unplugin/src/frameworks/astro.ts'
import { withSymup as withMetro } from '../../packages/unplugin/src/frameworks/metro.ts'
import { withSymup as withNext } from '../../packages/unplugin/src/frameworks/next.ts'
import { symupNuxt } from '../../packages/unplugin/src/frameworks/nuxt.ts'
import type { SymupOptions } from '../../packages/unplugin/src/options.ts'
import { useIntake } from '../support/intake.ts'
import { isKeyCheck } from '../support/key-check.ts'
import { printedLines } from '../support/printed.ts'
import { startServer } from '../support/server.ts'
import { type Action, hooks } from './nuxt-hooks.ts'

/** Options that every bundler plugin has, in every framework. Each framework builds `a.js` and `b.js` in its own way. */

const intake = useIntake()
let printed: string[]
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-options-'))
  printed = printedLines()
  vi.stubEnv('TURBOPACK', '1')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

const MAP = '{"version":3,"sources":["a.ts"],"sourcesContent":["fail()"],"names":[],"mappings":"AAAA"}'
const SCRIPT = 'fail()\n//# sourceMappingURL='

/** Writes two scripts with their maps. */
function write(directory: string): void {
  mkdirSync(join(root, directory), { recursive: true })
  for (const name of ['a.js', 'b.js']) {
    writeFileSync(join(root, directory, name), `${SCRIPT}${name}.map`)
    writeFileSync(join(root, directory, `${name}.map`), MAP)
  }
}

async function next(options: SymupOptions): Promise<void> {
  const { compiler } = withNext({ compiler: {} as { runAfterProductionCompile?: Action } }, options)
  write('.next/static/chunks')
  await compiler.runAfterProductionCompile?.({ projectDir: root, distDir: join(root, '.next') })
}

async function nuxt(options: SymupOptions): Promise<void> {
  const [own, nitro] = [hooks(), hooks()]
  const module = symupNuxt as (inline: object, nuxt: object) => void
  module(options, {
    hook: own.hook,
    options: {
      ...{ dev: false, rootDir: root, buildDir: join(root, '.nuxt'), builder: '@nuxt/webpack-builder', vite: {} },
      app: { baseURL: '/', buildAssetsDir: '/_nuxt/' },
      sourcemap: { client: false, server: false },
      _layers: [{ config: {} }],
    },
  })
  await own.call('build:before')
  write('public/chunks')
  const output = { publicDir: join(root, 'public'), serverDir: join(root, 'server') }
  await own.call('nitro:build:before', { hooks: nitro, options: { static: true, output, publicAssets: [] } })
  await nitro.call('rollup:before', {}, {})
}

async function angular(options: SymupOptions, own: object = {}, browser = 'dist/shop/browser/chunks'): Promise<void> {
  const builder = symupAngular(async function* () {
    write(browser)
    yield { success: true }
  })
  const context = {
    workspaceRoot: root,
    target: { project: 'shop' },
    getProjectMetadata: async () => ({ root: '' }),
    validateOptions: async () => ({}),
  }
  for await (const { error } of builder({ baseHref: '/', ...own, symup: options }, context))
    expect(error).toBeUndefined()
}

async function astro(options: SymupOptions, server = 'pages'): Promise<void> {
  type Setup = { vite?: { plugins: never[] }; integrations?: ReturnType<typeof symupAstro>[] }
  const { hooks } = symupAstro(options)
  const added: Setup = {}
  const updateConfig = (config: object) => Object.assign(added, config)
  hooks['astro:config:setup']?.({ command: 'build', logger: {}, updateConfig })
  const config = { base: '/', integrations: [], build: { assets: '_astro' }, vite: {} }
  hooks['astro:config:done']?.({ config })
  for (const name of ['a', 'b']) writeFileSync(join(root, `${name}.ts`), `console.log('${name}')`)
  const input = ['a', 'b'].map((name) => join(root, `${name}.ts`))
  const plugins = added.vite?.plugins ?? []
  const buildFor = (ssr: boolean, outDir: string) =>
    viteBuild({
      ...{ root, configFile: false, logLevel: 'silent', plugins },
      build: {
        ssr,
        outDir,
        emptyOutDir: false,
        rollupOptions: { input, output: { entryFileNames: 'chunks/[name].js' } },
      },
    })
  // Astro runs two builds. The first one renders its pages.
  await buildFor(true, server)
  await buildFor(false, 'pages')
  for (const { hooks } of added.integrations ?? []) await hooks['astro:build:done']?.()
}

async function expo(options: SymupOptions): Promise<void> {
  const artifacts = ['a.js', 'b.js'].flatMap((name) => [
    { filename: `chunks/${name}`, type: 'js', source: `${SCRIPT}${name}.map` },
    { filename: `chunks/${name}.map`, type: 'map', source: MAP },
  ])
  const config = { serializer: { customSerializer: async (..._: unknown[]) => artifacts } }
  withMetro(config, options)
  const given = { dev: false, projectRoot: root, serializerOptions: { output: 'static' } }
  await config.serializer.customSerializer('index.js', [], { transformOptions: { platform: 'web' } }, given)
}

const FRAMEWORKS = { next, nuxt, angular, astro, expo }
/** The uploader that the intake records. */
const ORIGINS = { next: 'next', nuxt: 'nuxt', angular: 'angular', astro: 'vite', expo: 'metro' }
const NAMES = Object.keys(FRAMEWORKS) as (keyof typeof FRAMEWORKS)[]
const common = (service: string): SymupOptions => ({
  ...{ apiKey: 'dev-api-key', endpoint: intake.url, proxy: '', service, version: '1.2.3' },
  ...{ git: false, ignoreConfigFile: true, cacheDirectory: join(root, 'cache') },
})

it.each(NAMES)('supports include, a prefix for each file, and a log level in %s', async (name) => {
  const minifiedPathPrefix = (file: string) => `https://cdn.example.com/${file.replace(/\W/g, '-')}/`
  const options = { include: '**/chunks/*.js', exclude: '**/b.js', logLevel: 'silent', minifiedPathPrefix } as const
  await FRAMEWORKS[name]({ ...common(name), ...options })
  const uploads = (await intake.uploads()).filter(({ service }) => service === name)
  const urls = uploads.map(({ event }) => ('minified_url' in event ? event.minified_url : undefined))
  expect(urls).toEqual([expect.stringMatching(/^https:\/\/cdn\.example\.com\/[\w-]*chunks-a-js\/[\w/]*chunks\/a\.js$/)])
  expect(printed).toEqual([])
})

it.each([
  ['pages', 0],
  ['pages/node', 1],
])('in %s, Astro prints %i lines for server output', async (server, lines) => {
  await astro(common(`astro ${server}`), server)
  expect(
    printed.filter((line) => line.includes('runs on a server and is not uploaded')),
    printed.join('\n'),
  ).toHaveLength(lines)
})

it.each([
  ['cdn/', '/shop/de/cdn/'],
  ['https://cdn.example.com/', 'https://cdn.example.com/'],
])("puts Angular's deployUrl %s below the base of each locale's page", async (deployUrl, prefix) => {
  const own = { baseHref: '/shop/', localize: ['de'], deployUrl }
  await angular(common(`angular ${prefix}`), own, 'dist/shop/browser/de')
  const uploads = (await intake.uploads()).filter(({ service }) => service === `angular ${prefix}`)
  const urls = uploads.map(({ event }) => ('minified_url' in event ? event.minified_url : undefined))
  expect(urls.sort()).toEqual([`${prefix}a.js`, `${prefix}b.js`])
})

it.each(NAMES)('supports proxy and attempts in %s', async (name) => {
  let asked = 0
  const origins = new Set<unknown>()
  const proxy = await startServer((request, response) => {
    if (request.url === `${intake.url}/sourcemap/upload` && !isKeyCheck(request)) asked++
    origins.add(request.headers['dd-evp-origin'])
    response.writeHead(503, { 'Retry-After': '0' }).end()
  })
  const options = { proxy: proxy.url, attempts: 2, concurrency: 1, exclude: '**/b.js' }
  await FRAMEWORKS[name]({ ...common(`${name}-proxy`), ...options })
  await proxy.close()
  expect(asked).toBe(2)
  expect([...origins]).toContain(`symup-${ORIGINS[name]}`)
  expect(printed.join('\n')).toContain('Upload failed: 0 of 1 artifact uploaded')
})
