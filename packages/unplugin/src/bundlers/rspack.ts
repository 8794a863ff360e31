import type { SymupOptions } from '../options.ts'
import { defineBundler, pluginOfCompiler } from './bundler.ts'
import { tooOld } from './messages.ts'
import { applyToCompiler } from './webpack.ts'
import type { Compiler } from './webpack-config.ts'

export const rspack = defineBundler({
  label: 'Rspack',
  debugIds: true,
  hooks: (options) => [(compiler: object) => applyToRspack(compiler as Compiler, options)],
  plugin: pluginOfCompiler,
})

/** @throws SymupError before Rspack 1. */
function applyToRspack(compiler: Compiler, options: SymupOptions): void {
  if (!('rspack' in compiler)) throw tooOld('Rspack', '1')
  applyToCompiler(compiler, options, 'rspack')
}
