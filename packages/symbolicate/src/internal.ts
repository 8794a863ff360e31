// These exports are intended only for symup's own packages and may change at any time.

export { readEnrichedAnswer } from './enriched-answer.ts'
export { type EventText, parseEventText } from './events/event-text.ts'
export { INDEX_VERSION } from './index-file.ts'
export type {
  GeneratedPlace,
  GeneratedWindow,
  MapAnswers,
  MapProof,
  Place,
  Segment,
  SourceShare,
} from './map-answers.ts'
export type { MapFiles, MapQuestion } from './map-views.ts'
export { openNativeSymbols } from './open-native-symbols.ts'
export { platformOf } from './platform-of.ts'
export {
  createStorePool,
  type MapViewer,
  type StorePool,
  type StorePoolOptions,
  symbolicateApart,
} from './pool/pool.ts'
export type { CacheUse, IndexFiles, ReadContent } from './pool/protocol.ts'
export { textUpTo } from './read-limits.ts'
export { REASONS } from './reasons.ts'
export { isDartStack } from './resolvers/flutter/dart-stack.ts'
export { parseStack } from './resolvers/javascript/parse-stack.ts'
export { archivedMaps, readArchivedMap } from './resolvers/mini-program/archived-maps.ts'
export { hasNativeFrames, hasOnlyNativeFrames, libraryName } from './resolvers/native/native-stack.ts'
export { createSymbolicator } from './symbolicate.ts'
export { recordedSource } from './upload-source.ts'
