export { writeZip, type ZipInput } from './archive/write-zip.ts'
export { openZip, type Zip, type ZipEntry, ZipError } from './archive/zip.ts'
export * from './check.ts'
export { mapConcurrent } from './concurrency.ts'
export { debugIdOf, mapWithDebugId, readDebugId, withDebugId } from './debug-id/debug-id.ts'
export * from './event.ts'
export { type AttachInput, attachRepository } from './git/attach.ts'
export { findLeaks, type LeakInput } from './leaks/find-leaks.ts'
export { isLeak, renderLeaks } from './leaks/render-leaks.ts'
export * from './plan.ts'
export * from './policy.ts'
export * from './problems.ts'
export { type Proof, type ProofOptions, prove, renderProof } from './proof/prove.ts'
export * from './render.ts'
export * from './report.ts'
export { Secret } from './secret.ts'
export { SETTINGS, type SettingName, SITES, waysToSet } from './settings/definitions.ts'
export { uploadUrl } from './settings/endpoint.ts'
export { isUsablePrefix, minifiedUrl } from './settings/prefix.ts'
export { type Resolution, type ResolveInput, resolveSettings, type SettingOptions } from './settings/resolve.ts'
export * from './settings/settings.ts'
export { type ArkTsInput, collectArkTs } from './symbols/arkts.ts'
export type { ArkTsMode } from './symbols/arkts-layout.ts'
export { arktsMapFlaw } from './symbols/arkts-map.ts'
export { BinaryError, type BinarySource, BinaryView, binaryOf, openBinary } from './symbols/binary.ts'
export { BREAKPAD_MODULE, type BreakpadInput, collectBreakpad } from './symbols/breakpad.ts'
export { collectDsyms, type DsymFacts, type DsymInput, type DsymPlan } from './symbols/dsym.ts'
export { describeElf, type ElfFile, readElf } from './symbols/elf.ts'
export { type ElfLayout, type ElfSection, readElfLayout } from './symbols/elf-layout.ts'
export { collectFlutter, type FlutterInput } from './symbols/flutter.ts'
export { collectJavaScript, isScript, type JavaScriptInput } from './symbols/javascript.ts'
export { collectJvmMapping, type JvmMappingInput } from './symbols/jvm-mapping.ts'
export {
  isMappingClassLine,
  LARGEST_MAPPING,
  type MappingFacts,
  readMappingFacts,
} from './symbols/jvm-mapping-sanity.ts'
export { describeMachO, type MachOSlice, readMachO } from './symbols/mach-o.ts'
export * from './symbols/mini-program-archive.ts'
export { archOfAbi, checkNativeLibrary, type NativeLibraryCheck } from './symbols/native-library.ts'
export { collectNdkLibraries, type NdkInput } from './symbols/ndk.ts'
export { collectReactNative, type ReactNativeInput } from './symbols/react-native.ts'
export { SourceMapScan, type SourceMapVerdict } from './symbols/source-map-scan.ts'
export { sourceMapJson } from './symbols/source-map-text.ts'
export * from './symbols/sub-packages.ts'
export { listFiles } from './symbols/walk.ts'
export type { Adapter, Patience } from './upload/client.ts'
export type { GzipLevel } from './upload/gzip.ts'
export { defaultLedgerPath, type LedgerRecord, readLedger } from './upload/ledger.ts'
export { type ChosenProxy, type Probe, type ProbeInput, probeEndpoint } from './upload/probe.ts'
export {
  DEFAULT_ATTEMPTS,
  DEFAULT_CONCURRENCY,
  type Progress,
  type UploadOptions,
  upload,
} from './upload/upload.ts'
export * from './wire.ts'
