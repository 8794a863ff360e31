// What our own packages share. It may change in any release; `index.ts` is what others may rely on.
export { eventLoopYielder } from './event-loop.ts'
export { fileFilter, type Globs } from './files/file-filter.ts'
export { formatBytes } from './files/format-bytes.ts'
export { hashFile } from './files/hash-file.ts'
export { lineAt, lineStartsOf } from './files/line-starts.ts'
export { linesOf } from './files/lines.ts'
export { nameBelow } from './files/name-below.ts'
export { readRegular } from './files/open-regular.ts'
export { packageVersion } from './files/package-version.ts'
export { mapsBelow, projectRules } from './files/project-walk.ts'
export { isInside } from './files/remove-file.ts'
export { Roots } from './files/roots.ts'
export { shownPath } from './files/shown-path.ts'
export { syncData } from './files/sync-data.ts'
export { withTemporaryDirectory } from './files/temporary-directory.ts'
export { listFiles } from './files/walk.ts'
export { type ElfFile, readElf } from './formats/elf/elf.ts'
export { hasCode, withoutLiterals } from './formats/javascript/code.ts'
export { debugIdOf, mapWithDebugId, readDebugId, withDebugId } from './formats/source-map/debug-id.ts'
export { readTrailingComments } from './formats/source-map/source-mapping-url.ts'
export { writeZip } from './formats/zip/write-zip.ts'
export { type Zip, type ZipEntry, ZipError } from './formats/zip/zip.ts'
export type { AttachInput } from './git/attach.ts'
export { isInCi } from './git/ci-variables.ts'
export type { BuildFlags } from './kinds/android.ts'
export { asInBundle, holdsLibraries, isAppBundle, unpackBundle } from './kinds/android-bundle.ts'
export { collectArkTs } from './kinds/arkts/arkts.ts'
export { collectBreakpad } from './kinds/breakpad/breakpad.ts'
export { collectDsyms } from './kinds/dsym/dsym.ts'
export { symbolMapUuid } from './kinds/dsym/names.ts'
export { readHead } from './kinds/file-content.ts'
export { collectFlutter } from './kinds/flutter/flutter.ts'
export { KINDS, mapOf, UPLOAD_KINDS } from './kinds/index.ts'
export { collectJavaScript, isScript } from './kinds/javascript/javascript.ts'
export type { MappingFlags } from './kinds/jvm-mapping/index.ts'
export { collectJvmMapping, type JvmMappingInput } from './kinds/jvm-mapping/jvm-mapping.ts'
export { readMappingFacts } from './kinds/jvm-mapping/jvm-mapping-sanity.ts'
export type { Accepted, AcceptedKind, CheckTarget, Collected, InferredRelease, Kind, KindFlag } from './kinds/kind.ts'
export { fileOutside, listWithin } from './kinds/list-within.ts'
export { isMiniProgram, readAppJson, readJsonFile } from './kinds/mini-program/app-json.ts'
export { collectMiniProgram, inspectArchive } from './kinds/mini-program/mini-program.ts'
export {
  type ArchiveCheck,
  type ArchivedMap,
  archiveFlaw,
  archiveProblems,
  checkMiniProgramArchive,
  MINI_PROGRAM_LIMITS,
  NO_MAPS_MESSAGE,
  oldName,
  totalTooLarge,
  withoutScripts,
} from './kinds/mini-program/mini-program-archive.ts'
export {
  isInMainPackage,
  MAIN_PACKAGE,
  rootsInComment,
  subPackageAt,
  subPackagesComment,
} from './kinds/mini-program/sub-packages.ts'
export { UserVersionScan } from './kinds/mini-program/user-version.ts'
export { libraryName } from './kinds/ndk/native-library.ts'
export { collectNdkLibraries } from './kinds/ndk/ndk.ts'
export { findUnstrippedLibraries } from './kinds/ndk/unstripped-libraries.ts'
export { notTaken } from './kinds/not-taken.ts'
export { mapApart } from './kinds/react-native/bundle-names.ts'
export { collectReactNative } from './kinds/react-native/react-native.ts'
export { textOf } from './kinds/received.ts'
export { systemRefusal } from './kinds/system-refusal.ts'
export { findLeaks, type LeakInput } from './leaks/find-leaks.ts'
export { isLeak, renderLeaks } from './leaks/render-leaks.ts'
export * from './model/check.ts'
export { hasColours, painted } from './model/colours.ts'
export type { UploadEvent } from './model/event.ts'
export { type Line, type Link, printableLine } from './model/line.ts'
export type { Plan, PlanDocument } from './model/plan.ts'
export { printable, printableJson } from './model/printable.ts'
export {
  EXIT,
  type ExitCode,
  exitCodeOf,
  isFailure,
  type Outcome,
  type OutcomeStatus,
  type Report,
  type ReportTotals,
} from './model/report.ts'
export { Secret } from './model/secret.ts'
export {
  DIALECT_UPLOAD_PATH,
  HEADER,
  HELD_PART,
  type HeldParts,
  MISSING_LIMIT,
  MISSING_PATH,
  type MissingAnswer,
  UPLOAD_PATH,
} from './model/wire.ts'
export { collectStaged } from './pipeline/collect-staged.ts'
export { deliver, openDelivery } from './pipeline/deliver.ts'
export type { Collect, CollectContext, Collection, Delivery, DeliveryInput, Outputs } from './pipeline/delivery.ts'
export { type BuildEnd, endOfBuild } from './pipeline/end-of-build.ts'
export type { BuildOutput } from './pipeline/outputs.ts'
export { type OnError, POLICIES, type Policy, parsePolicy, policyOf } from './pipeline/policy.ts'
export { type LineRole, type Presenter, presentLines } from './pipeline/present.ts'
export { publishProblems } from './pipeline/publish.ts'
export { renderProblems } from './pipeline/render.ts'
export { type Progress, type UploadOptions, upload } from './pipeline/upload.ts'
export type { Verdict } from './pipeline/verdict.ts'
export { filesExcluded, problemsInProject } from './pipeline/wanted.ts'
export { docsUrl } from './problems/docs-url.ts'
export * from './problems/problems.ts'
export { unreadable } from './problems/unreadable.ts'
export { CALLS_OR_THROWS, compareLines } from './proof/moved-lines.ts'
export { type Proof, type ProofWithSources, Prover, prove } from './proof/prove.ts'
export { renderProof } from './proof/render-proof.ts'
export type { TransformFault, TransformFaults } from './proof/transform-faults.ts'
export * from './resolving.ts'
export type { GzipLevel } from './send/body.ts'
export type { Adapter } from './send/intake.ts'
export { readLedger } from './send/ledger.ts'
export { CONFIG_SCHEMA_URL, configSchema } from './settings/config-schema.ts'
export type { SettingDefinition } from './settings/definition.ts'
export { SETTINGS } from './settings/definitions.ts'
export { inferService, inferVersion } from './settings/infer.ts'
export { encodePrefix, isUsablePrefix, minifiedUrl } from './settings/prefix.ts'
export { type ResolveInput, resolveSettings } from './settings/resolve.ts'
export type { SettingOptions } from './settings/search.ts'
export { connectionSettings, type Setting, type Settings, shownValue } from './settings/settings.ts'
export { didYouMean, nearestOf } from './settings/suggest.ts'
export {
  DEFINITIONS,
  nameIn,
  type OptionName,
  type OptionsOf,
  type OptionValue,
  type SettingName,
  textsFor,
} from './settings/table.ts'
export { columnsOf } from './text/columns.ts'
export { chooseLanguage, LANGUAGES } from './text/language.ts'
export { english, inChinese, language, phrase, setLanguage, t, translated, useLocale } from './text.ts'
export { openConnection } from './transport/connection.ts'
export { statusOf } from './transport/envelope.ts'
export { isLoopback } from './transport/loopback.ts'
export { PROBE_BOUNDARY, type Probe, probeEndpoint } from './transport/probe.ts'
export { reasonOf } from './transport/reasons.ts'
export { shownRedirect } from './transport/redirect.ts'
export { type Answer, post } from './transport/request.ts'
