// Generated from packages/unplugin/src/bundlers/index.ts by npm run docs
import { vite } from './bundlers/vite.ts'
import { pluginFor } from './plugin.ts'

/** The plugin for Vite. All options may also be set in `symup.json` or the environment. */
const plugin = pluginFor(vite)

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export default plugin
/** @internal The export that `require()` returns. Omitted from the declarations, because TypeScript versions before 5.6 cannot parse it. */
export { plugin as 'module.exports' }
