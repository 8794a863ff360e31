import type { Line } from '@symup/core/internal'
import { nameBelow, t } from '@symup/core/internal'
import { type DebugIdCompiler, injectDebugIds } from '../debug-id/webpack.ts'
import { decideMaps, type MapDecision } from '../maps.ts'
import { startWriting } from '../neighbours.ts'
import type { SymupOptions } from '../options.ts'
import { prefixOfBuild } from '../prefix.ts'
import { placed, serverOf } from '../server.ts'
import { type BundleOutput, openSession, type Session } from '../session.ts'
import { logTo } from '../terminal.ts'
import { TransformWatch } from '../transforms.ts'
import { type LoadingCompiler, watchLoaders } from '../watch-loaders.ts'
import { defineBundler, pluginOfCompiler } from './bundler.ts'
import { enterGroup, isOneOfSeveral, settle } from './compiler-group.ts'
import { logProblems, tellOnce, tooOld, watching } from './messages.ts'
import { NEXT_DEPLOYED, NEXT_WORDS, nextSideOf } from './next.ts'
import { forgePlaceOf, webpackPrefix } from './public-path.ts'
import { isFilledInByCommand } from './rspack-command.ts'
import { type Emitted, keptInMemory, type WritingCompiler, writesToMemory } from './webpack-memory.ts'
import { type Compilation, outputOf, withoutQuery } from './webpack-output.ts'
import { changePages, type PagesCompiler } from './webpack-pages.ts'
import { devtoolSetting, nxPluginIn, webpackWords } from './webpack-words.ts'
import { nameWorkersMap, type WorkboxCompiler } from './webpack-workbox.ts'

interface Hook<Arguments extends unknown[]> {
  tap(name: string, handler: (...args: Arguments) => void): void
  tapPromise(options: string | { name: string; stage: number }, handler: (...args: Arguments) => Promise<void>): void
}

interface Platform {
  node?: boolean | null
  electron?: boolean | null
  nwjs?: boolean | null
}

/** The part of a compiler that webpack 5 and Rspack share and that is used here. */
export interface Compiler extends WritingCompiler {
  context: string
  outputPath: string
  /** What the target says, in all but the oldest versions. */
  platform?: Platform
  options: {
    mode?: string
    name?: string
    resolveLoader?: { alias?: unknown }
    devtool?: unknown
    plugins: (object | null | undefined)[]
    output: { publicPath?: unknown; path?: string }
    /** What the target brings along, where the config does not say otherwise. */
    externalsPresets?: Platform
    infrastructureLogging?: { level?: unknown }
  }
  hooks: {
    run: Hook<[unknown]>
    failed: Hook<[unknown]>
    watchRun: Hook<[unknown]>
    thisCompilation: Hook<[Compilation & Emitted]>
    done: Hook<[Stats]>
  }
}

interface Stats {
  hasErrors(): boolean
  compilation: Compilation
}

/** What a framework above the compiler knows better. */
export interface Framework {
  /** Its own log level, where the compiler's is not the one that the user set. */
  logLevel?: () => unknown
  /** What becomes of the maps, where the framework's config and not `devtool` holds the user's setting. */
  maps?: MapDecision | undefined
}

export const webpack = defineBundler({
  label: 'webpack',
  debugIds: true,
  hooks: (options) => [(compiler: object) => applyToWebpack(compiler as Compiler, options)],
  plugin: pluginOfCompiler,
})

/** @throws SymupError before webpack 5, which brought `initialize` and says which map is whose. */
function applyToWebpack(compiler: Compiler, options: SymupOptions): void {
  if (!('initialize' in compiler.hooks)) throw tooOld('webpack', '5.76')
  applyToCompiler(compiler, options, 'webpack')
}

/** After every other plugin's `done`: they may still rewrite files. */
const LAST = 1_000_000

/**
 * The hooks for webpack and Rspack. `run` is called for a build and `watchRun` for watching, the dev server included; so whether
 * to upload is the compiler's own answer.
 */
export function applyToCompiler(
  compiler: Compiler,
  options: SymupOptions,
  bundler: 'webpack' | 'rspack' | 'rsbuild',
  framework: Framework = {},
): void {
  const logLevel = framework.logLevel ?? (() => compiler.options.infrastructureLogging?.level)
  const log = logTo(options, logLevel)
  const next = nextSideOf(compiler.options)
  if (next === 'server') {
    leaveServerAlone(compiler, options, bundler, log)
    return
  }

  const isRelease = compiler.options.mode !== 'development'
  const maps = framework.maps ?? decide(compiler, options.deleteAfterUpload)
  const transforms = new TransformWatch()
  let session: Session | undefined
  let stopWriting = () => {}
  let saidWatching = false
  let inMemory: BundleOutput | undefined
  if (isRelease) changeBuild(compiler, options, maps, transforms, (html) => session?.page(html) ?? html)
  enterGroup(compiler)

  compiler.hooks.run.tapPromise('symup', async () => {
    session = undefined
    inMemory = undefined
    if (!isRelease) {
      log({ severity: 'info', text: t`The mode is development: nothing is uploaded.` })
      return
    }
    const { options: own, ...more } = settingsOf(compiler, options)
    const makesMaps = maps.problems.every(({ code }) => code !== 'sourcemaps-off')
    session = openSession(own, { bundler, log, logLevel, transforms, makesMaps, ...more })
    stopWriting()
    stopWriting = startWriting(compiler.outputPath)
    logProblems(log, maps.problems)
  })

  compiler.hooks.watchRun.tap('symup', () => {
    session = undefined
    if (!saidWatching) log(watching())
    saidWatching = true
  })

  compiler.hooks.failed.tap('symup', () => stopWriting())

  const written = (compilation: Compilation) =>
    outputOf(compilation, compiler.outputPath, maps.deletes, next === 'client' ? NEXT_DEPLOYED : undefined)
  compiler.hooks.thisCompilation.tap('symup', (compilation) =>
    compilation.hooks.processAssets.tapPromise({ name: 'symup', stage: LAST }, async () => {
      if (session && (await writesToMemory(compiler)))
        inMemory = keptInMemory(compilation, written(compilation), withoutQuery)
    }),
  )

  compiler.hooks.done.tapPromise({ name: 'symup', stage: LAST }, async (stats) => {
    const opened = session
    if (stats.hasErrors()) {
      stopWriting()
      return settle(compiler, 'failed')
    }
    if (opened === undefined) return settle(compiler, 'nothing')
    const output = { ...(inMemory ?? written(stats.compilation)), isServer: placeOf(compiler, options).isServer }
    const { finish } = opened
    await settle(compiler, { output, settings: settingsOf(compiler, options), transforms, stopWriting, finish })
  })
}

/** What the plugin changes of a build that is released: its maps, its scripts' debug ids, its pages. */
function changeBuild(
  compiler: Compiler,
  options: SymupOptions,
  maps: MapDecision,
  transforms: TransformWatch,
  page: (html: string) => string,
): void {
  if (maps.hide) hideMaps(compiler)
  nameWorkersMap(compiler as unknown as WorkboxCompiler)
  if (options.debugIds) injectDebugIds(compiler as unknown as DebugIdCompiler)
  if (options.injectRelease) changePages(compiler as unknown as PagesCompiler, page)
  watchLoaders(compiler as unknown as LoadingCompiler, transforms)
}

/** Whether its files are a server's, and the options that hold there. The target is known when the build begins. */
function placeOf(compiler: Compiler, options: SymupOptions) {
  return placed(options, { isForNode: isForNode(compiler), directory: compiler.outputPath })
}

/** What decides how the files of this compiler are sent. */
function settingsOf(compiler: Compiler, options: SymupOptions) {
  const prefix = webpackPrefix(compiler.options, compiler.context)
  return {
    options: placeOf(compiler, options).options,
    prefix: prefixOfBuild(prefix, { isForNode: isForNode(compiler), config: configOf(compiler) }),
    root: compiler.context,
  }
}

/** Of the targets `node` and `async-node`. An app of Electron or NW.js is none that a server runs. */
function isForNode({ options: { externalsPresets = {} }, platform = {} }: Compiler): boolean {
  // Gatsby renders its pages with a target of Node, and without the presets.
  const is = (name: keyof Platform) => externalsPresets[name] === true || platform[name] === true
  return is('node') && !is('electron') && !is('nwjs')
}

/** What the user knows a config of several by: its name, else the directory that it writes to. */
function configOf(compiler: Compiler): string | undefined {
  if (!isOneOfSeveral(compiler)) return undefined
  return `"${compiler.options.name ?? (nameBelow(compiler.context, compiler.outputPath) || compiler.outputPath)}"`
}

/**
 * A server's compiler of Next.js: browsers never report its addresses. It runs before the browsers' one, so an unusable configuration is said here,
 * before anything is compiled.
 */
function leaveServerAlone(
  compiler: Compiler,
  options: SymupOptions,
  bundler: 'webpack' | 'rspack' | 'rsbuild',
  log: (line: Line) => void,
): void {
  compiler.hooks.run.tapPromise('symup', async () => {
    if (compiler.options.mode === 'development') return
    if (options.onError !== 'warn')
      openSession(options, {
        bundler,
        root: compiler.context,
        log,
        prefix: webpackPrefix(compiler.options, compiler.context),
      })
    const why = serverOf(options)
      ? t`with the webpack plugin alone the option server has no effect in Next.js`
      : t`browsers never report its addresses`
    tellOnce(log, t`What Next.js runs on a server is left alone: ${why}.`)
  })
}

/** Nx's plugin may still be to come. */
function hideMaps({ options }: Compiler): void {
  options.devtool = 'hidden-source-map'
  const nx = nxPluginIn(options.plugins)
  if (nx) nx.options.sourceMap = options.devtool
}

/** Plugins that make the maps. Re.Pack's takes `devtool` over, and leaves `false`. */
const MAP_PLUGIN = /SourceMapDevToolPlugin$|^RepackPlugin$/

/**
 * Plugins are applied before webpack sets its defaults, so `undefined` is "not set"; Rspack's command has then set its own. `false` is also how a SourceMapDevToolPlugin is
 * put in charge: then its maps are taken as they are.
 */
function decide({ options, context }: Compiler, deleteAfterUpload: boolean | undefined): MapDecision {
  const { plugins } = options
  const nx = nxPluginIn(plugins)
  const devtool = nx ? (nx.options.sourceMap === true ? 'source-map' : nx.options.sourceMap) : options.devtool
  if (nextSideOf(options) !== undefined)
    return decideMaps(devtool === false ? 'unset' : devtoolSetting(devtool), deleteAfterUpload, NEXT_WORDS)
  const hasOwnPlugin = plugins.some((plugin) => MAP_PLUGIN.test(plugin?.constructor?.name ?? ''))
  // Electron Forge sets it for who has not.
  const isForges = devtool === 'source-map' && forgePlaceOf(options.output, context) !== undefined
  const own = isForges || isFilledInByCommand(devtool) ? undefined : devtool
  const setting = hasOwnPlugin ? 'hidden' : devtoolSetting(own)
  return decideMaps(setting, deleteAfterUpload, webpackWords(devtool, plugins))
}
