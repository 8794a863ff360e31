import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withSymup } from './metro.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-metro-'))
  vi.spyOn(console, 'info').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true, force: true })
})

// No intake is there: what is written does not depend on it.
const INTAKE = { apiKey: 'a-key', endpoint: 'http://127.0.0.1:1', proxy: '', attempts: 1 }
const OPTIONS = { ...INTAKE, service: 'shop', version: '1', ignoreConfigFile: true, git: false }
const MAP = JSON.stringify({ version: 3, sources: ['a.ts'], sourcesContent: ['pay()'], names: [], mappings: 'AAAA' })
const SCRIPT = 'pay()\n//# sourceMappingURL=/a.js.map\n//# debugId=1'
const artifacts = () => [
  { filename: 'a.js', type: 'js', source: SCRIPT },
  { filename: 'a.js.map', type: 'map', source: MAP },
  { filename: 'a.css', type: 'css', source: 'p{}' },
]

/** What comes back from a serializer that answers `built`, and the options that it was given. */
async function serialized(built: unknown, options: object = {}, more: object = {}) {
  const serializer = vi.fn(async (..._: unknown[]) => built)
  const config = { serializer: { customSerializer: serializer } }
  expect(withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache') })).toBe(config)
  const graph = { transformOptions: { platform: 'web', ...more } }
  const given = { dev: false, projectRoot: root, serializerOptions: { output: 'static' }, ...options }
  const answer = await config.serializer.customSerializer('index.js', [], graph, given)
  return { answer, asked: serializer.mock.calls[0]?.[3] as typeof given & { serializerOptions: object }, given }
}

it('a config stays the same object; a function and a promise give one', async () => {
  const config = () => ({ serializer: { customSerializer: async () => '' } })
  const own = config()
  expect(withSymup(own, { ...OPTIONS, enabled: false })).toBe(own)
  expect(withSymup({ resolver: {} }, OPTIONS)).toEqual({ resolver: {} })
  const made = withSymup(config, OPTIONS)()
  expect(made.serializer.customSerializer).not.toBe(own.serializer.customSerializer)
  await expect(withSymup(Promise.resolve(own), OPTIONS)).resolves.toBe(own)
})

it.each([
  ['a list', (list: object[]) => list],
  ['an object', (list: object[]) => ({ artifacts: list, assets: [] })],
])('%s of files: maps are made, and neither they nor the names of them are written', async (_, wrap) => {
  const { answer, asked } = await serialized(wrap(artifacts()))
  expect(asked.serializerOptions).toEqual({ output: 'static', includeSourceMaps: true })
  const kept = [{ filename: 'a.js', type: 'js', source: 'pay()' }, artifacts()[2] as object]
  expect(answer).toEqual(wrap(kept))
})

it('maps that the user asked for stay', async () => {
  const options = { serializerOptions: { output: 'static', includeSourceMaps: true } }
  expect((await serialized(artifacts(), options)).answer).toEqual(artifacts())
})

it.each([
  ['the development server', { dev: true }, {}],
  ['a bundle that a native build compiles', { serializerOptions: {} }, { platform: 'ios' }],
  ['what runs on a server', {}, { customTransformOptions: { environment: 'node' } }],
  ['a DOM component', {}, { customTransformOptions: { dom: 'a' } }],
])('%s is left alone', async (_, options, more) => {
  const built = artifacts()
  const { answer, asked, given } = await serialized(built, options, more)
  expect(answer).toBe(built)
  expect(asked).toBe(given)
})

describe('what expo export is done with', () => {
  let printed: string[]
  beforeEach(() => {
    printed = []
    for (const method of ['log', 'info', 'warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((line) => void printed.push(String(line)))
  })

  const bundle = (filename: string, metadata?: object) => [
    { filename, type: 'js', source: SCRIPT, metadata },
    { filename: `${filename}.map`, type: 'map', source: MAP },
  ]

  /** What is said of an export that uploads nothing, with its bundles and the settings of its platform. */
  async function exported(built: unknown, more: object, own: object = {}): Promise<string> {
    const config = { serializer: { customSerializer: async (..._: unknown[]) => built } }
    withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache'), dryRun: true, ...own })
    const given = { dev: false, projectRoot: root, serializerOptions: { output: 'static' } }
    await config.serializer.customSerializer('index.js', [], { transformOptions: more }, given)
    return printed.join('\n')
  }

  it.each([
    ['ios', 'main.jsbundle'],
    ['android', 'index.android.bundle'],
  ])(
    'of %s the bundle has the name %s, which SDKs report; a part that is loaded later keeps its own',
    async (platform, name) => {
      const built = [
        ...bundle('_expo/static/js/index-1.hbc'),
        ...bundle('_expo/static/js/later-2.hbc', { isAsync: true }),
      ]
      const said = await exported(built, { platform })
      expect(said).toContain('Dry run: 2 artifacts')
      expect(said).toContain(name)
      expect(said).toMatch(/later-2\.hbc/)
      expect(said.includes(name === 'main.jsbundle' ? 'index.android.bundle' : 'main.jsbundle')).toBe(false)
    },
  )

  it.each([
    ['/shop/', '/shop/a.js'],
    ['/shop', '/shop/a.js'],
    [undefined, '/a.js'],
  ])("the base URL %s of a page's scripts is the prefix", async (baseUrl, url) => {
    const said = await exported(bundle('a.js'), { platform: 'web', customTransformOptions: { baseUrl } })
    expect(said).toContain(`→ ${url}`)
    expect(said).toContain("← Expo's baseUrl")
  })

  it.each([
    ['android', { version: '2.3.4', android: { versionCode: 7 } }],
    ['ios', { version: '2.3.4', ios: { buildNumber: '7' } }],
  ])('version and build of %s are those of the app config, where none is said', async (platform, exp) => {
    const directory = join(root, 'node_modules/expo')
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(root, 'package.json'), '{}')
    writeFileSync(join(directory, 'package.json'), '{"name":"expo"}')
    writeFileSync(join(directory, 'config.js'), `exports.getConfig = () => ({ exp: ${JSON.stringify(exp)} })`)
    const said = await exported(bundle('a.hbc'), { platform }, { version: undefined })
    expect(said).toContain("version = 2.3.4 ← Expo's app config")
    expect(said).toContain(`${platform} (7)`)
  })

  it('maps of an app that the user asked for are not in what is installed; those of a page are deployed', async () => {
    const withMaps = async (platform: string) => {
      printed = []
      const config = { serializer: { customSerializer: async (..._: unknown[]) => bundle('a.js') } }
      withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache'), dryRun: true })
      const serializerOptions = { output: 'static', includeSourceMaps: true }
      const given = { dev: false, projectRoot: root, serializerOptions }
      await config.serializer.customSerializer('index.js', [], { transformOptions: { platform } }, given)
      return printed.join('\n')
    }
    expect(await withMaps('ios')).not.toContain('maps-linked')
    expect(await withMaps('web')).toContain('maps-linked: expo export writes source maps (--source-maps)')
  })

  it('with debug ids only the name of the map goes', async () => {
    const config = { serializer: { customSerializer: async (..._: unknown[]): Promise<unknown> => artifacts() } }
    withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache'), debugIds: true })
    const given = { dev: false, projectRoot: root, serializerOptions: { output: 'static' } }
    const graph = { transformOptions: { platform: 'web' } }
    const answer = await config.serializer.customSerializer('index.js', [], graph, given)
    expect(answer).toEqual([{ filename: 'a.js', type: 'js', source: 'pay()\n//# debugId=1' }, artifacts()[2]])
  })

  it.each([
    ['a dry run changes nothing', artifacts(), true],
    ['what is no list of files', 'code', false],
    ['a list of something else', [{ filename: 'a.js' }], false],
    ['nothing', undefined, false],
  ])('%s: what comes back is what the serializer gave', async (_, built, isPlanned) => {
    const config = { serializer: { customSerializer: async (..._: unknown[]) => built } }
    withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache'), dryRun: true })
    const given = { dev: false, projectRoot: root, serializerOptions: { output: 'static' } }
    const graph = { transformOptions: { platform: 'web' } }
    expect(await config.serializer.customSerializer('index.js', [], graph, given)).toEqual(built)
    expect(printed.join('\n').includes('Dry run')).toBe(isPlanned)
  })
})
