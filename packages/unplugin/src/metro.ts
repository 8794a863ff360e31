// Generated from scripts/bundler-files.ts by npm run docs
import { withSymup } from './frameworks/metro.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { withSymup }
export default withSymup
/**
 * @internal Makes `require('@symup/unplugin/metro')` return the function itself. Compilers before TypeScript 5.6 cannot parse such an
 * export name, so the declarations omit it.
 */
export { withSymup as 'module.exports' }
