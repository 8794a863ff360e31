// Made from scripts/bundler-files.ts: npm run docs
import { symupAstro } from './frameworks/astro.ts'

export type { OnError, SymupOptions } from './options.ts'
export default symupAstro
/** @internal So that `require('@symup/unplugin/astro')` gives the function itself. Compilers before TypeScript 5.6 cannot read such a name, so the declarations leave it out. */
export { symupAstro as 'module.exports' }
