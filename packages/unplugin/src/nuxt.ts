// Generated from scripts/bundler-files.ts by npm run docs
import { symupNuxt } from './frameworks/nuxt.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupNuxt }
export default symupNuxt
/**
 * @internal Makes `require('@symup/unplugin/nuxt')` return the function itself. Compilers before TypeScript 5.6 cannot parse such an
 * export name, so the declarations omit it.
 */
export { symupNuxt as 'module.exports' }
