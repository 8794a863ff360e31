import type { RspackPluginInstance } from '@rspack/core'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { applyToCompiler, type Compiler } from './webpack.ts'

export const rspack = defineBundler({
  label: 'Rspack',
  debugIds: true,
  hooks: (options) => [(compiler: Compiler) => applyToCompiler(compiler, options, 'rspack')],
  plugin: throughUnplugin<RspackPluginInstance>('rspack'),
})
