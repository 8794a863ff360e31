// Generated from scripts/bundler-files.ts by npm run docs
import { symupParcel } from './frameworks/parcel.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupParcel }
export default symupParcel
/** @internal What `require()` returns. Omitted from the declarations, because TypeScript before 5.6 cannot parse it. */
export { symupParcel as 'module.exports' }
