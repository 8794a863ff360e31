import type { Plugin } from 'vite'
import type { SymupOptions } from './options.ts'
import { symup } from './plugin.ts'

/** The plugin for Vite. Everything may also be set in `symup.json` or the environment. */
const plugin = (options: SymupOptions = {}): Plugin => symup.vite(options) as Plugin

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/vite')` gives the function itself.
export { plugin as 'module.exports' }
