// Shared by our own packages only. May change at any time.

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
export { createStorePool, type MapViewer, type StorePool, type StorePoolOptions } from './pool/pool.ts'
export type { CacheUse, IndexFiles, ReadContent } from './pool/protocol.ts'
export { textUpTo } from './read-limits.ts'
export { isDartStack } from './resolvers/flutter/dart-stack.ts'
export { parseStack } from './resolvers/javascript/parse-stack.ts'
export { archivedMaps, readArchivedMap } from './resolvers/mini-program/archived-maps.ts'
export { hasNativeFrames, hasOnlyNativeFrames, libraryName } from './resolvers/native/native-stack.ts'
export { recordedSource } from './upload-source.ts'
