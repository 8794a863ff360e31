// Made from scripts/bundler-files.ts: npm run docs
import { symupNuxt } from './frameworks/nuxt.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupNuxt }
export default symupNuxt
/** @internal So that `require('@symup/unplugin/nuxt')` gives the function itself. Compilers before TypeScript 5.6 cannot read such a name, so the declarations leave it out. */
export { symupNuxt as 'module.exports' }
