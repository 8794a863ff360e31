import { t } from '@symup/core/text'
import type { MapSetting, MapSettingLabels } from '../maps.ts'

interface NxPlugin {
  options: { sourceMap?: unknown }
}

/** Finds Nx's app plugin, which sets `devtool` from its own option when it is applied, regardless of the config. */
export function nxPluginIn(plugins: readonly unknown[]): NxPlugin | undefined {
  const found = plugins.find((plugin) => /^NxApp(?:Webpack|Rspack)Plugin$/.test(nameOf(plugin))) as Partial<NxPlugin>
  return found?.options === undefined ? undefined : (found as NxPlugin)
}

export const nameOf = (plugin: unknown) => (plugin as object | null | undefined)?.constructor?.name ?? ''

/** The settings of Create React App, Vue CLI and Symfony Encore, which set `devtool` to `false` if their setting is off. */
const FRAMEWORK_SETTINGS = 'GENERATE_SOURCEMAP=true, productionSourceMap: true, Encore.enableSourceMaps()'

/** Describes how users turn on source maps in webpack builds. Nx sets `devtool` from an option of its plugin. */
export function webpackLabels(devtool: unknown, plugins: readonly unknown[]): MapSettingLabels {
  const shown = (value: unknown) => (typeof value === 'string' ? `'${value}'` : value)
  const nx = nxPluginIn(plugins)
  if (nx) {
    const hidden = t`sourceMap: 'hidden-source-map' in ${nameOf(nx)}`
    const on = t`Set ${hidden}, and deleteAfterUpload: true in the plugin options.`
    return { now: t`${nameOf(nx)}'s sourceMap is ${shown(nx.options.sourceMap)}`, hidden, on }
  }
  const now = t`devtool is ${shown(devtool)}`
  const hidden = "devtool: 'hidden-source-map'"
  if (devtool !== false) return { now, hidden }
  // `rspack build` and `nest build` also set `devtool` to `false` if the config does not set it.
  const on = t`Set ${hidden}. If a framework sets devtool, turn on source maps in its own setting (${FRAMEWORK_SETTINGS}).`
  return { now, hidden, on }
}

export function devtoolSetting(devtool: unknown): MapSetting {
  if (devtool === undefined) return 'unset'
  // `eval` modes do not write maps, because the sources are inside the scripts.
  if (typeof devtool !== 'string' || !devtool.includes('source-map') || devtool.includes('eval')) return 'none'
  if (devtool.includes('inline')) return 'inline'
  return devtool.includes('hidden') ? 'hidden' : 'linked'
}
