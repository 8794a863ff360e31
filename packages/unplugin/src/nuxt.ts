// Generated from scripts/bundler-files.ts by npm run docs
import { symupNuxt } from './frameworks/nuxt.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupNuxt }
export default symupNuxt
/** @internal The export that `require()` returns. Omitted from the declarations, because TypeScript versions before 5.6 cannot parse it. */
export { symupNuxt as 'module.exports' }
