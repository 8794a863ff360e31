// Made from scripts/bundler-files.ts: npm run docs
import { symupAngular } from './frameworks/angular.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupAngular }
export default symupAngular
/** @internal So that `require('@symup/unplugin/angular')` gives the function itself. Compilers before TypeScript 5.6 cannot read such a name, so the declarations leave it out. */
export { symupAngular as 'module.exports' }
