import type { Compiler } from 'webpack'
import { type CompilerPlugin, defineBundler, throughUnplugin } from './bundler.ts'
import { tooOld } from './messages.ts'
import { applyToCompiler } from './webpack.ts'

const facade = throughUnplugin<CompilerPlugin>('rspack')

export const rspack = defineBundler({
  label: 'Rspack',
  debugIds: true,
  hooks: (options) => [(compiler: object) => applyToCompiler(compiler as Compiler, options, 'rspack')],
  plugin: (hooks) => (options) => {
    const plugin = facade(hooks)(options)
    return { apply: (compiler: object) => applyToRspack(plugin, compiler) }
  },
})

/** @throws SymupError for Rspack versions before 1, which lack a property that unplugin reads before it calls the plugin. */
function applyToRspack(plugin: CompilerPlugin, compiler: object): void {
  if (!('rspack' in compiler)) throw tooOld('Rspack', '1')
  plugin.apply(compiler)
}
