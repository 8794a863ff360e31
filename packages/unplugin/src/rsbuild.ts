// Made from packages/unplugin/src/bundlers/index.ts: npm run docs
import { rsbuild } from './bundlers/rsbuild.ts'
import { pluginFor } from './plugin.ts'

/** The plugin for Rsbuild. Everything may also be set in `symup.json` or the environment. */
const plugin = pluginFor(rsbuild)

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/rsbuild')` gives the function itself.
export { plugin as 'module.exports' }
