import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { type NextConfig, removeStandaloneMaps, withSymup } from './next.ts'

afterEach(() => vi.unstubAllEnvs())

const BUILD = 'phase-production-build'
const OPTIONS = { apiKey: 'k', service: 's', version: '1', ignoreConfigFile: true }
const WITH_PLUGINS = { dev: false, isServer: false }

const withWebpack = (config: NextConfig, context = WITH_PLUGINS) =>
  config.webpack?.({ devtool: false }, context).devtool as unknown

it('returns an object, a function or an asynchronous function, whichever it received', async () => {
  vi.stubEnv('TURBOPACK', '1')
  const config = { basePath: '/shop' }
  const made = { productionBrowserSourceMaps: true, basePath: '/shop' }
  expect(withSymup(config, OPTIONS)).toMatchObject(made)
  expect(withSymup(() => config, OPTIONS)).toBeTypeOf('function')
  const plain = withSymup((phase: string) => ({ ...config, distDir: phase }), OPTIONS)
  expect(plain(BUILD)).toMatchObject({ ...made, distDir: BUILD })
  const later = withSymup(
    async (_phase: string, { defaultConfig }: { defaultConfig: object }) => ({ ...config, ...defaultConfig }),
    OPTIONS,
  )
  await expect(later(BUILD, { defaultConfig: { trailingSlash: true } })).resolves.toMatchObject({
    ...made,
    trailingSlash: true,
  })
  // The given config is not changed, because other wrappers may hold it.
  expect(config).toEqual({ basePath: '/shop' })
})

it('changes nothing in other phases, in the dev server, or if it is turned off', () => {
  const config = {}
  expect(withSymup((_phase: string) => config, OPTIONS)('phase-development-server')).toBe(config)
  expect(withSymup((_phase: string) => config, OPTIONS)('phase-production-server')).toBe(config)
  expect(withSymup(config, { ...OPTIONS, enabled: false })).toBe(config)
  vi.stubEnv('NODE_ENV', 'development')
  expect(withSymup(config, OPTIONS)).toBe(config)
})

it('turns on hidden webpack maps only for browser scripts, after the user’s own function', () => {
  vi.stubEnv('TURBOPACK', '')
  const config: NextConfig = { webpack: (own) => ({ ...own, devtool: 'eval' }) }
  const wrapped = withSymup(config, OPTIONS)
  expect(withWebpack(wrapped)).toBe('hidden-source-map')
  expect(withWebpack(wrapped, { dev: false, isServer: true })).toBe('eval')
  expect(withWebpack(wrapped, { dev: true, isServer: false })).toBe('eval')
  // The user's own map setting stays unchanged.
  expect(withWebpack(withSymup({ ...config, productionBrowserSourceMaps: true }, OPTIONS))).toBe('eval')
  expect(withSymup({}, OPTIONS)).not.toHaveProperty('productionBrowserSourceMaps')
})

it('keeps webpack in separate processes, which a `webpack` function would turn off', () => {
  vi.stubEnv('TURBOPACK', '')
  const workerOf = (config: NextConfig) => withSymup(config, OPTIONS).experimental?.webpackBuildWorker
  expect(workerOf({})).toBe(true)
  expect(workerOf({ experimental: { webpackBuildWorker: false } })).toBe(false)
  expect(workerOf({ webpack: (own) => own })).toBeUndefined()
})

it("turns on webpack's server maps only if server code is uploaded", () => {
  vi.stubEnv('TURBOPACK', '')
  const experimentalOf = (config: NextConfig, server: boolean) => withSymup(config, { ...OPTIONS, server }).experimental
  expect(experimentalOf({}, false)).not.toHaveProperty('serverSourceMaps')
  expect(experimentalOf({}, true)).toHaveProperty('serverSourceMaps', true)
})

it('keeps maps that only the wrapper requested out of standalone output', () => {
  vi.stubEnv('TURBOPACK', '')
  const own = { output: 'standalone', outputFileTracingExcludes: { '*': ['a'], '/b': ['c'] } }
  const excludesOf = (config: NextConfig, server: boolean) =>
    withSymup(config, { ...OPTIONS, server }).outputFileTracingExcludes
  expect(excludesOf(own, true)).toEqual({ '*': ['a', '.next/server/**/*.map'], '/b': ['c'] })
  expect(excludesOf(own, false)).toEqual(own.outputFileTracingExcludes)
  expect(excludesOf({ ...own, experimental: { serverSourceMaps: true } }, true)).toEqual(own.outputFileTracingExcludes)
  expect(excludesOf({}, true)).toBeUndefined()
})

it('does not add a webpack function for Turbopack, which would refuse it', () => {
  vi.stubEnv('TURBOPACK', 'auto')
  expect(withSymup({}, OPTIONS)).not.toHaveProperty('webpack')
  expect(withSymup({ turbopack: { root: '/x' } }, { ...OPTIONS, debugIds: true }).turbopack).toEqual({
    root: '/x',
    debugIds: true,
  })
})

it('calls the user’s own hook first, and rethrows its error', async () => {
  vi.stubEnv('TURBOPACK', '1')
  const own = vi.fn(async (_compiled: object) => {
    throw new Error('own hook')
  })
  const { compiler } = withSymup({ compiler: { runAfterProductionCompile: own, removeConsole: true } }, OPTIONS)
  const compiled = { projectDir: '/nowhere', distDir: '/nowhere/.next' }
  await expect(compiler.runAfterProductionCompile(compiled)).rejects.toThrow('own hook')
  expect(own).toHaveBeenCalledWith(compiled)
  expect(compiler.removeConsole).toBe(true)
})

it('removes server maps from standalone output, wherever the traced root is', () => {
  const repository = mkdtempSync(join(tmpdir(), 'symup-next-'))
  const distDir = join(repository, 'apps/shop/.next')
  const copy = join(distDir, 'standalone/apps/shop/.next/server/app')
  const below = join(distDir, 'standalone/node_modules/theirs')
  for (const place of [join(distDir, 'server/app'), copy, below]) {
    mkdirSync(place, { recursive: true })
    for (const file of ['page.js', 'page.js.map']) writeFileSync(join(place, file), '')
  }
  removeStandaloneMaps(distDir)
  expect(readdirSync(copy)).toEqual(['page.js'])
  for (const place of [join(distDir, 'server/app'), below])
    expect(readdirSync(place)).toEqual(['page.js', 'page.js.map'])
  removeStandaloneMaps(join(repository, 'nowhere/.next'))
  rmSync(repository, { recursive: true })
})
