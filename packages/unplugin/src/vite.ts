import type { PluginOption } from 'vite'
import type { SymupOptions } from './options.ts'
import { symup } from './plugin.ts'

/** The plugin for Vite. Everything may also be set in `symup.json` or the environment. */
const plugin = (options: SymupOptions = {}): PluginOption => symup.vite(options)

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/vite')` gives the function itself.
export { plugin as 'module.exports' }
