/**
 * Resolves stacks using symbol files from a directory or a store.
 * @module @symup/symbolicate
 */

export * from './artifacts.ts'
export type { Budget } from './budget.ts'
export type { StoredContent } from './content.ts'
export * from './frames.ts'
export { localSymbolFiles } from './local-files.ts'
export type { PoolLoad } from './pool/lanes.ts'
export { createSymbolicatorPool, type PoolOptions, type SymbolicatorPool } from './pool/pool.ts'
export { Unanswered, type UnansweredCode } from './pool/unanswered.ts'
export type { StackQuestion } from './question.ts'
export { MappingError } from './resolvers/jvm-mapping/class-blocks.ts'
export { type RetraceOptions, retrace } from './resolvers/jvm-mapping/retrace-text.ts'
export type { BinaryImage } from './resolvers/native/binary-image.ts'
export { type Asker, type Symbolicator, symbolicate } from './symbolicate.ts'
export { artifactSourceOf } from './upload-source.ts'
