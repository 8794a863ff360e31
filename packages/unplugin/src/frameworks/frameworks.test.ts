import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ResolvedConfig } from 'vite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { prefixOf, projectOf, runsOnServer } from '../bundlers/vite-config.ts'
import { FRAMEWORKS, frameworksIn } from './detect.ts'
import type { EnvironmentBuild } from './framework.ts'

const directory = useDirectory('each')

const labelsIn = (names: string[], outDir = 'dist') =>
  frameworksIn({ plugins: names.map((name) => ({ name })), build: { outDir } }).map(({ label }) => label)
const configOf = (config: object = {}) =>
  ({ base: '/app/', plugins: [], root: '/work', build: { outDir: 'dist' }, ...config }) as unknown as ResolvedConfig

afterEach(() => vi.unstubAllEnvs())

it.each<[string[], string[]]>([
  [['storybook:code-generator-plugin'], ['Storybook']],
  [['vitest'], ['Vitest']],
  [['playwright:component-index'], ['Playwright']],
  [['ladle:core'], ['Ladle']],
  [['histoire-vite-plugin'], ['Histoire']],
  [['vite:react', 'vite:dts', 'storybook-like', 'my-vitest-helper', 'vite-plugin-compression'], []],
  [['nuxt:environments'], ['Nuxt']],
  [['astro:build'], ['Astro']],
  [['vite:electron-main-config-preset'], ['electron-vite']],
  [['vite-plugin-sveltekit-setup'], ['SvelteKit']],
  [['vite-plugin-pwa'], ['vite-plugin-pwa']],
  [['vite-prerender-plugin'], ['vite-prerender-plugin']],
  [['wxt:globals'], ['WXT']],
  [
    ['wxt:globals', 'vite:vue'],
    ['WXT', 'WXT+Vue'],
  ],
  [['quasar:html'], ['Quasar']],
  [['vite:quasar:scss'], []],
  [['strapi/server/build-files'], ['Strapi']],
  [['vite:build', 'nitro'], []],
  [['solid-start-vite-plugin-nitro'], ['Nitro 2']],
  [['tanstack-nitro-v2-vite-plugin'], ['Nitro 2']],
  [['tanstack-vite-plugin-nitro'], ['Nitro 2']],
  [['@analogjs/vite-plugin-nitro'], ['Analog']],
  [['nitro:main'], ['Nitro 3']],
  [['tanstack-nitro-v2-vite-plugin', 'nitro:main'], ['Nitro 3']],
])('assigns the plugins %j to %j', (names, labels) => expect(labelsIn(names)).toEqual(labels))

it('finds plugins in nested lists with gaps and promises', () => {
  const plugins = [false, undefined, Promise.resolve({ name: 'vitest' }), [{ name: 'vite:vue' }, [{ name: 'ladle:x' }]]]
  expect(frameworksIn({ plugins }).map(({ label }) => label)).toEqual(['Ladle'])
})

it.each([
  ['.vite/build', true],
  ['.vite/renderer/main_window', true],
  ['.vite/renderer/', true],
  ['dist', false],
  ['.vite/deps', false],
])('detects Electron Forge by its output directory %s: %s', (outDir, expected) => {
  expect(labelsIn([], outDir)).toEqual(expected ? ['Electron Forge'] : [])
})

it.each([
  ['mp-weixin', true],
  ['h5', false],
])('detects a mini program if uni-app builds for %s: %s', (platform, expected) => {
  vi.stubEnv('UNI_PLATFORM', platform)
  expect(labelsIn([])).toEqual(expected ? ['uni-app'] : [])
})

it('gives every framework a unique name', () => {
  const labels = FRAMEWORKS.map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
})

describe('the prefix of a Vite build', () => {
  const prefix = (config: object, hasRelativeBase = false) => {
    const whole = configOf(config)
    return prefixOf(whole, frameworksIn(whole), hasRelativeBase)
  }

  it.each<[string, object, object | undefined]>([
    ['is its base', {}, { value: '/app/', from: "Vite's base" }],
    [
      "is missing if a user's function sets the URLs",
      { experimental: { renderBuiltUrl: () => '' } },
      { because: 'experimental.renderBuiltUrl in the Vite config determines the URLs' },
    ],
    [
      'is its base if the function belongs to Nuxt',
      { experimental: { renderBuiltUrl: () => '' }, plugins: [{ name: 'nuxt:test' }] },
      { value: '/app/', from: "Vite's base" },
    ],
    [
      'is its path in the installed app',
      { build: { outDir: '.vite/build' } },
      { value: 'app:///.vite/build', from: "the Electron app's build.outDir" },
    ],
  ])('%s', (_, config, expected) => expect(prefix(config)).toEqual(expected))

  it('does not come from a relative base, although Vite turns it into `/` for a server', () => {
    expect(prefix({ base: '/' }, true)).toEqual({ because: "Vite's base is relative ('./')" })
  })
})

it('recognizes that Node code from electron-vite ships with the app', () => {
  const config = configOf({ build: { ssr: true }, plugins: [{ name: 'vite:electron-main-config-preset' }] })
  expect(runsOnServer({}, config, frameworksIn(config))).toBe(false)
})

it('uses the directory of package.json as the project in Nuxt, which builds in a subdirectory', () => {
  const root = join(directory, 'app')
  mkdirSync(root)
  writeFileSync(join(directory, 'package.json'), '{}')
  expect(projectOf({ root }, frameworksIn({ plugins: [{ name: 'nuxt:environments' }] }))).toBe(directory)
  expect(projectOf({ root }, [])).toBe(root)
})

describe('an environment in Nitro', () => {
  /** The actions of a framework before and after an environment is built. */
  async function doneBy(plugin: string, environment: string, more: Partial<EnvironmentBuild> = {}) {
    const done: string[] = []
    const build: EnvironmentBuild = {
      ...{ environment, building: new Set(), isApp: true },
      upload: async () => void done.push('upload'),
      uploadServer: async (directory) => void done.push(directory),
      ...more,
    }
    const [framework] = frameworksIn({ plugins: [{ name: plugin }] })
    await framework?.before?.(build)
    done.push('built')
    await framework?.after?.(build)
    return done
  }
  const building = new Set(['client'])

  it.each<[string, string, Partial<EnvironmentBuild>, string[]]>([
    ['nitro:main', 'ssr', {}, ['built']],
    ['nitro:main', 'nitro', { directory: '/out' }, ['upload', 'built', '/out']],
    ['nitro:main', 'nitro', {}, ['upload', 'built']],
    ['tanstack-vite-plugin-nitro', 'client', {}, ['built']],
    ['tanstack-vite-plugin-nitro', 'ssr', {}, ['built', 'upload']],
    ['tanstack-vite-plugin-nitro', 'ssr', { isApp: false }, ['built']],
    ['@analogjs/vite-plugin-nitro', 'ssr', { building }, ['built']],
    ['@analogjs/vite-plugin-nitro', 'client', {}, ['built', 'upload']],
  ])('runs with %s, %s (%j): %j', async (plugin, environment, more, expected) => {
    expect(await doneBy(plugin, environment, more)).toEqual(expected)
  })
})
