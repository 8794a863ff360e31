import type { UnpluginInstance } from 'unplugin'
import type { SymupOptions } from './options.ts'
import { symup } from './plugin.ts'

type Plugin = ReturnType<UnpluginInstance<SymupOptions, false>['bun']>

/** The plugin for Bun. Everything may also be set in `symup.json` or the environment. */
const plugin = (options: SymupOptions = {}): Plugin => symup.bun(options) as unknown as Plugin

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/bun')` gives the function itself.
export { plugin as 'module.exports' }
