// Made from scripts/bundler-files.ts: npm run docs
import { withSymup } from './frameworks/metro.ts'

export type { OnError, SymupOptions } from './options.ts'
export default withSymup
// So that `require('@symup/unplugin/metro')` gives the function itself.
export { withSymup as 'module.exports' }
