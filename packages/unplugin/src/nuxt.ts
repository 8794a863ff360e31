// Generated from scripts/bundler-files.ts by npm run docs
import { symupNuxt } from './frameworks/nuxt.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupNuxt }
export default symupNuxt
/** @internal What `require()` returns. Omitted from the declarations, because TypeScript before 5.6 cannot parse it. */
export { symupNuxt as 'module.exports' }
