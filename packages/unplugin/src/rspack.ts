import type { RspackPluginInstance } from '@rspack/core'
import type { SymupOptions } from './options.ts'
import { symup } from './plugin.ts'

/** The plugin for Rspack. Everything may also be set in `symup.json` or the environment. */
const plugin = (options: SymupOptions = {}): RspackPluginInstance =>
  symup.rspack(options) as unknown as RspackPluginInstance

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/rspack')` gives the function itself.
export { plugin as 'module.exports' }
