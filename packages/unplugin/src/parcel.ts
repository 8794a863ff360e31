// Generated from scripts/bundler-files.ts by npm run docs
import { symupParcel } from './frameworks/parcel.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupParcel }
export default symupParcel
/** @internal The export that `require()` returns. Omitted from the declarations, because TypeScript versions before 5.6 cannot parse it. */
export { symupParcel as 'module.exports' }
