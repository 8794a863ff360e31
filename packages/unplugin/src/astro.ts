// Generated from scripts/bundler-files.ts by npm run docs
import { symupAstro } from './frameworks/astro.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupAstro }
export default symupAstro
/** @internal The export that `require()` returns. Omitted from the declarations, because TypeScript versions before 5.6 cannot parse it. */
export { symupAstro as 'module.exports' }
