import { posix } from 'node:path'
import { listFiles } from '@symup/core'
import { isInside } from '@symup/core/internal'
import { t, useLocale } from '@symup/core/text'
import type { PluginOption } from 'vite'
import type { Compiler } from 'webpack'
import { BuildSession } from '../build-session.ts'
import { tellOnce } from '../bundlers/messages.ts'
import { prefixFrom, withRest } from '../bundlers/public-path.ts'
import { viteWithin } from '../bundlers/vite.ts'
import { injectDebugIds } from '../debug-id/webpack.ts'
import { decideMaps, type MapDecision, rollupMapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import type { BundleOutput } from '../output.ts'
import type { BuildPrefix } from '../prefix.ts'
import { serverOf } from '../server.ts'
import { logTo } from '../terminal.ts'
import { nuxtLabels } from './built-in.ts'
import { asLeft, outputBelow } from './output-below.ts'

type Sourcemap = boolean | 'hidden'

interface Nuxt {
  options: {
    dev: boolean
    /** Set by `nuxt prepare` and `nuxt typecheck`, which do not build the app. */
    _prepare?: boolean
    rootDir: string
    buildDir: string
    logLevel?: string
    /** The package name of the builder, or a custom builder object. */
    builder?: unknown
    app: { baseURL: string; buildAssetsDir: string; cdnURL?: string }
    sourcemap: { client: Sourcemap; server: Sourcemap }
    vite: { plugins?: unknown; build?: { sourcemap?: boolean | 'inline' | 'hidden' } }
    /** The configs as written by the user. The app's own config comes first. */
    _layers: readonly { config: { sourcemap?: Sourcemap | { client?: Sourcemap; server?: Sourcemap } } }[]
    symup?: SymupOptions
  }
  hook(name: 'nitro:build:before', action: (nitro: Nitro) => void): unknown
  hook(name: 'build:before', action: () => void): unknown
  hook(name: 'webpack:config' | 'rspack:config', action: (configs: readonly WebpackConfig[]) => void): unknown
}

interface WebpackConfig {
  name?: string
  plugins?: unknown[]
}

/** Nuxt's server engine, which bundles Vite's server output again. */
interface Nitro {
  options: {
    static: boolean
    output: { publicDir: string; serverDir: string }
    /** The directories that are copied to `publicDir`: Vite's output, and files that belong to the user or to modules. */
    publicAssets: readonly { dir: string; baseURL?: string }[]
  }
  hooks: {
    hook(name: 'rollup:before', action: (nitro: unknown, config: RollupConfig) => Promise<void>): unknown
    hook(name: 'compiled', action: () => Promise<void>): unknown
  }
}

interface RollupConfig {
  output?: { sourcemapExcludeSources?: boolean }
  plugins?: { name?: string }[]
}

interface NuxtModule {
  (inline: SymupOptions, nuxt: Nuxt): void
  getMeta(): Promise<{ name: string; configKey: string }>
}

/**
 * Nuxt's module. `nuxt build` and `nuxt generate` upload source maps when the browser files, including service workers, are complete. The
 * upload runs before Nitro lists the browser files for its server.
 */
export const symupNuxt: NuxtModule = Object.assign(
  (inline: SymupOptions, nuxt: Nuxt) => setUp({ ...nuxt.options.symup, ...inline }, nuxt),
  { getMeta: async () => ({ name: 'symup', configKey: 'symup' }) },
)

/** A build whose upload waits until Nitro has copied the browser files. */
interface Waiting {
  build: BuildSession
  /** @param copied files that the builder did not generate. */
  browsers(publicDir: string, copied: Set<string>): Promise<readonly BundleOutput[]>
}

function setUp(options: SymupOptions, nuxt: Nuxt): void {
  const { buildDir, builder, dev, _prepare, sourcemap, vite } = nuxt.options
  if (dev || _prepare || options.enabled === false) return
  useLocale()
  const given = ownSetting(nuxt)
  const maps = decideMaps(rollupMapSetting(given), options.deleteAfterUpload, nuxtLabels(given))
  if (maps.hide) {
    // Nuxt's own plugins read `sourcemap.client` to decide whether to generate maps.
    sourcemap.client = 'hidden'
    delete vite.build?.sourcemap
  }
  const waiting: Waiting[] = []
  if (builder === undefined || String(builder).includes('vite')) withVite(options, nuxt, given, waiting)
  else withAnyBuilder(options, nuxt, maps, waiting)

  nuxt.hook('nitro:build:before', ({ hooks, options: { output, publicAssets, static: isStatic } }) => {
    let last: BuildSession | undefined
    // `rollup:before` is the last suitable hook: Nuxt has already copied its browser files, and modules have added theirs.
    hooks.hook('rollup:before', async (_, rollup) => {
      if (serverOf(options)) withSources(rollup)
      for (const { build, browsers } of waiting.splice(0)) {
        last = build
        await build.finish({ outputs: await browsers(output.publicDir, await copiedBy(publicAssets, buildDir)) })
      }
    })
    hooks.hook('compiled', async () => {
      if (isStatic) return
      if (serverOf(options) === undefined) {
        tellOnce(
          logTo(options),
          t`Server code from Nitro is not uploaded by default. To also upload server code, set server: true.`,
        )
        return
      }
      const deletes = options.deleteAfterUpload === true
      await last?.finish({ outputs: [await outputBelow(output.serverDir, { deletes, target: 'server' })] })
    })
  })
}

function withVite(options: SymupOptions, nuxt: Nuxt, given: ReturnType<typeof ownSetting>, waiting: Waiting[]): void {
  const { logLevel, vite } = nuxt.options
  const plugin: PluginOption = viteWithin(options, {
    sourcemap: () => given,
    prefix: () => prefixOf(nuxt),
    logLevel: () => logLevel,
    bundlesServer: true,
    finish(build, { outputs }) {
      const written = outputs.filter(({ target }) => target === 'browser')
      const browsers: Waiting['browsers'] = async (publicDir, copied) =>
        written.map((it) => ({ ...asLeft(it, publicDir), copied: new Set([...it.copied, ...copied]) }))
      if (written.length > 0) waiting.push({ build, browsers })
    },
  })
  const { plugins } = vite
  vite.plugins = [...(Array.isArray(plugins) ? plugins : []), plugin]
}

/** Handles Nuxt's webpack and Rspack builders and custom builders, whose output is deployed unchanged. */
function withAnyBuilder(options: SymupOptions, nuxt: Nuxt, maps: MapDecision, waiting: Waiting[]): void {
  const { logLevel: level, rootDir } = nuxt.options
  const build = new BuildSession(options, 'nuxt', () => level)
  const withDebugIds = (configs: readonly WebpackConfig[]) => {
    const browsers = configs.find(({ name }) => name === 'client')
    browsers?.plugins?.push({ apply: (compiler: Compiler) => injectDebugIds(compiler) })
  }
  if (options.debugIds) {
    nuxt.hook('webpack:config', withDebugIds)
    nuxt.hook('rspack:config', withDebugIds)
  }
  nuxt.hook('build:before', () => {
    build.open({ root: rootDir, prefix: prefixOf(nuxt) }, maps.problems)
    const browsers: Waiting['browsers'] = async (publicDir, copied) => {
      const { files, deletable, ...output } = await outputBelow(publicDir, { deletes: maps.deletes })
      const own = (all: Set<string>) => new Set([...all].filter((file) => !copied.has(file)))
      return [{ ...output, files: own(files), deletable: own(deletable), copied }]
    }
    waiting.push({ build, browsers })
  })
}

/** A configured CDN serves only the files in `buildAssetsDir`. Other files, such as service workers, are served from the page's origin. */
function prefixOf({ options: { app } }: Nuxt): BuildPrefix | undefined {
  const { baseURL, buildAssetsDir, cdnURL } = app
  if (!cdnURL) return prefixFrom(baseURL, t`Nuxt's app.baseURL`)
  return withRest(prefixFrom(cdnURL, t`Nuxt's app.cdnURL`), buildAssetsDir, baseURL)
}

/** Keeps the sources in the server's maps, which Nitro's Rollup options and its minify plugin would remove. */
function withSources(rollup: RollupConfig): void {
  if (rollup.output) rollup.output.sourcemapExcludeSources = false
  rollup.plugins = (rollup.plugins ?? []).filter(({ name }) => name !== 'nitro:sourcemap-minify')
}

async function copiedBy(publicAssets: Nitro['options']['publicAssets'], buildDir: string): Promise<Set<string>> {
  const copied = new Set<string>()
  for (const { dir, baseURL = '/' } of publicAssets) {
    if (isInside(dir, buildDir)) continue
    for (const file of await listFiles(dir).catch(() => [])) copied.add(posix.join(baseURL, file).replace(/^\//, ''))
  }
  return copied
}

/** Returns the user's own source map setting for browsers, before Nuxt completes the config. */
function ownSetting({ options: { _layers, vite } }: Nuxt): boolean | 'inline' | 'hidden' | undefined {
  for (const { config } of _layers) {
    const { sourcemap } = config
    const client = typeof sourcemap === 'object' ? sourcemap.client : sourcemap
    if (client !== undefined) return client && vite.build?.sourcemap !== undefined ? vite.build.sourcemap : client
  }
  return undefined
}
