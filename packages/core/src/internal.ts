// What our own packages share. It may change in any release; `index.ts` is what others may rely on.
export { mapConcurrent } from './concurrency.ts'
export { fileFilter, type Globs } from './files/file-filter.ts'
export { formatBytes } from './files/format-bytes.ts'
export { lineAt, lineStartsOf } from './files/line-starts.ts'
export { readRegular } from './files/open-regular.ts'
export { mapsBelow, projectRules } from './files/project-walk.ts'
export { readAt, readInto } from './files/read-at.ts'
export { isInside } from './files/remove-file.ts'
export { Roots } from './files/roots.ts'
export { shownPath } from './files/shown-path.ts'
export { fileNameOf, urlPath } from './files/url-path.ts'
export { listFiles } from './files/walk.ts'
export { BinaryError, type BinarySource, BinaryView, binaryOf, openBinary } from './formats/binary.ts'
export { describeElf, type ElfFile, readElf } from './formats/elf/elf.ts'
export { type ElfLayout, type ElfSection, readElfLayout } from './formats/elf/elf-layout.ts'
export { isHermesBytecode } from './formats/hermes/hermes-map.ts'
export { describeMachO, type MachOSlice, readMachO } from './formats/mach-o/mach-o.ts'
export { type ByteRange, type ByteSource, FileBytes, MemoryBytes, readPieces } from './formats/source-map/bytes.ts'
export { debugIdOf, mapWithDebugId, readDebugId, withDebugId } from './formats/source-map/debug-id.ts'
export { orFlaw, SourceMapFlaw, type SourceMapFlawReason } from './formats/source-map/flaw.ts'
export { type MapLayer, readLayout, type SourceMapLayout, scanSourceMap } from './formats/source-map/layout.ts'
export { checkMapBytes, MAX_LINES as MAX_MAP_LINES } from './formats/source-map/map-limits.ts'
export { MappingDecoder, type MappingState, SEGMENT } from './formats/source-map/mapping-decoder.ts'
export { SourceMapScan, type SourceMapVerdict } from './formats/source-map/source-map-scan.ts'
export { sourceMapJson } from './formats/source-map/source-map-text.ts'
export { readTrailingComments } from './formats/source-map/source-mapping-url.ts'
export { sourceSizes } from './formats/source-map/source-sizes.ts'
export { readText } from './formats/source-map/text.ts'
export { countBefore, unescaped } from './formats/source-map/walk.ts'
export { isWasm, readWasmLayout, uleb, type WasmLayout, type WasmRange } from './formats/wasm/wasm.ts'
export { writeZip, type ZipInput } from './formats/zip/write-zip.ts'
export { openZip, type Zip, type ZipEntry, ZipError } from './formats/zip/zip.ts'
export { type AttachInput, attachRepository } from './git/attach.ts'
export { isInCi } from './git/ci-variables.ts'
export { findRepository, type Repository, type RepositoryFinding, type RepositoryInput } from './git/repository.ts'
export { asInBundle, isAppBundle, unpackBundle } from './kinds/android-bundle.ts'
export { type ArkTsInput, collectArkTs } from './kinds/arkts/arkts.ts'
export type { ArkTsMode } from './kinds/arkts/arkts-layout.ts'
export { type BreakpadInput, collectBreakpad } from './kinds/breakpad/breakpad.ts'
export { collectDsyms, type DsymFacts, type DsymInput, type DsymPlan } from './kinds/dsym/dsym.ts'
export { type FileContent, readHead } from './kinds/file-content.ts'
export { collectFlutter, type FlutterInput } from './kinds/flutter/flutter.ts'
export * from './kinds/index.ts'
export { collectJavaScript, isScript, type JavaScriptInput } from './kinds/javascript/javascript.ts'
export { collectJvmMapping, type JvmMappingInput } from './kinds/jvm-mapping/jvm-mapping.ts'
export {
  isMappingClassLine,
  MAX_MAPPING_BYTES,
  type MappingFacts,
  readMappingFacts,
} from './kinds/jvm-mapping/jvm-mapping-sanity.ts'
export type * from './kinds/kind.ts'
export { fileOutside, listWithin } from './kinds/list-within.ts'
export { collectMiniProgram, inspectArchive, type MiniProgramInput } from './kinds/mini-program/mini-program.ts'
export * from './kinds/mini-program/mini-program-archive.ts'
export * from './kinds/mini-program/sub-packages.ts'
export { UserVersionScan } from './kinds/mini-program/user-version.ts'
export { archOfAbi, checkNativeLibrary, type NativeLibraryCheck } from './kinds/ndk/native-library.ts'
export { collectNdkLibraries, type NdkInput } from './kinds/ndk/ndk.ts'
export { findUnstrippedLibraries } from './kinds/ndk/unstripped-libraries.ts'
export { collectReactNative, type ReactNativeInput } from './kinds/react-native/react-native.ts'
export { textOf } from './kinds/received.ts'
export { findLeaks, type LeakInput } from './leaks/find-leaks.ts'
export { isLeak, renderLeaks } from './leaks/render-leaks.ts'
export * from './model/check.ts'
export { hasColours, painted } from './model/colours.ts'
export * from './model/event.ts'
export { type Line, type Link, printableLine } from './model/line.ts'
export * from './model/plan.ts'
export { printable, printableJson } from './model/printable.ts'
export * from './model/report.ts'
export { Secret } from './model/secret.ts'
export * from './model/wire.ts'
export {
  type Collect,
  type CollectContext,
  type Collection,
  type Delivery,
  type DeliveryInput,
  deliver,
  openDelivery,
} from './pipeline/deliver.ts'
export { type BuildEnd, endOfBuild } from './pipeline/end-of-build.ts'
export { filesExcluded } from './pipeline/left-out.ts'
export type { BuildOutput } from './pipeline/outputs.ts'
export * from './pipeline/policy.ts'
export { type LineRole, type Presenter, presentLines } from './pipeline/present.ts'
export { type PublishInput, publishProblems } from './pipeline/publish.ts'
export * from './pipeline/render.ts'
export type { Verdict } from './pipeline/verdict.ts'
export { docsUrl } from './problems/docs-url.ts'
export * from './problems/problems.ts'
export type { TransformFault, TransformFaults } from './proof/blame.ts'
export { type Proof, type ProofOptions, prove } from './proof/prove.ts'
export { renderProof } from './proof/render-proof.ts'
export type { Adapter } from './send/client.ts'
export type { GzipLevel } from './send/gzip.ts'
export { type LedgerRecord, ledgerPath, readLedger } from './send/ledger.ts'
export {
  DEFAULT_ATTEMPTS,
  DEFAULT_CONCURRENCY,
  type Progress,
  type UploadOptions,
  upload,
} from './send/upload.ts'
export { CONFIG_SCHEMA_URL, configSchema } from './settings/config-schema.ts'
export type { Adapter as SettingsAdapter, PluginAdapter, SettingDefinition } from './settings/definition.ts'
export { SETTINGS } from './settings/definitions.ts'
export { uploadUrl } from './settings/endpoint.ts'
export { inferVersion } from './settings/infer.ts'
export { isUsablePrefix, minifiedUrl } from './settings/prefix.ts'
export { type Resolution, type ResolveInput, resolveSettings, type SettingOptions } from './settings/resolve.ts'
export * from './settings/settings.ts'
export { SITES } from './settings/sites.ts'
export { didYouMean, nearestOf } from './settings/suggest.ts'
export {
  DEFINITIONS,
  nameIn,
  type OptionName,
  type OptionsOf,
  type OptionValue,
  type SettingName,
  textsFor,
  waysToSet,
} from './settings/table.ts'
export { openConnection } from './transport/connection.ts'
export { PROBE_BOUNDARY, type Probe, type ProbeInput, probeEndpoint } from './transport/probe.ts'
export { reasonOf } from './transport/reasons.ts'
export { post } from './transport/request.ts'
export type { Timeouts } from './transport/timeouts.ts'
