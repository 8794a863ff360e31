// Types for the inspector's requests and answers, shared by server and page. This module imports nothing from Node, because the page runs
// in a browser.

import type { MapAnswers, MapProof } from '@symup/symbolicate/internal'
import type { RecordedRequest, Rejection } from '../platform/http/recorded.ts'
import type { EnrichedFrame, FrameReason } from '../platform/wire/enriched-frame.ts'

export type { GeneratedWindow, MapProof, Segment, SourceShare } from '@symup/symbolicate/internal'
export type { RecordedRequest, Rejection } from '../platform/http/recorded.ts'
export type { EnrichedFrame, FrameReason } from '../platform/wire/enriched-frame.ts'

/** The answer to each `GET /inspector/api/<name>`. */
export interface InspectorAnswers {
  services: ServiceRow[]
  releases: { total: number; items: ReleaseRow[] }
  release: ReleaseDetails
  /** Asks about a release or a single upload. */
  proof: ReleaseProof
  compare: ReleaseComparison
  uploads: { total: number; items: UploadRow[] }
  upload: UploadDetails
  /** Changes in a map since the same file in the previous release; null if the previous release does not have the file. */
  changes: MapChanges | null
  sources: MapAnswers['sources']
  source: MapAnswers['source']
  generated: MapAnswers['generated']
  position: MapAnswers['position']
  rejections: Rejection[]
  requests: RecordedRequest[]
  /** The body and answer of a request, with secrets masked. */
  exchange: Exchange
  operations: OperationsState
  fault: FaultState
  'live-errors': LiveErrorList
  keys: SampleKeys
}

/** The body and answer of each `POST /inspector/api/<name>`. */
export interface InspectorPosts {
  guess: { body: { text: string }; answer: Guess }
  explain: {
    body: { text: string; service?: string; version?: string; type?: string }
    answer: Explained
  }
  fault: { body: { fault?: string }; answer: FaultState }
}

/** The event types of `GET /inspector/api/events`. */
export const LIVE_EVENTS = ['upload', 'rejection', 'request', 'fault', 'live-error'] as const
export type LiveEvent = (typeof LIVE_EVENTS)[number]

/** The fault for uploads, in the syntax of `--fault`; '' for no fault. */
interface FaultState {
  fault: string
}

export interface ServiceRow {
  /** '' for files that stacks find by id alone. */
  service: string
  releases: number
  artifacts: number
  bytes: number
  /** Unix milliseconds. */
  newest: number
}

interface KindShare {
  kind: string
  /** Display name of the kind. */
  label: string
  platform: string
  artifacts: number
  bytes: number
}

export interface Commit {
  sha: string
  /** Without secrets; null if the upload has no repository. */
  repository: string | null
}

export interface ReleaseRow {
  service: string
  version: string
  artifacts: number
  bytes: number
  /** Unix milliseconds. */
  newest: number
  oldest: number
  kinds: KindShare[]
  commit: Commit | null
  /** Uploads for this release that were refused since the intake started. */
  refused: number
}

export interface ReleaseDetails extends ReleaseRow {
  /** Stored content for each part of the upload. */
  parts: { name: string; files: number; bytes: number }[]
  rejections: Rejection[]
  /** The service's other versions, newest first. */
  others: string[]
  /** The previous version, for comparison. */
  previous: string | null
}

/** Whether stacks will resolve, according to the intake's own check. */
export interface ReleaseProof {
  /** Uploads with both script and map, newest first. */
  items: (MapProof & { id: string; title: string })[]
  /** Number of unchecked uploads: too many, too large, or with a missing file. */
  left: number
}

export interface ComparedFile {
  kind: string
  /** Path or other identification, without the content hash. */
  name: string
  label: string
  /** In bytes; null if the release does not have the file. */
  before: number | null
  after: number | null
  /** Id of the newer upload, if both releases have the file. */
  id: string
}

export interface ReleaseComparison {
  added: number
  gone: number
  changed: number
  same: number
  bytesBefore: number
  bytesAfter: number
  /** Files that differ, largest difference first. */
  files: ComparedFile[]
}

export interface UploadRow {
  id: string
  kind: string
  /** Display name of the kind. */
  label: string
  platform: string
  service: string
  version: string
  /** Display name: path, file name or id. */
  title: string
  path: string
  debugId: string | null
  buildId: string | null
  uuids: string | null
  bytes: number
  origin: string | null
  /** Unix milliseconds. */
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
  /** Characters per source in the minified file, before and after. Only sources that differ, largest difference first. */
  sources: { name: string; before: number; after: number }[]
}

/** The type of a pasted text, and the releases to which it may belong. */
export interface Guess {
  form: 'stack' | 'event' | 'har' | 'report' | 'tombstone' | 'logcat' | 'console'
  platform: string
  /** The service that the text itself contains. */
  service?: string
  version?: string
  /** Whether the text contains a frame. */
  hasFrames: boolean
  /** Releases with files or ids from the text, best match first. */
  candidates: { service: string; version: string; matches: number }[]
}

export interface Explained {
  frames: EnrichedFrame[]
  retraced?: string
  /** An additional remark about the stack. */
  note?: string
  service: string
  version: string
  type: string
  commit: Commit | null
  /** The error and its message; '' if the text contains no error. */
  title: string
  /** The tool that sent the newest upload of the service, such as `symup-vite`; null if unknown. */
  sender: string | null
}

/** Keys from the default seed, to show in commands that users copy. These keys are public. Null if the intake has other keys. */
interface SampleKeys {
  api: string | null
  app: string | null
}

export interface LiveErrorList {
  /** Whether the intake accepts errors from the browser SDK: `--rum`. */
  isOn: boolean
  /** The latest errors first. */
  items: LiveError[]
}

/** An error that browsers reported at least once in the last hour. */
export interface LiveError {
  id: string
  service: string
  version: string
  /** '' if the SDK sends none. */
  type: string
  message: string
  stack: string
  /** URL of the page where the error last happened. */
  page: string
  /** Number of reports in the last hour. */
  count: number
  /** Unix milliseconds. */
  first: number
  last: number
  state: 'resolving' | 'resolved' | 'unresolved' | 'no-stack'
  /** The app's topmost frame. */
  frame?: { function?: string; file?: string; line?: number; column?: number }
  /** Why the error is unresolved. Has no code if the intake could not try. */
  reason?: FrameReason
}

export interface Exchange {
  /** JSON; '' if it is not stored, as for uploads. */
  request: string
  answer: string
}

/** Data from the on-call operations in all accounts. */
export interface OperationsState {
  /** Whether a client has called an operation, or runs or incidents exist. */
  isUsed: boolean
  /** Unix milliseconds on the intake's clock, which tests may set. */
  now: number
  isClockSet: boolean
  /** Whether test routes are available for firing schedules, resetting, and moving the clock. */
  hasTestRoutes: boolean
  rules: RuleRow[]
  /** Newest runs. */
  runs: { id: string; rule: string; kind: string; time: number; input: string }[]
  schedules: ScheduleRow[]
  /** Newest incidents. */
  incidents: { id: string; title: string; severity: string; progress: string; channel: string; time: number }[]
  channels: { id: string; name: string }[]
}

export interface RuleRow {
  id: string
  name: string
  isEnabled: boolean
  /** A person or a team. */
  owner: string
  /** Unix milliseconds. */
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
  /** Unix milliseconds. */
  start: number
  end: number
}
