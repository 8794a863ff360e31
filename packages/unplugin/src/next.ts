// Made from scripts/bundler-files.ts: npm run docs
import { withSymup } from './frameworks/next.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { withSymup }
export default withSymup
/** @internal So that `require('@symup/unplugin/next')` gives the function itself. Compilers before TypeScript 5.6 cannot read such a name, so the declarations leave it out. */
export { withSymup as 'module.exports' }
