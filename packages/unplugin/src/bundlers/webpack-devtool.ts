import { t } from '@symup/core/text'
import type { MapSetting, MapSettingLabels } from '../maps.ts'

/** The part of Vue CLI's service that the plugin uses. The service registers itself as a property of `process`. */
interface VueCli {
  VUE_CLI_SERVICE?: { projectOptions?: { productionSourceMap?: unknown } }
}

interface NxPlugin {
  options: { sourceMap?: unknown }
}

/** Finds Nx's app plugin, which sets `devtool` from its own option when it is applied, regardless of the config. */
export function nxPluginIn(plugins: readonly unknown[]): NxPlugin | undefined {
  const found = plugins.find((plugin) => /^NxApp(?:Webpack|Rspack)Plugin$/.test(nameOf(plugin))) as Partial<NxPlugin>
  return found?.options === undefined ? undefined : (found as NxPlugin)
}

export const nameOf = (plugin: unknown) => (plugin as object | null | undefined)?.constructor?.name ?? ''

/**
 * Describes how users turn on source maps in webpack builds. Create React App, Vue CLI, Symfony Encore and Nx set `devtool` from their own
 * settings.
 * @param plugins the compiler's plugins.
 */
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
  const isReactApp = plugins.some((plugin) => nameOf(plugin) === 'InterpolateHtmlPlugin')
  if (isReactApp && process.env.GENERATE_SOURCEMAP === 'false')
    return {
      now: t`GENERATE_SOURCEMAP is false`,
      hidden,
      on: t`Set GENERATE_SOURCEMAP=true, or remove the variable. Then set deleteAfterUpload: true in the plugin options.`,
    }
  if (plugins.some((plugin) => nameOf(plugin) === 'EntryPointsPlugin'))
    return {
      now: t`Source maps are disabled in Encore`,
      hidden,
      on: t`Call Encore.enableSourceMaps() for production builds too, and set deleteAfterUpload: true in the plugin options.`,
    }
  if ((process as VueCli).VUE_CLI_SERVICE?.projectOptions?.productionSourceMap === false)
    return {
      now: t`productionSourceMap is false`,
      hidden,
      on: t`Set productionSourceMap: true in vue.config.js, and deleteAfterUpload: true in the plugin options.`,
    }
  // `rspack build` and `nest build` set `devtool` to `false` if the config does not set it.
  return { now, hidden, on: t`Set ${hidden}.` }
}

export function devtoolSetting(devtool: unknown): MapSetting {
  if (devtool === undefined) return 'unset'
  // `eval` modes do not write maps, because the sources are inside the scripts.
  if (typeof devtool !== 'string' || !devtool.includes('source-map') || devtool.includes('eval')) return 'none'
  if (devtool.includes('inline')) return 'inline'
  return devtool.includes('hidden') ? 'hidden' : 'linked'
}
