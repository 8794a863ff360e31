// Made from packages/unplugin/src/bundlers/index.ts: npm run docs
import { rollup } from './bundlers/rollup.ts'
import { pluginFor } from './plugin.ts'

/** The plugin for Rollup. Everything may also be set in `symup.json` or the environment. */
const plugin = pluginFor(rollup)

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/rollup')` gives the function itself.
export { plugin as 'module.exports' }
