// Made from packages/unplugin/src/bundlers/index.ts: npm run docs
import { vite } from './bundlers/vite.ts'
import { pluginFor } from './plugin.ts'

/** The plugin for Vite. Everything may also be set in `symup.json` or the environment. */
const plugin = pluginFor(vite)

export type { OnError, SymupOptions } from './options.ts'
export default plugin
// So that `require('@symup/unplugin/vite')` gives the function itself.
export { plugin as 'module.exports' }
