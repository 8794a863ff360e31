// Generated from scripts/bundler-files.ts by npm run docs
import { symupAngular } from './frameworks/angular.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupAngular }
export default symupAngular
/** @internal The export that `require()` returns. Omitted from the declarations, because TypeScript versions before 5.6 cannot parse it. */
export { symupAngular as 'module.exports' }
