import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as viteBuild } from 'vite'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { usePrintedLines } from '../../../../test/support/printed.ts'
import { OPTIONS } from '../dry-run.fixture.ts'
import type { SymupOptions } from '../options.ts'
import { symupAstro } from './astro.ts'

// test/frameworks runs Astro itself. These tests call the integration's hooks around a Vite build.

const root = useDirectory('each')
const printed = usePrintedLines()
beforeEach(() => {
  writeFileSync(join(root, 'a.ts'), "console.log('a')")
})

type Integration = ReturnType<typeof symupAstro>
interface Added {
  vite?: { plugins: never[] }
  integrations?: Integration[]
}

/** The Vite plugins and integrations that symup adds to Astro's config. */
function setUp({ hooks }: Integration, command: string, logger: { options?: { level?: string } } = {}): Added {
  const added: Added = {}
  hooks['astro:config:setup']?.({ command, logger, updateConfig: (config) => Object.assign(added, config) })
  return added
}

interface Build {
  config?: { base?: string; build?: object; vite?: object }
  options?: SymupOptions
  level?: string
  sourcemap?: boolean | 'hidden'
  ssr?: boolean
  /** Integrations that other integrations put before symup's. */
  integrations?: Integration[]
}

/** Builds. @returns the log before the pages are rendered, and the log after. */
async function build({ config = {}, options = OPTIONS, level, sourcemap, ssr, integrations = [] }: Build = {}) {
  const integration = symupAstro(options)
  const added = setUp(integration, 'build', level === undefined ? {} : { options: { level } })
  const all = [...integrations, ...(added.integrations ?? [])]
  const whole = { base: '/', vite: {}, integrations: all, ...config, build: { assets: '_astro', ...config.build } }
  integration.hooks['astro:config:done']?.({ config: whole })
  await viteBuild({
    ...{ root, configFile: false, logLevel: 'silent', plugins: added.vite?.plugins ?? [] },
    build: {
      outDir: 'pages',
      ...(sourcemap !== undefined && { sourcemap }),
      ...(ssr && { ssr }),
      rollupOptions: {
        input: join(root, 'a.ts'),
        output: { entryFileNames: '_astro/[name].js' },
      },
    },
  })
  const before = printed.splice(0).join('\n')
  for (const { hooks } of all) await hooks['astro:build:done']?.()
  const after = printed.splice(0).join('\n')
  for (const { hooks } of all) await hooks['astro:build:done']?.()
  return { before, after, again: printed.join('\n') }
}

describe('the Astro integration', () => {
  it.each([
    ['build', true],
    ['dev', true],
    ['preview', false],
    ['sync', false],
  ])('takes part in astro %s: %s', (command, has) => {
    const integration = symupAstro(OPTIONS)
    const { vite, integrations } = setUp(integration, command)
    expect(integration.name).toBe('symup')
    expect(vite?.plugins.length).toBe(has ? 1 : undefined)
    expect(integrations?.map(({ name }) => name)).toEqual(has ? ['symup:upload'] : undefined)
  })

  it('does nothing if the Astro integration is turned off', () => {
    expect(symupAstro({ ...OPTIONS, enabled: false })).toEqual({ name: 'symup', hooks: {} })
  })

  it("uploads before Vercel's adapter copies its deployment, so that no map is copied", async () => {
    const seen: boolean[] = []
    const copy = vi.fn(async () => void seen.push(existsSync(join(root, 'pages/_astro/a.js.map'))))
    const integrations = [{ name: 'astro:copy-vercel-output', hooks: { 'astro:build:done': copy } }]
    const options = {
      ...OPTIONS,
      dryRun: false,
      apiKey: 'a-key',
      endpoint: 'http://127.0.0.1:1',
      proxy: '',
      attempts: 1,
    }
    const { after } = await build({ options: { ...options, cacheDirectory: join(root, 'cache') }, integrations })
    expect(after).toContain('upload')
    expect(seen[0]).toBe(false)
  })

  it("uploads server code before Vercel's adapter moves it", async () => {
    const seen: string[][] = []
    const move = async () => {
      seen.push(printed.filter((line) => line.includes('→')))
      rmSync(join(root, 'pages'), { recursive: true, force: true })
    }
    const integrations = [{ name: '@astrojs/vercel', hooks: { 'astro:build:done': move } }]
    await build({ options: { ...OPTIONS, server: true }, ssr: true, integrations })
    expect(seen[0]?.join()).toContain('/pages/_astro/a.js')
  })

  it('uploads once, after all pages are rendered', async () => {
    const { before, after, again } = await build()
    expect(before).not.toContain('a.js')
    expect(after).toContain('→ /_astro/a.js')
    expect(again).toBe('')
  })
})

describe('the prefix in Astro', () => {
  const CDN = 'https://cdn.example.com/'
  it.each([
    ["Astro's base", {}, "/ ← Astro's base"],
    ["Vite's base", { base: '/shop/' }, "/shop/ ← Astro's base"],
    ['assetsPrefix', { base: '/shop/', build: { assetsPrefix: CDN } }, `${CDN} ← Astro's build.assetsPrefix`],
    [
      'the asset prefix for scripts',
      { build: { assetsPrefix: { js: CDN, fallback: '/x/' } } },
      `${CDN} ← Astro's build.assetsPrefix`,
    ],
    [
      'the fallback asset prefix',
      { build: { assetsPrefix: { css: '/x/', fallback: CDN } } },
      `${CDN} ← Astro's build.assetsPrefix`,
    ],
    [
      'the base if only other files have an asset prefix',
      { build: { assetsPrefix: { css: CDN } } },
      "/ ← Astro's base",
    ],
  ])('takes the prefix from %s', async (_, config, expected) => {
    const { before, after } = await build({ config })
    expect(before + after).toContain(`minifiedPathPrefix = ${expected}`)
  })
})

describe('source maps in Astro', () => {
  const OFF = 'sourcemaps-off'
  const LINKED = 'maps-linked'
  it.each<[string, Build, string[]]>([
    ['cause no message if the config does not set them', {}, []],
    [
      'cause a message if the config turns on linked maps',
      { config: { vite: { build: { sourcemap: true } } }, sourcemap: true },
      [LINKED],
    ],
    [
      'cause a message if the config turns them off',
      { config: { vite: { build: { sourcemap: false } } }, sourcemap: false },
      [OFF],
    ],
    [
      'follow the setting for browsers if both are set',
      {
        config: {
          vite: { build: { sourcemap: true }, environments: { client: { build: { sourcemap: false } } } },
        },
        sourcemap: false,
      },
      [OFF],
    ],
    ['cause no message if Astro, not the user, turned them off', { sourcemap: false }, []],
    [
      'cause no message if only a server has them',
      { config: { vite: { environments: { ssr: { build: { sourcemap: true } } } } } },
      [],
    ],
    ['cause no message if a client has no setting', { config: { vite: { environments: { client: {} } } } }, []],
  ])('%s', async (_, request, codes) => {
    const { before, after } = await build(request)
    expect([OFF, LINKED].filter((code) => (before + after).includes(code))).toEqual(codes)
    expect(after.includes('→ /_astro/a.js')).toBe(!codes.includes(OFF))
  })
})

it.each([
  ['info', true],
  [undefined, true],
  ['warn', false],
  ['silent', false],
])("shows details at Astro's log level %s: %s", async (level, isShown) => {
  const { before, after } = await build(level === undefined ? {} : { level })
  expect((before + after).includes('minifiedPathPrefix = ')).toBe(isShown)
})
