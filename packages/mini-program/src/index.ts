export { type PackOptions, type PackResult, pack } from './pack.ts'
