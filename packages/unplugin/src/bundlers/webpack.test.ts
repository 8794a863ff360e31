import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { Compiler, Asset as WebpackAsset } from 'webpack'
import { useDirectory } from '../../../../test/support/directory.ts'
import { usePrintedLines } from '../../../../test/support/printed.ts'
import { MAP, OPTIONS } from '../dry-run.fixture.ts'
import type { SymupOptions } from '../options.ts'
import { rsbuild } from './rsbuild.ts'
import { applyToCompiler } from './webpack.ts'
import { devtoolSetting } from './webpack-devtool.ts'

// test/bundlers runs webpack itself. These tests call the plugin's hooks.

const root = useDirectory('each')
const printed = usePrintedLines()

/** Unsent maps are staged, so the plugin clears maps even without an intake. */
const sending = (): SymupOptions => ({
  ...{ ...OPTIONS, dryRun: false, apiKey: 'a-key', endpoint: 'http://127.0.0.1:1', proxy: '', attempts: 1 },
  cacheDirectory: join(root, 'cache'),
})
const WATCHING = '[symup] The build runs in watch mode, so nothing is uploaded.'
const ADDRESS = '→ /shop/a.js'

type Asset = Pick<WebpackAsset, 'name' | 'info'>
const script: Asset = { name: 'a.js', info: { related: { sourceMap: 'a.js.map' } } }

/** A compiler. `apply` adds the plugin to it. */
function compilerOf(
  own: object = {},
  options: SymupOptions = OPTIONS,
  apply = (compiler: Compiler) => applyToCompiler(compiler, options, 'webpack'),
) {
  const taps: [string, (given: unknown) => unknown][] = []
  const hook = (name: string) => ({
    tap: (_: string, handler: (given: unknown) => unknown) => void taps.push([name, handler]),
    tapPromise: (_: unknown, handler: (given: unknown) => unknown) => void taps.push([name, handler]),
    intercept: () => undefined,
  })
  const compiler = {
    context: root,
    outputPath: root,
    webpack: { sources: {} },
    options: { mode: 'production', plugins: [], output: { publicPath: '/shop/' }, ...own },
    hooks: {
      ...{ run: hook('run'), failed: hook('failed'), watchRun: hook('watchRun') },
      ...{ thisCompilation: hook('thisCompilation'), done: hook('done') },
    },
  } as unknown as Compiler
  apply(compiler)
  const call = async (wanted: string, given?: unknown) => {
    for (const [name, handler] of taps) if (name === wanted) await handler(given)
  }
  return {
    options: compiler.options,
    watch: () => call('watchRun', compiler),
    start: () => call('run', compiler),
    end: (assets: readonly Asset[] = [script], failed = false) =>
      call('done', {
        hasErrors: () => failed,
        compilation: { getAssets: () => assets, chunks: [{ files: assets.map(({ name }) => name) }], warnings: [] },
      }),
    /** The text logged since the last call. */
    logged: () => printed.splice(0).join('\n'),
  }
}

function write(): void {
  writeFileSync(join(root, 'a.js'), 'fail()')
  writeFileSync(join(root, 'a.js.map'), MAP)
}

describe('a webpack build', () => {
  it('uploads each build separately when it is done', async () => {
    const { start, end, logged } = compilerOf()
    write()
    for (let nth = 0; nth < 2; nth++) {
      await start()
      await end()
      const text = logged()
      expect(text).toContain('minifiedPathPrefix = /shop/ ← output.publicPath')
      expect(text).toContain(ADDRESS)
    }
  })

  it('does not upload a failed build', async () => {
    const { start, end, logged } = compilerOf()
    await start()
    logged()
    await end([script], true)
    expect(logged()).toBe('')
  })

  it('does not upload a development build, and keeps its devtool', async () => {
    const { start, end, logged, options } = compilerOf({ mode: 'development', devtool: 'eval' })
    await start()
    await end()
    expect(logged()).toBe('[symup] Nothing is uploaded in development mode.')
    expect(options.devtool).toBe('eval')
  })

  it('does not upload while watching, and reports it once', async () => {
    const { watch, start, end, logged } = compilerOf()
    await watch()
    await end()
    expect(logged()).toBe(WATCHING)
    await watch()
    await end()
    expect(logged()).toBe('')
    // A separate run after watching is a release again, but watching again is not.
    write()
    await start()
    await end()
    expect(logged()).toContain(ADDRESS)
    await watch()
    await end()
    expect(logged()).toBe('')
  })

  it("shows details according to the bundler's log level", async () => {
    const { start, end, logged } = compilerOf({ infrastructureLogging: { level: 'warn' } })
    write()
    await start()
    await end()
    expect(logged()).not.toContain('minifiedPathPrefix')
  })
})

describe('written webpack assets', () => {
  const written = async (assets: readonly Asset[], options?: SymupOptions, own?: object) => {
    const { start, end, logged } = compilerOf(own, options)
    write()
    await start()
    await end(assets)
    return logged()
  }
  it.each<[string, Asset]>([
    ['a file name', script],
    ['a file name with its hash in the query', { name: 'a.js?123', info: { related: { sourceMap: 'a.js.map?123' } } }],
    [
      'several maps, the first of which counts',
      { name: 'a.js', info: { related: { sourceMap: ['a.js.map', 'b.map'] } } },
    ],
  ])('uploads assets with %s', async (_, asset) => {
    const logged = await written([asset], sending())
    expect(logged).toContain('0 of 1 artifact uploaded')
    expect(existsSync(join(root, 'a.js.map')), 'its map goes').toBe(false)
  })

  it.each([
    ['that the user requested', 'hidden-source-map'],
    ["that a user's plugin generates", false],
  ])('keeps maps %s', async (_, devtool) => {
    class SourceMapDevToolPlugin {}
    const plugins = devtool === false ? [null, new SourceMapDevToolPlugin()] : []
    const logged = await written([script], sending(), { devtool, plugins })
    expect(logged).toContain('0 of 1 artifact uploaded')
    expect(logged).not.toMatch(/sourcemaps-off|maps-linked/)
    expect(existsSync(join(root, 'a.js.map'))).toBe(true)
  })

  it('leaves Re.Pack bundles, whose maps Re.Pack makes, to symup react-native upload', async () => {
    class RepackPlugin {}
    const bundle = ['index.bundle', 'index.bundle.map'].map((name) => ({ ...script, name }))
    const logged = await written(bundle, sending(), { devtool: false, plugins: [new RepackPlugin()] })
    expect(logged).not.toContain('sourcemaps-off')
    expect(logged).toMatch(/nothing-found: .*\n.*fix: To upload React Native bundles such as .*index\.bundle/)
  })
})

describe('source maps in webpack', () => {
  it.each([
    [undefined, 'unset'],
    [false, 'none'],
    ['', 'none'],
    ['eval', 'none'],
    ['eval-source-map', 'none'],
    ['cheap', 'none'],
    ['source-map', 'linked'],
    ['cheap-module-source-map', 'linked'],
    ['hidden-source-map', 'hidden'],
    ['hidden-nosources-source-map', 'hidden'],
    ['inline-source-map', 'inline'],
    ['inline-hidden-source-map', 'inline'],
  ])('reads devtool %s as %s', (devtool, setting) => expect(devtoolSetting(devtool)).toBe(setting))

  it.each([
    [undefined, 'hidden-source-map', ''],
    [false, false, 'sourcemaps-off: devtool is false'],
    ['source-map', 'source-map', "maps-linked: devtool is 'source-map'"],
    ['hidden-source-map', 'hidden-source-map', ''],
  ])('configures source maps if devtool is %s', async (devtool, expected, words) => {
    const { start, options, logged } = compilerOf({ devtool })
    expect(options.devtool).toBe(expected)
    await start()
    const text = logged()
    expect(text).toContain(words)
    if (words === '') expect(text).not.toMatch(/sourcemaps-off|maps-linked/)
    else expect(text).toContain("devtool: 'hidden-source-map'")
  })

  it('turns on source maps if Laravel Mix set devtool to false', async () => {
    class MixDefinitionsPlugin {}
    const plugins = [new MixDefinitionsPlugin()]
    const { start, options, logged } = compilerOf({ devtool: false, plugins })
    expect(options.devtool).toBe('hidden-source-map')
    await start()
    expect(logged()).not.toMatch(/sourcemaps-off|maps-linked/)
    // The setting that `mix.sourceMaps()` makes.
    expect(compilerOf({ devtool: 'source-map', plugins }).options.devtool).toBe('source-map')
  })

  it('also names the settings of frameworks if devtool is false', async () => {
    // The shape that `import * as plugin` returns.
    const plugins = [Object.assign(Object.create(null), { apply() {} })]
    const { start, logged } = compilerOf({ devtool: false, plugins })
    await start()
    const text = logged()
    expect(text).toContain('sourcemaps-off: devtool is false, so')
    expect(text).toMatch(/fix: Set devtool: 'hidden-source-map'\..*GENERATE_SOURCEMAP=true, productionSourceMap: true/)
  })

  it.each([
    // Nx has already set `devtool` or will set it.
    [false, false, {}, false, "sourcemaps-off: NxAppWebpackPlugin's sourceMap is false, so"],
    [
      false,
      undefined,
      {},
      false,
      "fix: Set sourceMap: 'hidden-source-map' in NxAppWebpackPlugin, and deleteAfterUpload",
    ],
    [true, 'source-map', {}, true, "maps-linked: NxAppWebpackPlugin's sourceMap is true"],
    [true, undefined, { deleteAfterUpload: true }, 'hidden-source-map', 'info maps-linked'],
    ['hidden-source-map', undefined, {}, 'hidden-source-map', ''],
  ])(
    'configures source maps in Nx with sourceMap %j, devtool %j and %j',
    async (sourceMap, devtool, more, expected, words) => {
      class NxAppWebpackPlugin {
        options = { sourceMap }
      }
      const nx = new NxAppWebpackPlugin()
      const { start, logged } = compilerOf({ devtool, plugins: [nx] }, { ...OPTIONS, ...more })
      expect(nx.options.sourceMap).toBe(expected)
      await start()
      const text = logged()
      expect(text).toContain(words)
      if (words === '') expect(text).not.toMatch(/sourcemaps-off|maps-linked/)
    },
  )

  it('turns on source maps if only Electron Forge set the devtool', async () => {
    const output = { path: join(root, '.webpack/renderer') }
    const { start, options, logged } = compilerOf({ devtool: 'source-map', output })
    expect(options.devtool).toBe('hidden-source-map')
    await start()
    expect(logged()).not.toContain('maps-linked')
  })
})

describe('webpack in Next.js', () => {
  const resolveLoader = { alias: { 'next-swc-loader': 'x' } }
  const fresh = async (own: object, options = OPTIONS) => {
    // Resets messages that are logged once per process, maybe by another test.
    vi.resetModules()
    const { applyToCompiler: apply } = await import('./webpack.ts')
    const runs: (() => Promise<void>)[] = []
    const tapPromise = (_: unknown, handler: () => Promise<void>) => void runs.push(handler)
    const unused = { tap: () => undefined, tapPromise: () => undefined, intercept: () => undefined }
    const compiler = {
      ...{ context: root, outputPath: root },
      options: { mode: 'production', plugins: [], output: { publicPath: '/_next/' }, resolveLoader, ...own },
      hooks: { run: { tapPromise }, failed: unused, watchRun: unused, thisCompilation: unused, done: unused },
    } as unknown as Compiler
    apply(compiler, options, 'webpack')
    for (const run of runs) await run()
    return { logged: printed.splice(0).join('\n'), options: compiler.options }
  }
  const LEFT = '[symup] symup does not upload Next.js server output because '

  it.each([
    ['', OPTIONS, `${LEFT}browser stacks never contain server code.`],
    [
      ', even where the option asks for it',
      { ...OPTIONS, server: true },
      `${LEFT}the server option has no effect in Next.js if only the webpack plugin is used.`,
    ],
  ])('keeps the compiler for a server unchanged%s', async (_, options, words) => {
    const { logged, options: own } = await fresh({ name: 'server' }, options)
    expect(logged).toContain(words)
    expect(own.devtool).toBeUndefined()
  })

  it('reports nothing about a server in development', async () => {
    expect((await fresh({ name: 'server', mode: 'development' })).logged).toBe('')
  })

  it('reports an unusable configuration before compilation, unless it causes only a warning', async () => {
    const server = { name: 'server', output: { publicPath: 'auto' } }
    await expect(fresh(server)).rejects.toThrow('prefix-missing')
    expect((await fresh(server, { ...OPTIONS, onError: 'warn' })).logged).toBe(
      `${LEFT}browser stacks never contain server code.`,
    )
  })

  it.each([
    [false, 'hidden-source-map', ''],
    ['source-map', 'source-map', 'productionBrowserSourceMaps is true'],
  ])('uses devtool %s for browsers as the default', async (devtool, expected, words) => {
    const { logged, options } = await fresh({ name: 'client', devtool })
    expect(options.devtool).toBe(expected)
    expect(logged).toContain(words)
    expect(logged.includes('maps-linked')).toBe(words !== '')
  })

  it('deploys only the static directory of Next.js, whose scripts without a map contain no code', async () => {
    const { start, end, logged } = compilerOf({ name: 'client', resolveLoader, devtool: 'hidden-source-map' })
    await start()
    logged()
    const related = { sourceMap: 'static/a.js.map' }
    await end([{ name: 'static/a.js', info: { related } }, { name: 'static/empty.js', info: {} }, script])
    const text = logged()
    expect(text).toContain('static/a.js')
    expect(text).not.toContain('empty.js')
    expect(text).not.toContain(ADDRESS)
  })
})

it.each<[unknown, SymupOptions, string]>([
  [true, {}, 'maps-linked: output.sourceMap.js is true, so the deployed scripts point to their source maps'],
  [
    { js: 'source-map' },
    {},
    "maps-linked: output.sourceMap.js is 'source-map', so the deployed scripts point to their source maps",
  ],
  [
    { js: 'source-map' },
    { deleteAfterUpload: true },
    "but deleteAfterUpload is set, so symup generates source maps as if output.sourceMap: { js: 'hidden-source-map' } were set.",
  ],
  [false, {}, 'sourcemaps-off: output.sourceMap.js is false, so there is nothing to upload.'],
])("uses Rsbuild's terms for output.sourceMap %j and %j", async (sourceMap, more, words) => {
  let modify: (config: object, utils: object) => object = (it) => it
  let add: (config: { plugins: { apply(compiler: Compiler): void }[] }) => void = () => undefined
  const [hooks] = rsbuild.hooks({ ...OPTIONS, ...more }) as unknown as { setup(api: object): void }[]
  hooks?.setup({
    context: { action: 'build' },
    logger: { level: 'info' },
    modifyRsbuildConfig: (given: typeof modify) => (modify = given),
    modifyRspackConfig: (given: typeof add) => (add = given),
  })
  modify({ output: { sourceMap } }, { mergeRsbuildConfig: (...configs: object[]) => Object.assign({}, ...configs) })
  const plugins: { apply(compiler: Compiler): void }[] = []
  add({ plugins })
  const { start, logged } = compilerOf({}, OPTIONS, (compiler) => plugins[0]?.apply(compiler))
  await start()
  expect(logged()).toContain(words)
})
