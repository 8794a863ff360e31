/**
 * The stable API: uploads, kinds of symbol files, settings, problems and the wire protocol, with all their types.
 *
 * @module @symup/core
 */

export { fileFilter, type Globs } from './files/file-filter.ts'
export { formatBytes } from './files/format-bytes.ts'
export { hashFile } from './files/hash-file.ts'
export { nameBelow } from './files/name-below.ts'
export { packageVersion } from './files/package-version.ts'
export { shownPath } from './files/shown-path.ts'
export { type ListOptions, listFiles } from './files/walk.ts'
export { debugIdOf, mapWithDebugId, readDebugId, withDebugId } from './formats/source-map/debug-id.ts'
export { isInCi } from './git/ci-variables.ts'
export { type ArkTsInput, collectArkTs } from './kinds/arkts/arkts.ts'
export { type BreakpadInput, collectBreakpad } from './kinds/breakpad/breakpad.ts'
export { collectDsyms, type DsymInput, type DsymPlan } from './kinds/dsym/dsym.ts'
export type { FileContent } from './kinds/file-content.ts'
export { collectFlutter, type FlutterInput } from './kinds/flutter/flutter.ts'
export { addressOf, KINDS, UPLOAD_KINDS } from './kinds/index.ts'
export { collectJavaScript, type JavaScriptInput } from './kinds/javascript/javascript.ts'
export { collectJvmMapping, type JvmMappingInput } from './kinds/jvm-mapping/jvm-mapping.ts'
export type {
  Accepted,
  AcceptedKind,
  CheckTarget,
  Collected,
  CollectedRelease,
  InferredRelease,
  Kind,
  KindCheck,
  KindCommand,
  KindFlag,
  PlaceInput,
  ReceivedUpload,
  Refusal,
  ReleaseInput,
} from './kinds/kind.ts'
export { collectMiniProgram, type MiniProgramInput } from './kinds/mini-program/mini-program.ts'
export { collectNdkLibraries, type NdkInput } from './kinds/ndk/ndk.ts'
export { collectReactNative, type ReactNativeInput } from './kinds/react-native/react-native.ts'
export { findLeaks, type LeakInput } from './leaks/find-leaks.ts'
export { isLeak, renderLeaks } from './leaks/render-leaks.ts'
export * from './model/check.ts'
export { hasColours, painted } from './model/colours.ts'
export { type EventTypes, PLATFORMS, type Platform, type SymbolEvent, type UploadEvent } from './model/event.ts'
export { type Line, printableLine } from './model/line.ts'
export type { FilePart, Plan, PlanDocument, SymbolUpload } from './model/plan.ts'
export { printable, printableJson } from './model/printable.ts'
export {
  EXIT,
  type ExitCode,
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
export { type Checked, GATE, type GateOptions, type GateRule, gate } from './pipeline/gate.ts'
export type { BuildOutput } from './pipeline/outputs.ts'
export { type OnError, POLICIES, type Policy, type PolicyAction, parsePolicy, policyOf } from './pipeline/policy.ts'
export { prove } from './pipeline/preparation.ts'
export { type LineRole, type Presenter, presentLines } from './pipeline/present.ts'
export { type PublishInput, publishProblems } from './pipeline/publish.ts'
export { renderProblems } from './pipeline/render.ts'
export { type Prepare, type Progress, type UploadOptions, upload } from './pipeline/upload.ts'
export type { Verdict } from './pipeline/verdict.ts'
export type { ProblemDefinition } from './problems/define.ts'
export { docsUrl } from './problems/docs-url.ts'
export * from './problems/problems.ts'
export { unreadable } from './problems/unreadable.ts'
export type { Proof, ProofOptions } from './proof/prove.ts'
export { renderProof } from './proof/render-proof.ts'
export type { TransformFault, TransformFaults } from './proof/transform-faults.ts'
export type { GzipLevel } from './send/body.ts'
export type { Adapter } from './send/intake.ts'
export { type LedgerRecord, ledgerPath, readLedger } from './send/ledger.ts'
export type { Attempt } from './send/sender.ts'
export { CONFIG_SCHEMA_URL, configSchema } from './settings/config-schema.ts'
export type { Adapter as AdapterName, PluginAdapter, SettingDefinition, ValueOf } from './settings/definition.ts'
export { SETTINGS } from './settings/definitions.ts'
export { type Inferred, inferService, inferVersion } from './settings/infer.ts'
export type { PluginOptions } from './settings/plugin-options.ts'
export { encodePrefix, isUsablePrefix, minifiedUrl } from './settings/prefix.ts'
export { type Resolution, type ResolveInput, resolveSettings } from './settings/resolve.ts'
export type { SettingOptions } from './settings/search.ts'
export { connectionSettings, type Provenance, type Setting, type Settings, shownValue } from './settings/settings.ts'
export {
  DEFINITIONS,
  nameIn,
  type OptionName,
  type OptionsOf,
  type OptionValue,
  type SettingName,
  textsFor,
} from './settings/table.ts'
export type { Timeouts } from './transport/connection.ts'
export { type Probe, type ProbeInput, probeEndpoint, type UsedProxy } from './transport/probe.ts'
