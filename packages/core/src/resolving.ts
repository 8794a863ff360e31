// File readers for the other symup packages. These exports may change in any release. Each thread loads this module, so it contains only
// the code that is needed to resolve stacks. The import below adds the event types of all kinds.
import type {} from './kinds/index.ts'

export { nextPoll } from './event-loop.ts'
export { readAt, readInto } from './files/read-at.ts'
export {
  decodedSource,
  endingIn,
  fileNameOf,
  isInInstalledApp,
  pathAsPrefix,
  urlHost,
  urlPath,
  withoutQuery,
} from './files/url-path.ts'
export { firstAbove } from './first-above.ts'
export {
  BinaryError,
  type BinarySource,
  BinaryView,
  binaryOf,
  openBinary,
  withBinary,
} from './formats/binary.ts'
export { describeElf } from './formats/elf/elf.ts'
export { type ElfLayout, type ElfSection, readElfLayout } from './formats/elf/elf-layout.ts'
export { isHermesBytecode } from './formats/hermes/hermes-map.ts'
export { withoutLiterals } from './formats/javascript/code.ts'
export { describeMachO, type MachOSlice } from './formats/mach-o/mach-o.ts'
export {
  type ByteRange,
  type ByteSource,
  FileBytes,
  MemoryBytes,
  readPieces,
  withFileBytes,
} from './formats/source-map/bytes.ts'
export { orFlaw, SourceMapFlaw } from './formats/source-map/flaw.ts'
export { type MapLayer, readLayout, type SourceMapLayout } from './formats/source-map/layout.ts'
export { checkMapBytes, MAX_LINES as MAX_MAP_LINES } from './formats/source-map/map-limits.ts'
export { MappingDecoder, type MappingState, SEGMENT } from './formats/source-map/mapping-decoder.ts'
export { sourceMapJson } from './formats/source-map/source-map-text.ts'
export { readText } from './formats/source-map/text.ts'
export { isUnmapped } from './formats/source-map/unmapped.ts'
export { countBefore, unescaped, walkMappings } from './formats/source-map/walk.ts'
export { isWasm, readWasmLayout, uleb, type WasmLayout, type WasmRange } from './formats/wasm/wasm.ts'
export { openZip } from './formats/zip/zip.ts'
export { SYMBOL_MAP_HEADER } from './kinds/dsym/names.ts'
export { describeFlutterSymbols } from './kinds/flutter/symbol-file.ts'
export { archOfAbi } from './kinds/ndk/native-library.ts'
export { addressOfBundle, BUNDLE_NAMES, isReactNativeBundle } from './kinds/react-native/bundle-names.ts'
export { PLATFORMS, type Platform, type SymbolEvent } from './model/event.ts'
export type { FilePart, SymbolUpload } from './model/plan.ts'
