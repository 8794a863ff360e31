/**
 * Resolves stacks with symbol files from a directory or a store.
 *
 * @module @symup/symbolicate
 */

export * from './artifacts.ts'
export type { Budget } from './budget.ts'
export type { NativeFrame, NativeSymbols } from './dwarf/native-frame.ts'
export { readEnrichedAnswer } from './enriched-answer.ts'
export { type EventText, parseEventText } from './events/event-text.ts'
export * from './frames.ts'
export { localSymbolFiles } from './local-files.ts'
export { openNativeSymbols } from './open-native-symbols.ts'
export { platformOf } from './platform-of.ts'
export type { PoolLoad } from './pool/lanes.ts'
export { createSymbolicatorPool, type PoolOptions, type SymbolicatorPool, symbolicateApart } from './pool/pool.ts'
export { Unanswered, type UnansweredCode } from './pool/unanswered.ts'
export type { StackQuestion } from './question.ts'
export { REASONS } from './reasons.ts'
export type { Release } from './release.ts'
export { MappingError } from './resolvers/jvm-mapping/class-blocks.ts'
export { indexMapping, type MappingIndex } from './resolvers/jvm-mapping/mapping-index.ts'
export { type RetracedLine, retrace } from './resolvers/jvm-mapping/retrace.ts'
export { type RetraceTextOptions, retracedText } from './resolvers/jvm-mapping/retrace-text.ts'
export type { MiniProgramMap, MiniProgramSource } from './resolvers/mini-program/source.ts'
export type { BinaryImage } from './resolvers/native/binary-image.ts'
export { bytesInFile, bytesInMemory, type StoredBytes } from './stored-bytes.ts'
export { type Asker, createSymbolicator, type Symbolicator, symbolicate } from './symbolicate.ts'
export { artifactSourceOf } from './upload-source.ts'
