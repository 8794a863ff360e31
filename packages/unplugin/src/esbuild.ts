import type { Plugin } from 'esbuild'
import type { SymupOptions } from './options.ts'
import { symup } from './plugin.ts'

/** The plugin for esbuild. Everything may also be set in `symup.json` or the environment. */
const plugin = (options: SymupOptions = {}): Plugin => symup.esbuild(options) as unknown as Plugin

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/esbuild')` gives the function itself.
export { plugin as 'module.exports' }
