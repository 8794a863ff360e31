// Made from scripts/bundler-files.ts: npm run docs
import { symupAstro } from './frameworks/astro.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupAstro }
export default symupAstro
/** @internal So that `require('@symup/unplugin/astro')` gives the function itself. Compilers before TypeScript 5.6 cannot read such a name, so the declarations leave it out. */
export { symupAstro as 'module.exports' }
