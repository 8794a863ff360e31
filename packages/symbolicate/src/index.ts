export { BundleError, type MapBundle, readMapBundle } from './arkts/map-bundle.ts'
export * from './artifacts.ts'
export { type EventText, parseEventText } from './event-text.ts'
export * from './frames.ts'
export { indexMapping, MappingError, type MappingIndex } from './jvm/mapping-index.ts'
export { type RetracedLine, retrace } from './jvm/retrace.ts'
export { proguardText, type RetraceTextOptions, retracedText } from './jvm/retrace-text.ts'
export { localSymbolFiles } from './local-files.ts'
export type { BinaryImage } from './native/apple-report.ts'
export { libraryName } from './native/native-stack.ts'
export { type NativeFrame, type NativeSymbols, openNativeSymbols } from './native/native-symbols.ts'
export {
  createNativeSymbolicator,
  isNativeStack,
  type NativeArtifact,
  type NativeArtifactSource,
  type NativePlace,
  type NativeQuestion,
  type NativeSymbolicator,
} from './native/resolve-native.ts'
export { isForeign, MOST_FRAMES, parseStack } from './parse-stack.ts'
export { platformOf } from './platform-of.ts'
export { REASONS } from './reasons.ts'
export { readableSource } from './source-map.ts'
export { bytesInFile, bytesInMemory, type StoredBytes } from './stored-bytes.ts'
export { createSymbolicator, type StackQuestion, type Symbolicator, symbolicate } from './symbolicate.ts'
export { artifactSourceOf } from './upload-source.ts'
export { fileNameOf, urlPath } from './url-path.ts'
