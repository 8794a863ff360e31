import type { Line } from '@symup/core/internal'
import { isScript, nameBelow, t } from '@symup/core/internal'
import type { WebpackPluginInstance } from 'webpack'
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
import { defineBundler, throughUnplugin } from './bundler.ts'
import { enterGroup, isOneOfSeveral, settle } from './compiler-group.ts'
import { logProblems, tellOnce, tooOld, watching } from './messages.ts'
import { NEXT_DEPLOYED, NEXT_WORDS, nextSideOf } from './next.ts'
import { forgePlaceOf, webpackPrefix } from './public-path.ts'
import { isFilledInByCommand } from './rspack-command.ts'
import { type Emitted, keptInMemory, type WritingCompiler, writesToMemory } from './webpack-memory.ts'
import { changePages, type PagesCompiler } from './webpack-pages.ts'
import { devtoolSetting, nxPluginIn, webpackWords } from './webpack-words.ts'
import { nameWorkersMap, type WorkboxCompiler } from './webpack-workbox.ts'
import { emptyOutput } from './written.ts'

interface Asset {
  name: string
  info: { copied?: boolean; related?: { sourceMap?: unknown } | null }
}

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
    thisCompilation: Hook<[Stats['compilation'] & Emitted]>
    done: Hook<[Stats]>
  }
}

interface Stats {
  hasErrors(): boolean
  compilation: { getAssets(): readonly Asset[]; chunks: Iterable<{ files: Iterable<string> }> }
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
  hooks: (options) => [(compiler: Compiler) => applyToWebpack(compiler, options)],
  plugin: throughUnplugin<WebpackPluginInstance>('webpack'),
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
  const isRelease = compiler.options.mode !== 'development'
  let session: Session | undefined
  let stopWriting = () => {}
  let saidWatching = false
  let inMemory: BundleOutput | undefined
  const next = nextSideOf(compiler.options)
  if (next === 'server') {
    leaveServerAlone(compiler, options, bundler, log)
    return
  }

  const maps = framework.maps ?? decide(compiler, options.deleteAfterUpload)
  if (isRelease && maps.hide) hideMaps(compiler)
  if (isRelease) nameWorkersMap(compiler as unknown as WorkboxCompiler)
  if (isRelease && options.debugIds) injectDebugIds(compiler as unknown as DebugIdCompiler)
  if (isRelease && options.injectRelease)
    changePages(compiler as unknown as PagesCompiler, (html) => session?.page(html) ?? html)
  enterGroup(compiler)
  const transforms = new TransformWatch()
  if (isRelease) watchLoaders(compiler as unknown as LoadingCompiler, transforms)

  // The target is known when the build begins.
  const place = () => placed(options, { isForNode: isForNode(compiler), directory: compiler.outputPath })
  const settingsOf = () => ({
    options: place().options,
    prefix: prefixOfBuild(webpackPrefix(compiler.options, compiler.context), {
      isForNode: isForNode(compiler),
      config: configOf(compiler),
    }),
    root: compiler.context,
  })

  compiler.hooks.run.tapPromise('symup', async () => {
    session = undefined
    inMemory = undefined
    if (!isRelease) {
      log({ severity: 'info', text: t`The mode is development: nothing is uploaded.` })
      return
    }
    const { options: own, ...more } = settingsOf()
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

  const written = (compilation: Stats['compilation']) =>
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
    const output = { ...(inMemory ?? written(stats.compilation)), isServer: place().isServer }
    const { finish } = opened
    await settle(compiler, { output, settings: settingsOf(), transforms, stopWriting, finish })
  })
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

/** @param deployed directory below the output that ships; what is written elsewhere is left alone. Default: all of it. */
function outputOf(
  compilation: Stats['compilation'],
  directory: string,
  deletes: boolean,
  deployed?: string,
): BundleOutput {
  const output = { ...emptyOutput(directory), ...(deployed !== undefined && { deployed, isListed: false }) }
  for (const { name, info } of compilation.getAssets()) {
    const file = withoutQuery(name)
    if (deployed !== undefined && !file.startsWith(`${deployed}/`)) continue
    output.files.add(file)
    if (info.copied) output.copied?.add(file)
    const map = info.related?.sourceMap
    const first: unknown = Array.isArray(map) ? map[0] : map
    if (typeof first !== 'string') continue
    const mapFile = withoutQuery(first)
    output.files.add(mapFile)
    output.mapOf.set(file, mapFile)
    if (deletes) output.deletable.add(mapFile)
  }
  if (output.mapOf.size > 0)
    for (const file of byPlugins(compilation)) if (!output.mapOf.has(file)) output.copied?.add(file)
  // Next.js writes scripts without code of anyone's, which webpack gives no map.
  if (deployed !== undefined && output.mapOf.size > 0) {
    for (const file of output.files) if (/\.[mc]?js$/.test(file) && !output.mapOf.has(file)) output.files.delete(file)
  }
  return output
}

/** Scripts that are in no chunk: plugins emit them, as Workbox's does its service worker. */
function byPlugins(compilation: Stats['compilation']): string[] {
  const built = new Set([...compilation.chunks].flatMap(({ files }) => [...files]))
  const others = compilation.getAssets().filter(({ name }) => !built.has(name))
  return others.map(({ name }) => withoutQuery(name)).filter(isScript)
}

/** `filename: 'app.js?[contenthash]'` writes the file `app.js`. */
function withoutQuery(name: string): string {
  const query = name.indexOf('?')
  return query === -1 ? name : name.slice(0, query)
}
