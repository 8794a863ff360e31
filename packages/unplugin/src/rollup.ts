// Made from packages/unplugin/src/bundlers/index.ts: npm run docs
import { rollup } from './bundlers/rollup.ts'
import { pluginFor } from './plugin.ts'

/** The plugin for Rollup. Everything may also be set in `symup.json` or the environment. */
const plugin = pluginFor(rollup)

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export default plugin
/** @internal So that `require('@symup/unplugin/rollup')` gives the function itself. Compilers before TypeScript 5.6 cannot read such a name, so the declarations leave it out. */
export { plugin as 'module.exports' }
