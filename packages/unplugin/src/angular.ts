// Made from scripts/bundler-files.ts: npm run docs
import { symupAngular } from './frameworks/angular.ts'

export type { OnError, SymupOptions } from './options.ts'
export default symupAngular
// So that `require('@symup/unplugin/angular')` gives the function itself.
export { symupAngular as 'module.exports' }
