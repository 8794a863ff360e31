import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Compiler } from 'webpack'
import { useDirectory } from '../../../../test/support/directory.ts'
import { printedLines } from '../../../../test/support/printed.ts'
import { OPTIONS } from '../dry-run.fixture.ts'
import { compilerWith, RawSource } from '../webpack-compiler.fixture.ts'
import { rollup } from './rollup.ts'
import { rsbuild } from './rsbuild.ts'
import { changePages } from './webpack-output.ts'

const root = useDirectory('each')

// Tests single hooks of the bundler plugins. The tests in test/bundlers run real builds.

it("changes only pages from webpack plugins, but no page with a hash and no user's page", () => {
  const assets: [name: string, html: string | Buffer, info?: object][] = [
    ['index.html', Buffer.from('<head>')],
    ['old.htm?v=1', '<head>'],
    ['same.html', 'same'],
    ['copied.html', '<head>', { copied: true }],
    ['hashed.html', '<head>', { immutable: true }],
    ['html.js', '<head>'],
  ]
  const updated: [string, string][] = []
  const { tapped, compiler } = compilerWith(
    { sources: { RawSource }, Compilation: { PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE: 700 } },
    {
      getAssets: () => assets.map(([name, html, info = {}]) => ({ name, info, source: { source: () => html } })),
      updateAsset: (name: string, source: RawSource) => updated.push([name, source.text]),
    },
  )
  changePages(compiler as Compiler, (html) => html.replace('<head>', '<head><meta>'))
  expect(tapped).toEqual([{ name: 'symup release', stage: 701 }])
  expect(updated).toEqual([
    ['index.html', '<head><meta>'],
    ['old.htm?v=1', '<head><meta>'],
  ])
})

describe('source maps in Rsbuild', () => {
  type Config = { output?: { sourceMap?: unknown } }
  function configured(config: Config, options = {}, action = 'build') {
    let modify: (config: Config, utils: object) => Config = (it) => it
    const [hooks] = rsbuild.hooks({ ...options }) as unknown as { setup(api: object): void }[]
    hooks?.setup({
      context: { action },
      logger: { level: 'info' },
      modifyRsbuildConfig: (given: typeof modify) => (modify = given),
      modifyRspackConfig: () => undefined,
    })
    return modify(config, { mergeRsbuildConfig: (...configs: Config[]) => Object.assign({}, ...configs) })
  }
  const hidden = { output: { sourceMap: { js: 'hidden-source-map' } } }

  it.each<[string, Config, object, Config | undefined]>([
    ['are hidden if the config does not set them', {}, {}, hidden],
    ['are hidden if an object does not set them for scripts', { output: { sourceMap: { css: true } } }, {}, hidden],
    ['stay linked if the config requests it', { output: { sourceMap: true } }, {}, undefined],
    ['are hidden if they will be deleted', { output: { sourceMap: true } }, { deleteAfterUpload: true }, hidden],
    ['stay as a devtool sets them', { output: { sourceMap: { js: 'source-map' } } }, {}, undefined],
    [
      'are hidden instead of using a devtool if they will be deleted',
      { output: { sourceMap: { js: 'source-map' } } },
      { deleteAfterUpload: true },
      hidden,
    ],
    ['stay off', { output: { sourceMap: false } }, { deleteAfterUpload: true }, undefined],
  ])('%s', (_, config, options, expected) => expect(configured(config, options)).toEqual(expected ?? config))

  it('keeps source maps in a dev server as they are', () => {
    const config = {}
    expect(configured(config, {}, 'dev')).toBe(config)
  })
})

describe('source maps in Rollup', () => {
  const argv = process.argv
  afterEach(() => {
    process.argv = argv
    vi.restoreAllMocks()
  })
  type Hooks = {
    tsdownConfig(user: object, flags: object): void
    buildStart(this: object, input: object): void
    outputOptions(output: object): object | null
    renderStart(): void
  }
  const hooksOf = (options = {}) => (rollup.hooks(options) as unknown as Hooks[])[0] as Hooks
  const HIDDEN = { sourcemap: 'hidden' }

  it.each<[object, object, object | null]>([
    [{}, {}, HIDDEN],
    [{ sourcemap: true }, {}, null],
    [{ sourcemap: true }, { deleteAfterUpload: true }, HIDDEN],
    [{ sourcemap: 'hidden' }, { deleteAfterUpload: true }, null],
    [{ sourcemap: false }, {}, null],
  ])('changes source maps with output %j and options %j to %j', (output, options, expected) => {
    expect(hooksOf(options).outputOptions(output)).toEqual(expected && { ...output, ...expected })
  })

  it.each<[string, unknown, unknown, string[], object | null]>([
    ['not set', undefined, undefined, [], HIDDEN],
    ['not set, as the command fills it in', false, false, [], HIDDEN],
    ['set by the user', false, undefined, [], null],
    ['set by the flag', false, false, ['--no-sourcemap'], null],
    ['set by the flag with a value', false, false, ['--sourcemap=false'], null],
    ['not set, with another flag', false, false, ['--sourcemaps'], HIDDEN],
  ])('configures source maps under tsdown if `false` is %s', (_, user, flag, words, expected) => {
    process.argv = ['node', 'tsdown', ...words]
    const hooks = hooksOf()
    hooks.tsdownConfig({ sourcemap: user }, { sourcemap: flag })
    expect(hooks.outputOptions({ sourcemap: false })).toEqual(expected)
  })

  it.each<[object, object, string[]]>([
    [{ sourcemap: true }, {}, ['maps-linked: output.sourcemap is true, so', "Set output.sourcemap: 'hidden', or"]],
    [{ sourcemap: true }, { deleteAfterUpload: true }, ["source maps as if output.sourcemap: 'hidden' were set."]],
    [{ sourcemap: false }, {}, ['sourcemaps-off: output.sourcemap is false, so', "Set output.sourcemap: 'hidden', or"]],
    [{ sourcemap: 'hidden' }, {}, []],
  ])('prints one message with output %j and options %j: %j', (output, options, words) => {
    const printed = printedLines()
    const hooks = hooksOf({ ...OPTIONS, minifiedPathPrefix: '/', ...options })
    hooks.buildStart.call({ meta: { watchMode: false } }, { logLevel: 'info', plugins: [] })
    hooks.outputOptions(output)
    hooks.renderStart()
    hooks.renderStart()
    const text = printed.join('\n')
    for (const word of words) expect(text.split(word)).toHaveLength(2)
    expect(/maps-linked|sourcemaps-off/.test(text)).toBe(words.length > 0)
  })

  it('refuses to run in output.plugins, where Rollup does not call its start hook', () => {
    const code = 'plugin-misplaced'
    expect(() => hooksOf().renderStart()).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code })] }),
    )
  })

  it('reports watch mode once, and opens no session', () => {
    const printed = printedLines()
    const hooks = hooksOf({ logLevel: 'info' })
    for (let times = 0; times < 2; times++)
      hooks.buildStart.call({ meta: { watchMode: true } }, { logLevel: 'info', plugins: [] })
    expect(printed).toHaveLength(1)
    expect(printed[0]).toMatch(/watch/i)
  })
})

const DECLARATIONS = '[symup] This build writes only type declarations, so nothing is uploaded.'
const MINI_PROGRAM =
  '[symup] This build is a mini program, so @symup/mini-program uploads it and this plugin ignores it.'

it.each([
  ['that writes only type declarations', 'a.d.ts', undefined, DECLARATIONS],
  ['in which uni-app makes a mini program with its web config', 'app.js', 'mp-weixin', MINI_PROGRAM],
])('does not change a Vite build %s', async (_, fileName, platform, expected) => {
  const printed = printedLines()
  vi.stubEnv('UNI_PLATFORM', platform)
  try {
    // Resets messages that are logged once per process.
    vi.resetModules()
    const { vite } = await import('./vite.ts')
    const main = vite.hooks(OPTIONS).at(-1) as unknown as {
      config(user: object): unknown
      configResolved(config: object): void
      writeBundle: { handler(output: object, bundle: object): void }
      closeBundle: { handler(): Promise<void> }
    }
    main.config({ root })
    main.configResolved({
      ...{ root, base: '/', publicDir: '', logLevel: 'info', plugins: [], environments: {} },
      ...{ build: { outDir: 'dist' }, experimental: {} },
    })
    main.writeBundle.handler.call({}, {}, { [fileName]: { type: 'asset', fileName, source: '' } })
    await main.closeBundle.handler.call({})
    expect(printed.at(-1)).toBe(expected)
  } finally {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  }
})
