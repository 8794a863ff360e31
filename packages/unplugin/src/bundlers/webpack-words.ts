import { t } from '@symup/core/internal'
import type { MapWords } from '../maps.ts'

/** What is used of Vue CLI's service, which keeps itself here. */
interface VueCli {
  VUE_CLI_SERVICE?: { projectOptions?: { productionSourceMap?: unknown } }
}

/**
 * How the user of webpack writes that there are to be maps. Create React App and Vue CLI set `devtool` from a setting of their own.
 * @param plugins of the compiler.
 */
export function webpackWords(devtool: unknown, plugins: readonly (object | null | undefined)[]): MapWords {
  const now = t`devtool is ${typeof devtool === 'string' ? `'${devtool}'` : devtool}`
  const hidden = "devtool: 'hidden-source-map'"
  if (devtool !== false) return { now, hidden }
  const isReactApp = plugins.some((plugin) => plugin?.constructor?.name === 'InterpolateHtmlPlugin')
  if (isReactApp && process.env.GENERATE_SOURCEMAP === 'false')
    return {
      now: t`GENERATE_SOURCEMAP is false`,
      hidden,
      on: t`Set GENERATE_SOURCEMAP=true, or leave it out, and set deleteAfterUpload: true in the plugin's options.`,
    }
  if ((process as VueCli).VUE_CLI_SERVICE?.projectOptions?.productionSourceMap === false)
    return {
      now: t`productionSourceMap is false`,
      hidden,
      on: t`Set productionSourceMap: true in vue.config.js, and deleteAfterUpload: true in the plugin's options.`,
    }
  return { now, hidden }
}
