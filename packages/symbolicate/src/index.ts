/**
 * Resolves stacks with symbol files, of a directory or of a store.
 *
 * @module @symup/symbolicate
 */

export { fileNameOf, urlPath } from '@symup/core/resolving'
export * from './artifacts.ts'
export { type Shelf, WeightedCache } from './cache.ts'
export type { NativeFrame, NativeSymbols } from './dwarf/native-frame.ts'
export { type EventText, parseEventText } from './events/event-text.ts'
export * from './frames.ts'
export { INDEX_VERSION } from './index-file.ts'
export { localSymbolFiles } from './local-files.ts'
export type {
  GeneratedPlace,
  GeneratedWindow,
  MapAnswers,
  MapProof,
  Place,
  Segment,
  SourceShare,
} from './map-answers.ts'
export type { NativeLines } from './native-lines.ts'
export { openNativeSymbols } from './open-native-symbols.ts'
export { platformOf } from './platform-of.ts'
export type { PoolLoad } from './pool/lanes.ts'
export {
  createSymbolicatorPool,
  type MapViewer,
  type PoolOptions,
  type SymbolicatorPool,
  symbolicateApart,
} from './pool/pool.ts'
export { Unanswered, type UnansweredCode } from './pool/unanswered.ts'
export type { StackQuestion } from './question.ts'
export { textUpTo } from './read-limits.ts'
export { REASONS } from './reasons.ts'
export type { Release } from './release.ts'
export { BundleError, type MapBundle, readMapBundle } from './resolvers/arkts/map-bundle.ts'
export { isDartStack } from './resolvers/flutter/dart-stack.ts'
export { isForeign, MAX_FRAMES, parseStack } from './resolvers/javascript/parse-stack.ts'
export { MappingError } from './resolvers/jvm-mapping/class-blocks.ts'
export { indexMapping, type MappingIndex } from './resolvers/jvm-mapping/mapping-index.ts'
export { type RetracedLine, retrace } from './resolvers/jvm-mapping/retrace.ts'
export { type RetraceTextOptions, retracedText } from './resolvers/jvm-mapping/retrace-text.ts'
export { archivedMaps, readArchivedMap } from './resolvers/mini-program/archived-maps.ts'
export * from './resolvers/mini-program/source.ts'
export type { BinaryImage } from './resolvers/native/binary-image.ts'
export { hasNativeFrames, hasOnlyNativeFrames, libraryName } from './resolvers/native/native-stack.ts'
export { bytesInFile, bytesInMemory, type StoredBytes } from './stored-bytes.ts'
export { type Asker, createSymbolicator, type Symbolicator, symbolicate } from './symbolicate.ts'
export { artifactSourceOf, recordedSource } from './upload-source.ts'
