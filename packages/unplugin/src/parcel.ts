// Generated from scripts/bundler-files.ts by npm run docs
import { symupParcel } from './frameworks/parcel.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { symupParcel }
export default symupParcel
/**
 * @internal Makes `require('@symup/unplugin/parcel')` return the function itself. Compilers before TypeScript 5.6 cannot parse such an
 * export name, so the declarations omit it.
 */
export { symupParcel as 'module.exports' }
