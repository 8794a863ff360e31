// Generated from scripts/bundler-files.ts by npm run docs
import { symupAngular } from './frameworks/angular.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupAngular }
export default symupAngular
/**
 * @internal Makes `require('@symup/unplugin/angular')` return the function itself. Compilers before TypeScript 5.6 cannot parse such an
 * export name, so the declarations omit it.
 */
export { symupAngular as 'module.exports' }
