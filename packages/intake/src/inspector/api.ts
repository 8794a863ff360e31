// Types that the server and the inspector page share. All times are Unix timestamps in milliseconds. The page runs in a browser, so this
// file must not import anything from Node.

import type { MapAnswers, MapProof } from '@symup/symbolicate/internal'
import type { RecordedRequest, Rejection } from '../platform/http/recorded.ts'
import type { EnrichedFrame, FrameReason } from '../platform/wire/enriched-frame.ts'

export type { GeneratedWindow, MapProof, Segment, SourceShare } from '@symup/symbolicate/internal'
export type { RecordedRequest, Rejection } from '../platform/http/recorded.ts'
export type { EnrichedFrame, FrameReason } from '../platform/wire/enriched-frame.ts'

export interface InspectorAnswers {
  services: ServiceRow[]
  releases: { total: number; items: ReleaseRow[] }
  release: ReleaseDetails
  proof: ReleaseProof
  compare: ReleaseComparison
  uploads: { total: number; items: UploadRow[] }
  upload: UploadDetails
  /** Changes to the source map since the previous release; null if that release does not contain the file. */
  changes: MapChanges | null
  sources: MapAnswers['sources']
  source: MapAnswers['source']
  generated: MapAnswers['generated']
  position: MapAnswers['position']
  rejections: Rejection[]
  requests: RecordedRequest[]
  exchange: Exchange
  operations: OperationsState
  fault: FaultState
  'live-errors': LiveErrorList
  keys: SampleKeys
}

export interface InspectorPosts {
  guess: { body: { text: string }; answer: Guess }
  explain: {
    body: { text: string; service?: string; version?: string; type?: string }
    answer: Explained
  }
  fault: { body: { fault?: string }; answer: FaultState }
}

export const LIVE_EVENTS = ['upload', 'rejection', 'request', 'fault', 'live-error'] as const
export type LiveEvent = (typeof LIVE_EVENTS)[number]

/** Simulated fault for uploads, in the syntax of `--fault`. Empty if no fault is set. */
interface FaultState {
  fault: string
}

export interface ServiceRow {
  /** Empty for files that are found by id alone. */
  service: string
  releases: number
  artifacts: number
  bytes: number
  newest: number
}

export interface Commit {
  sha: string
  /** Repository address without credentials; null if the upload has none. */
  repository: string | null
}

export interface ReleaseRow {
  service: string
  version: string
  artifacts: number
  bytes: number
  newest: number
  oldest: number
  /** Sorted by disk usage, largest first. */
  kinds: { kind: string; label: string }[]
  platforms: string[]
  commit: Commit | null
  /** Number of uploads for this release that were refused since the intake started. */
  refused: number
}

export interface ReleaseDetails extends ReleaseRow {
  parts: { name: string; files: number; bytes: number }[]
  rejections: Rejection[]
  /** Other versions of the service, newest first. */
  others: string[]
  previous: string | null
}

export interface ReleaseProof {
  /** Uploads that contain both a script and a source map, sorted from newest to oldest. */
  items: (MapProof & { id: string; title: string })[]
  /** Number of uploads that were not checked because they are too large, incomplete, or over the limit. */
  left: number
}

export interface ComparedFile {
  kind: string
  /** File name without the content hash. */
  name: string
  label: string
  /** Size in bytes; null if the release does not contain the file. */
  before: number | null
  after: number | null
  /** Id of the upload. If both releases contain the file, the id belongs to the newer upload. */
  id: string
}

export interface ReleaseComparison {
  added: number
  gone: number
  changed: number
  same: number
  bytesBefore: number
  bytesAfter: number
  files: ComparedFile[]
}

export interface UploadRow {
  id: string
  kind: string
  label: string
  platform: string
  service: string
  version: string
  /** Path, file name or id of the upload, for display. */
  title: string
  path: string
  debugId: string | null
  buildId: string | null
  uuids: string | null
  bytes: number
  origin: string | null
  createdAt: number
  updatedAt: number
}

export interface UploadDetails extends UploadRow {
  event: Record<string, unknown>
  requestId: string
  commit: Commit | null
  parts: { name: string; filename: string; bytes: number; sha256: string }[]
}

export interface MapChanges {
  version: string
  id: string
  /**
   * Number of characters that each source contributes to the minified file, before and after the change. Contains only changed sources,
   * largest difference first.
   */
  sources: { name: string; before: number; after: number }[]
}

/** The detected format of a pasted stack, and the releases that match the stack. */
export interface Guess {
  form: 'stack' | 'event' | 'har' | 'report' | 'tombstone' | 'logcat' | 'console'
  platform: string
  service?: string
  version?: string
  hasFrames: boolean
  /** Releases that contain files or ids from the stack, best match first. */
  candidates: { service: string; version: string; matches: number }[]
}

export interface Explained {
  frames: EnrichedFrame[]
  retraced?: string
  note?: string
  service: string
  version: string
  type: string
  commit: Commit | null
  /** Error class and message; empty if the pasted text contains neither. */
  title: string
  /** Tool that sent the newest upload for the service, such as `symup-vite`; null if unknown. */
  sender: string | null
}

/** Public keys from the default seed, for use in commands that users copy; null if the intake uses other keys. */
interface SampleKeys {
  api: string | null
  app: string | null
}

export interface LiveErrorList {
  isOn: boolean
  /** Sorted by last occurrence, most recent first. */
  items: LiveError[]
}

export interface LiveError {
  id: string
  service: string
  version: string
  /** Empty if the SDK does not send an error class. */
  type: string
  message: string
  stack: string
  page: string
  /** Number of reports since `first`. */
  count: number
  first: number
  last: number
  state: 'resolving' | 'resolved' | 'unresolved' | 'no-stack'
  /** Top frame in app code. */
  frame?: { function?: string; file?: string; line?: number; column?: number }
  /** Reason why the error is unresolved. The reason has no code if the intake could not try to resolve the error. */
  reason?: FrameReason
}

export interface Exchange {
  /** Request body as JSON; empty if the body is not recorded, as for uploads. */
  request: string
  answer: string
}

export interface OperationsState {
  /** Whether a client has called an operation, or any runs or incidents exist. */
  isUsed: boolean
  /** Current time on the intake's clock, which tests can set. */
  now: number
  isClockSet: boolean
  /** Whether the intake serves test routes that fire schedules, reset data and move the clock. */
  hasTestRoutes: boolean
  rules: RuleRow[]
  runs: { id: string; rule: string; kind: string; time: number; input: string }[]
  schedules: ScheduleRow[]
  incidents: { id: string; title: string; severity: string; progress: string; channel: string; time: number }[]
  channels: { id: string; name: string }[]
}

export interface RuleRow {
  id: string
  name: string
  isEnabled: boolean
  owner: string
  nextFire: number | null
  triggers: { kind: string; isEnabled: boolean; detail: string }[]
}

export interface ScheduleRow {
  id: string
  name: string
  isEnabled: boolean
  current: OncallTurn | null
  next: OncallTurn | null
}

export interface OncallTurn {
  people: string[]
  start: number
  end: number
}
