import type { Plugin } from 'rolldown'
import type { SymupOptions } from './options.ts'
import { symup } from './plugin.ts'

/** The plugin for Rolldown. Everything may also be set in `symup.json` or the environment. */
const plugin = (options: SymupOptions = {}): Plugin => symup.rolldown(options) as unknown as Plugin

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/rolldown')` gives the function itself.
export { plugin as 'module.exports' }
