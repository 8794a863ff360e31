import type { Plugin } from 'rollup'
import type { SymupOptions } from './options.ts'
import { symup } from './plugin.ts'

/** The plugin for Rollup. Everything may also be set in `symup.json` or the environment. */
const plugin = (options: SymupOptions = {}): Plugin => symup.rollup(options) as unknown as Plugin

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/rollup')` gives the function itself.
export { plugin as 'module.exports' }
