import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { printedLines } from '../../../../test/support/printed.ts'
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

// The written files do not depend on an intake.
const INTAKE = { apiKey: 'a-key', endpoint: 'http://127.0.0.1:1', proxy: '', attempts: 1 }
const OPTIONS = { ...INTAKE, service: 'shop', version: '1', ignoreConfigFile: true, git: false }
const MAP = JSON.stringify({ version: 3, sources: ['a.ts'], sourcesContent: ['pay()'], names: [], mappings: 'AAAA' })
const SCRIPT = 'pay()\n//# sourceMappingURL=/a.js.map\n//# debugId=1'
const artifacts = () => [
  { filename: 'a.js', type: 'js', source: SCRIPT },
  { filename: 'a.js.map', type: 'map', source: MAP },
  { filename: 'a.css', type: 'css', source: 'p{}' },
]

/** Calls the serializer, which returns `built`. @returns the result, and the options that it received. */
async function serialized(built: unknown, options: object = {}, more: object = {}) {
  const serializer = vi.fn(async (..._: unknown[]) => built)
  const config = { serializer: { customSerializer: serializer } }
  expect(withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache') })).toBe(config)
  const graph = { transformOptions: { platform: 'web', ...more } }
  const given = { dev: false, projectRoot: root, serializerOptions: { output: 'static' }, ...options }
  const answer = await config.serializer.customSerializer('index.js', [], graph, given)
  return { answer, asked: serializer.mock.calls[0]?.[3] as typeof given & { serializerOptions: object }, given }
}

it('returns the same config object, and resolves a function or a promise to it', async () => {
  const serializer = async () => ''
  const config = () => ({ serializer: { customSerializer: serializer } })
  const own = config()
  expect(withSymup(own, { ...OPTIONS, enabled: false })).toBe(own)
  expect(own.serializer.customSerializer).toBe(serializer)
  expect(withSymup({ resolver: {} }, OPTIONS)).toEqual({ resolver: {} })
  expect(withSymup(config, OPTIONS)().serializer.customSerializer).not.toBe(serializer)
  await expect(withSymup(Promise.resolve(own), OPTIONS)).resolves.toBe(own)
  expect(own.serializer.customSerializer).not.toBe(serializer)
})

it.each([
  [undefined, 'http://localhost/index.map'],
  ['http://localhost/own.map', 'http://localhost/own.map'],
])('sets the URL that maps need from %s to %s', async (sourceMapUrl, expected) => {
  const { asked } = await serialized(artifacts(), { sourceMapUrl })
  expect(asked).toMatchObject({ sourceMapUrl: expected })
})

it('keeps map names in output that is not a text script', async () => {
  const code = Buffer.from(SCRIPT)
  const others = [
    { filename: 'a.hbc', type: 'js', source: code },
    { filename: 'a.css', type: 'css', source: SCRIPT },
  ]
  expect((await serialized([...artifacts(), ...others])).answer).toEqual([
    { filename: 'a.js', type: 'js', source: 'pay()' },
    artifacts()[2],
    ...others,
  ])
})

describe('a bundle that a native build compiles', () => {
  const logged = async (built: (wrap: typeof withSymup) => unknown) => {
    // Resets messages that are logged once per process, maybe by another test.
    vi.resetModules()
    await built((await import('./metro.ts')).withSymup)
    return vi.mocked(console.info).mock.calls.flat().join('\n')
  }
  const STEPS =
    '[symup] The plugin does not upload this bundle because Hermes compiles the bundle after Metro finishes. symup.gradle and symup-xcode.sh upload the compiled bundle.'

  it.each([
    ['bundle', STEPS],
    ['start', ''],
  ])("causes a message in react-native %s with Metro's own serializer: %j", async (command, expected) => {
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'react-native', command])
    expect(await logged((wrap) => wrap({}, OPTIONS))).toBe(expected)
  })

  it.each([
    ['ios', STEPS],
    ['android', STEPS],
    ['web', ''],
    [undefined, ''],
  ])("causes a message for %s with Expo's serializer: %j", async (platform, expected) => {
    const config = { serializer: { customSerializer: async (..._: unknown[]) => '' } }
    const graph = { transformOptions: { platform } }
    const bundled = logged((wrap) => wrap(config, OPTIONS).serializer.customSerializer('', [], graph, { dev: false }))
    expect(await bundled).toBe(expected)
  })
})

it.each([
  ['a list', (list: object[]) => list],
  ['an object', (list: object[]) => ({ artifacts: list, assets: [] })],
])('%s of files: creates maps, but writes neither maps nor their names', async (_, wrap) => {
  const { answer, asked } = await serialized(wrap(artifacts()))
  expect(asked.serializerOptions).toEqual({ output: 'static', includeSourceMaps: true })
  const kept = [{ filename: 'a.js', type: 'js', source: 'pay()' }, artifacts()[2] as object]
  expect(answer).toEqual(wrap(kept))
})

it('keeps maps that the user requested', async () => {
  const options = { serializerOptions: { output: 'static', includeSourceMaps: true } }
  expect((await serialized(artifacts(), options)).answer).toEqual(artifacts())
})

it.each([
  ['the development server', { dev: true }, {}],
  ['a bundle that a native build compiles', { serializerOptions: {} }, { platform: 'ios' }],
  ['server code', {}, { customTransformOptions: { environment: 'node' } }],
  ['a DOM component', {}, { customTransformOptions: { dom: 'a' } }],
])('does not change %s', async (_, options, more) => {
  const built = artifacts()
  const { answer, asked, given } = await serialized(built, options, more)
  expect(answer).toBe(built)
  expect(asked).toBe(given)
})

describe('the output of expo export', () => {
  let printed: string[]
  beforeEach(() => {
    printed = printedLines()
  })

  const bundle = (filename: string, metadata?: object) => [
    { filename, type: 'js', source: SCRIPT, metadata },
    { filename: `${filename}.map`, type: 'map', source: MAP },
  ]

  /** The log of an export that uploads nothing, with its bundles and its platform's settings. */
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
  ])('calls the bundle for %s %s, as SDKs report it, while a lazy chunk keeps its own name', async (platform, name) => {
    const built = [
      ...bundle('_expo/static/js/index-1.hbc'),
      ...bundle('_expo/static/js/later-2.hbc', { isAsync: true }),
    ]
    const logged = await exported(built, { platform })
    expect(logged).toContain('Dry run: would upload 2 artifacts')
    expect(logged).toContain(name)
    expect(logged).toMatch(/later-2\.hbc/)
    expect(logged.includes(name === 'main.jsbundle' ? 'index.android.bundle' : 'main.jsbundle')).toBe(false)
  })

  it.each([
    ['/shop/', '/shop/a.js'],
    ['/shop', '/shop/a.js'],
    [undefined, '/a.js'],
  ])("uses the base URL %s of a page's scripts as the prefix", async (baseUrl, url) => {
    const logged = await exported(bundle('a.js'), { platform: 'web', customTransformOptions: { baseUrl } })
    expect(logged).toContain(`→ ${url}`)
    expect(logged).toContain("← Expo's baseUrl")
  })

  it.each([
    ['android', { version: '2.3.4', android: { versionCode: 7 } }],
    ['ios', { version: '2.3.4', ios: { buildNumber: '7' } }],
  ])('takes the version and build of %s from the app config by default', async (platform, exp) => {
    const directory = join(root, 'node_modules/expo')
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(root, 'package.json'), '{}')
    writeFileSync(join(directory, 'package.json'), '{"name":"expo"}')
    writeFileSync(join(directory, 'config.js'), `exports.getConfig = () => ({ exp: ${JSON.stringify(exp)} })`)
    const logged = await exported(bundle('a.hbc'), { platform }, { version: undefined })
    expect(logged).toContain("version = 2.3.4 ← Expo's app config")
    expect(logged).toContain(`${platform} (7)`)
  })

  describe('a bundle that Expo compiles after its serializer, as for DOM components', () => {
    const transform = { platform: 'android', customTransformOptions: { bytecode: '1' } }
    const given = () => [...bundle('js/index-1.js'), ...bundle('js/later-2.js', { isAsync: true })]

    /** The result for Expo, and the staged artifacts. */
    async function built(includeSourceMaps: boolean) {
      const config = { serializer: { customSerializer: async (..._: unknown[]): Promise<unknown> => given() } }
      withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache'), upload: 'later' })
      const asked = { dev: false, projectRoot: root, serializerOptions: { output: 'static', includeSourceMaps } }
      const answer = await config.serializer.customSerializer('', [], { transformOptions: transform }, asked)
      return { answer, staged: join(root, 'cache/staged/shop@1') }
    }

    it('does not upload with --source-maps, because only Expo has the map for the compiled code', async () => {
      const { answer, staged } = await built(true)
      expect(answer).toEqual(given())
      expect(existsSync(staged)).toBe(false)
      expect(printed.join('\n')).toContain('Remove --source-maps')
    })

    it('uploads without --source-maps under the name in stacks, because bytecode then has the positions of the script', async () => {
      const { answer, staged } = await built(false)
      expect(answer).toMatchObject([
        { type: 'js', source: 'pay()\n//# sourceURL=index.android.bundle' },
        { type: 'js', source: 'pay()\n//# sourceURL=later-2.js' },
      ])
      const read = (name: string) => readFileSync(join(staged, name), 'utf8')
      expect(read('android-1-index.android.bundle/index.android.bundle.map')).toContain('a.ts')
      expect(read('android-1-later-2.js/later-2.js')).toContain('pay()')
    })
  })

  it('does not install requested maps of an app, but deploys those of a page', async () => {
    const withMaps = async (platform: string) => {
      printed.length = 0
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

  it('bundles several platforms in turn, even after a failure', async () => {
    const failing = exported(bundle('a.js'), { platform: 'web' }, { service: '', onError: 'fail' })
    const first = exported(bundle('b.js'), { platform: 'web' })
    const second = exported(bundle('c.js'), { platform: 'ios' })
    await expect(failing).rejects.toThrow('service')
    await first
    await second
    const logged = printed.filter((line) => /service = |Dry run: /.test(line)).map((line) => line.slice(8, 15))
    expect(logged).toEqual(['service', 'Dry run', 'service', 'Dry run'])
  })

  it('leaves nothing in the directory from which app bundles are read', async () => {
    const directory = join(root, 'tmp')
    mkdirSync(directory)
    vi.stubEnv('TMPDIR', directory)
    const logged = await exported(bundle('js/a.hbc'), { platform: 'ios' }).finally(() => vi.unstubAllEnvs())
    expect(logged).toContain('Dry run: would upload 1 artifact')
    expect(readdirSync(directory)).toEqual([])
  })

  it('reports an app bundle without a map as a problem', async () => {
    const [code] = bundle('a.hbc')
    const logged = await exported([code], { platform: 'ios' })
    expect(logged).toContain('file-unreadable: a.hbc.map')
    expect(logged).toContain('Dry run: would upload 0 artifacts')
  })

  it('keeps app bundles for a later upload with their maps, each under its own name', async () => {
    const built = [...bundle('js/index-1.hbc'), ...bundle('js/later-2.hbc', { isAsync: true })]
    const logged = await exported(built, { platform: 'ios' }, { upload: 'later', dryRun: false })
    expect(logged).toMatch(/\[symup\] Kept 2 artifacts, \d+ B\. To upload later, run: /)
    const staged = join(root, 'cache/staged/shop@1')
    const files = readdirSync(staged).flatMap((name) => readdirSync(join(staged, name)).map((it) => `${name}/${it}`))
    expect(files.filter((file) => !file.endsWith('/.symup-staged')).sort()).toEqual([
      'ios-1-later-2.hbc/later-2.hbc',
      'ios-1-later-2.hbc/later-2.hbc.map',
      'ios-1-main.jsbundle/main.jsbundle',
      'ios-1-main.jsbundle/main.jsbundle.map',
    ])
  })

  it('removes only the name of the map if the bundle contains debug ids', async () => {
    const config = { serializer: { customSerializer: async (..._: unknown[]): Promise<unknown> => artifacts() } }
    withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache'), debugIds: true })
    const given = { dev: false, projectRoot: root, serializerOptions: { output: 'static' } }
    const graph = { transformOptions: { platform: 'web' } }
    const answer = await config.serializer.customSerializer('index.js', [], graph, given)
    expect(answer).toEqual([{ filename: 'a.js', type: 'js', source: 'pay()\n//# debugId=1' }, artifacts()[2]])
  })

  it.each([
    ['a dry run', artifacts(), true],
    ['output that is not a list of files', 'code', false],
    ['a list of other objects', [{ filename: 'a.js' }], false],
    ['nothing', undefined, false],
  ])("%s: returns the serializer's result", async (_, built, isPlanned) => {
    const config = { serializer: { customSerializer: async (..._: unknown[]) => built } }
    withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache'), dryRun: true })
    const given = { dev: false, projectRoot: root, serializerOptions: { output: 'static' } }
    const graph = { transformOptions: { platform: 'web' } }
    expect(await config.serializer.customSerializer('index.js', [], graph, given)).toEqual(built)
    expect(printed.join('\n').includes('Dry run')).toBe(isPlanned)
  })
})
