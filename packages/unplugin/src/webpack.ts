import type { WebpackPluginInstance } from 'webpack'
import type { SymupOptions } from './options.ts'
import { symup } from './plugin.ts'

/** The plugin for webpack. Everything may also be set in `symup.json` or the environment. */
const plugin = (options: SymupOptions = {}): WebpackPluginInstance =>
  symup.webpack(options) as unknown as WebpackPluginInstance

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/webpack')` gives the function itself.
export { plugin as 'module.exports' }
