// Made from packages/unplugin/src/bundlers/index.ts: npm run docs
import { esbuild } from './bundlers/esbuild.ts'
import { pluginFor } from './plugin.ts'

/** The plugin for esbuild. Everything may also be set in `symup.json` or the environment. */
const plugin = pluginFor(esbuild)

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/esbuild')` gives the function itself.
export { plugin as 'module.exports' }
