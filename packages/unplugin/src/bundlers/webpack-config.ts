import { nameBelow } from '@symup/core'
import { phrase } from '@symup/core/text'
import type { Compiler } from 'webpack'
import { decideMaps, type MapDecision, type MapSettingLabels } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { prefixOfBuild } from '../prefix.ts'
import { placed } from '../server.ts'
import { isOneOfSeveral } from './compiler-group.ts'
import { forgePlaceOf, webpackPrefix } from './public-path.ts'
import { devtoolSetting, nameOf, nxPluginIn, webpackLabels } from './webpack-devtool.ts'

interface NextOptions {
  name?: string
  resolveLoader?: { alias?: unknown }
}

/** The directory in the output of Next.js that is deployed for browsers, at `<publicPath>static/`. */
export const NEXT_DEPLOYED = 'static'

/**
 * Next.js calls the `webpack` function for a browser compiler and several server compilers.
 * @returns undefined if Next.js did not create the compiler.
 */
export function nextSideOf({ name, resolveLoader }: NextOptions): 'client' | 'server' | undefined {
  const { alias } = resolveLoader ?? {}
  const isNext = typeof alias === 'object' && alias !== null && 'next-swc-loader' in alias
  if (!isNext) return undefined
  return name === 'client' ? 'client' : 'server'
}

/** Next.js replaces `devtool` with its own setting. If `productionBrowserSourceMaps` is not set, Next.js sets `devtool` to `false`. */
export const NEXT_LABELS: MapSettingLabels = {
  now: phrase`productionBrowserSourceMaps is true`,
  hidden: 'productionBrowserSourceMaps: false',
}

/** Returns whether the compiler's output is for a server, and the matching options. The target is known only when the build starts. */
export function placeOf(compiler: Compiler, options: SymupOptions) {
  return placed(options, { isForNode: isForNode(compiler), directory: compiler.outputPath })
}

export function settingsOf(compiler: Compiler, options: SymupOptions) {
  const prefix = webpackPrefix(compiler.options, compiler.context)
  return {
    options: placeOf(compiler, options).options,
    prefix: prefixOfBuild(prefix, { isForNode: isForNode(compiler), config: configOf(compiler) }),
    root: compiler.context,
  }
}

/** Tests whether the target is `node` or `async-node`. Electron and NW.js apps do not run on a server. */
function isForNode({
  options: { externalsPresets = {} },
  platform = {},
}: Pick<Compiler, 'options'> & Partial<Pick<Compiler, 'platform'>>): boolean {
  // Check both the presets and the platform: Gatsby's Node target does not set the presets, and early versions of webpack 5 have no
  // `platform`.
  const is = (name: 'node' | 'electron' | 'nwjs') => externalsPresets[name] === true || platform[name] === true
  return is('node') && !is('electron') && !is('nwjs')
}

/** Returns the `name` of a config, or its output directory, to identify the config among several. */
function configOf(compiler: Compiler): string | undefined {
  if (!isOneOfSeveral(compiler)) return undefined
  return `"${compiler.options.name ?? (nameBelow(compiler.context, compiler.outputPath) || compiler.outputPath)}"`
}

/** Turns on hidden maps. Nx's plugin may override `devtool` later, so its options are changed, too. */
export function hideMaps({ options }: Compiler): void {
  options.devtool = 'hidden-source-map'
  const nx = nxPluginIn(options.plugins)
  if (nx) nx.options.sourceMap = options.devtool
}

/** Matches plugins that generate maps. Re.Pack's plugin sets `devtool` to `false` and generates the maps itself. */
const MAP_PLUGIN = /SourceMapDevToolPlugin$|^RepackPlugin$/

/**
 * Decides what happens to the maps. webpack applies plugins before it sets its defaults, so `undefined` means that `devtool` is not set.
 * Rspack's command-line interface sets its own default earlier. `false` may also mean that the config uses SourceMapDevToolPlugin, whose
 * maps are not changed.
 */
export function mapsOf({ options, context }: Compiler, deleteAfterUpload: boolean | undefined): MapDecision {
  const { plugins } = options
  const nx = nxPluginIn(plugins)
  const devtool = nx ? (nx.options.sourceMap === true ? 'source-map' : nx.options.sourceMap) : options.devtool
  if (nextSideOf(options) !== undefined)
    return decideMaps(devtool === false ? 'unset' : devtoolSetting(devtool), deleteAfterUpload, NEXT_LABELS)
  const hasOwnPlugin = plugins.some((plugin) => MAP_PLUGIN.test(nameOf(plugin)))
  // Electron Forge sets `devtool` to `source-map` unless the user sets it.
  const isForges = devtool === 'source-map' && forgePlaceOf(options.output, context) !== undefined
  // Laravel Mix sets `devtool` to `false` unless the user calls `mix.sourceMaps()`.
  const isMixs = devtool === false && plugins.some((plugin) => nameOf(plugin) === 'MixDefinitionsPlugin')
  const own = isForges || isMixs ? undefined : devtool
  const setting = hasOwnPlugin ? 'hidden' : devtoolSetting(own)
  return decideMaps(setting, deleteAfterUpload, webpackLabels(devtool, plugins))
}
