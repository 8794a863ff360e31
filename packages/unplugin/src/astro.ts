// Made from scripts/bundler-files.ts: npm run docs
import { symupAstro } from './frameworks/astro.ts'

export type { OnError, SymupOptions } from './options.ts'
export default symupAstro
// So that `require('@symup/unplugin/astro')` gives the function itself.
export { symupAstro as 'module.exports' }
