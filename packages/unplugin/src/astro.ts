// Generated from scripts/bundler-files.ts by npm run docs
import { symupAstro } from './frameworks/astro.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupAstro }
export default symupAstro
/**
 * @internal Makes `require('@symup/unplugin/astro')` return the function itself. Compilers before TypeScript 5.6 cannot parse such an
 * export name, so the declarations omit it.
 */
export { symupAstro as 'module.exports' }
