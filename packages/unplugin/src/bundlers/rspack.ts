import type { RspackPluginInstance } from '@rspack/core'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { tooOld } from './messages.ts'
import { applyToCompiler } from './webpack.ts'
import type { Compiler } from './webpack-config.ts'

export const rspack = defineBundler({
  label: 'Rspack',
  debugIds: true,
  hooks: (options) => [(compiler: Compiler) => applyToCompiler(compiler, options, 'rspack')],
  plugin: (hooks) => {
    const plugin = throughUnplugin<RspackPluginInstance>('rspack')(hooks)
    return { apply: (compiler: object) => applyToRspack(plugin, compiler) }
  },
})

/** @throws SymupError before Rspack 1: unplugin would fail first, at what it does not have. */
function applyToRspack(plugin: RspackPluginInstance, compiler: object): void {
  if (!('rspack' in compiler)) throw tooOld('Rspack', '1')
  plugin.apply(compiler as Parameters<RspackPluginInstance['apply']>[0])
}
