// Made from packages/unplugin/src/bundlers/index.ts: npm run docs
import { bun } from './bundlers/bun.ts'
import { pluginFor } from './plugin.ts'

/** The plugin for Bun. Everything may also be set in `symup.json` or the environment. */
const plugin = pluginFor(bun)

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export default plugin
/** @internal So that `require('@symup/unplugin/bun')` gives the function itself. Compilers before TypeScript 5.6 cannot read such a name, so the declarations leave it out. */
export { plugin as 'module.exports' }
