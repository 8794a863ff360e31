// Made from scripts/bundler-files.ts: npm run docs
import { symupParcel } from './frameworks/parcel.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupParcel }
export default symupParcel
/** @internal So that `require('@symup/unplugin/parcel')` gives the function itself. Compilers before TypeScript 5.6 cannot read such a name, so the declarations leave it out. */
export { symupParcel as 'module.exports' }
