import type { RsbuildPlugin, RsbuildPluginAPI } from '@rsbuild/core'
import { t } from '@symup/core/text'
import type { Compiler } from 'webpack'
import { decideMaps, type MapDecision } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { tooOld } from './messages.ts'
import { applyToCompiler } from './webpack.ts'
import { devtoolSetting } from './webpack-devtool.ts'

export const rsbuild = defineBundler({
  label: 'Rsbuild',
  debugIds: true,
  hooks: (options) => [{ setup: setUp(options) }],
  plugin: throughUnplugin<RsbuildPlugin>('rsbuild'),
})

/** Rsbuild sets Rspack's `devtool` from `output.sourceMap`. The plugin therefore reads and changes `output.sourceMap`. */
function setUp(options: SymupOptions): (api: RsbuildPluginAPI) => void {
  return (api) => {
    if (api.logger === undefined) throw tooOld('Rsbuild', '2')
    let maps: MapDecision | undefined
    api.modifyRsbuildConfig((config, { mergeRsbuildConfig }) => {
      if (api.context.action !== 'build') return config
      const { sourceMap } = config.output ?? {}
      const own = typeof sourceMap === 'object' ? sourceMap.js : sourceMap
      const now = t`output.sourceMap.js is ${typeof own === 'string' ? `'${own}'` : own}`
      const hidden = "output.sourceMap: { js: 'hidden-source-map' }"
      maps = decideMaps(own === true ? 'linked' : devtoolSetting(own), options.deleteAfterUpload, { now, hidden })
      if (!maps.hide) return config
      return mergeRsbuildConfig(config, { output: { sourceMap: { js: 'hidden-source-map' } } })
    })
    api.modifyRspackConfig((config) => {
      const logLevel = () => api.logger.level
      const apply = (compiler: unknown) => applyToCompiler(compiler as Compiler, options, 'rsbuild', { logLevel, maps })
      config.plugins.push({ apply })
    })
  }
}
