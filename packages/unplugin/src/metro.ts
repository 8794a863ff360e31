// Generated from scripts/bundler-files.ts by npm run docs
import { withSymup } from './frameworks/metro.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { withSymup }
export default withSymup
/** @internal The export that `require()` returns. Omitted from the declarations, because TypeScript versions before 5.6 cannot parse it. */
export { withSymup as 'module.exports' }
