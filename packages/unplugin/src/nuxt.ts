// Made from scripts/bundler-files.ts: npm run docs
import { symupNuxt } from './frameworks/nuxt.ts'

export type { OnError, SymupOptions } from './options.ts'
export default symupNuxt
// So that `require('@symup/unplugin/nuxt')` gives the function itself.
export { symupNuxt as 'module.exports' }
