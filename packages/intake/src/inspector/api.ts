// What the inspector's page asks for and what it is answered: the types of both sides. It imports nothing that needs
// Node, as the page runs in a browser.

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
  /** Of a release, or of one upload. */
  proof: ReleaseProof
  compare: ReleaseComparison
  uploads: { total: number; items: UploadRow[] }
  upload: UploadDetails
  /** What changed in a map against the same file of the release before; null where there is none. */
  changes: MapChanges | null
  sources: MapAnswers['sources']
  source: MapAnswers['source']
  generated: MapAnswers['generated']
  position: MapAnswers['position']
  rejections: Rejection[]
  requests: RecordedRequest[]
  /** A request's body and its answer, masked. */
  exchange: Exchange
  operations: OperationsState
  fault: FaultState
  'live-errors': LiveErrorList
  keys: SampleKeys
}

/** The body of each `POST /inspector/api/<name>`, and its answer. */
export interface InspectorPosts {
  guess: { body: { text: string }; answer: Guess }
  explain: {
    body: { text: string; service?: string; version?: string; type?: string }
    answer: Explained
  }
  fault: { body: { fault?: string }; answer: FaultState }
}

/** What `GET /inspector/api/events` tells of. */
export const LIVE_EVENTS = ['upload', 'rejection', 'request', 'fault', 'live-error'] as const
export type LiveEvent = (typeof LIVE_EVENTS)[number]

/** The fault of every upload as `--fault` has it, '' for none. */
interface FaultState {
  fault: string
}

export interface ServiceRow {
  /** '' holds what stacks find by an id alone. */
  service: string
  releases: number
  artifacts: number
  bytes: number
  /** Unix milliseconds. */
  newest: number
}

interface KindShare {
  kind: string
  /** What people call the kind. */
  label: string
  platform: string
  artifacts: number
  bytes: number
}

export interface Commit {
  sha: string
  /** Without anything secret in it; null where the upload named none. */
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
  /** Uploads of it that were refused since the intake started. */
  refused: number
}

export interface ReleaseDetails extends ReleaseRow {
  /** What is stored of it, by the part of the upload. */
  parts: { name: string; files: number; bytes: number }[]
  rejections: Rejection[]
  /** Other versions of the service, the newest first. */
  others: string[]
  /** The one before it, to compare it with. */
  previous: string | null
}

/** Whether stacks will resolve, as the intake found by trying it. */
export interface ReleaseProof {
  /** Uploads that have a script beside their map, the newest first. */
  items: (MapProof & { id: string; title: string })[]
  /** Of these uploads, those that were not tried: there are too many, they are too large, or a file of theirs is lost. */
  left: number
}

export interface ComparedFile {
  kind: string
  /** Path, or what else tells it apart, without the hash of its content. */
  name: string
  label: string
  /** Bytes; null where the release does not have it. */
  before: number | null
  after: number | null
  /** Of the upload to look at: the later one where there is one. */
  id: string
}

export interface ReleaseComparison {
  added: number
  gone: number
  changed: number
  same: number
  bytesBefore: number
  bytesAfter: number
  /** Those that differ, the largest difference first. */
  files: ComparedFile[]
}

export interface UploadRow {
  id: string
  kind: string
  /** What people call the kind. */
  label: string
  platform: string
  service: string
  version: string
  /** What people know it by: its path, its file, or its id. */
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
  /** Characters of the minified file by source, before and now; those that differ, the largest difference first. */
  sources: { name: string; before: number; after: number }[]
}

/** What a pasted text is, and which releases it may be of. */
export interface Guess {
  form: 'stack' | 'event' | 'har' | 'report' | 'tombstone' | 'logcat' | 'console'
  platform: string
  /** What the text says itself. */
  service?: string
  version?: string
  /** Whether a frame is in it. */
  hasFrames: boolean
  /** Releases that have files or ids that the text names, the best first. */
  candidates: { service: string; version: string; matches: number }[]
}

export interface Explained {
  frames: EnrichedFrame[]
  retraced?: string
  /** What else there is to know about the stack. */
  note?: string
  service: string
  version: string
  type: string
  commit: Commit | null
  /** The error and its message; '' if the text has none. */
  title: string
  /** What sent the newest upload of the service, such as `symup-vite`; null if there is none. */
  sender: string | null
}

/** Keys of the default seed, which are public, for commands to copy; null where the intake has others. */
interface SampleKeys {
  api: string | null
  app: string | null
}

export interface LiveErrorList {
  /** The intake takes errors of the browser SDK: `--rum`. */
  isOn: boolean
  /** The latest first. */
  items: LiveError[]
}

/** An error that browsers reported in the last hour, however often. */
export interface LiveError {
  id: string
  service: string
  version: string
  /** '' where the SDK names none. */
  type: string
  message: string
  stack: string
  /** Address of the page where it happened last. */
  page: string
  /** In the last hour. */
  count: number
  /** Unix milliseconds. */
  first: number
  last: number
  state: 'resolving' | 'resolved' | 'unresolved' | 'no-stack'
  /** The topmost frame of the app. */
  frame?: { function?: string; file?: string; line?: number; column?: number }
  /** Why it is not resolved; without a code where the intake could not try. */
  reason?: FrameReason
}

export interface Exchange {
  /** JSON, or '' where it is not kept, as with uploads. */
  request: string
  answer: string
}

/** What the intake's operations work on, of all accounts. */
export interface OperationsState {
  /** Unix milliseconds by the intake's clock, which tests may set. */
  now: number
  isClockSet: boolean
  /** Routes for tests fire, reset and move the clock. */
  hasTestRoutes: boolean
  rules: RuleRow[]
  /** The newest. */
  runs: { id: string; rule: string; kind: string; time: number; input: string }[]
  schedules: ScheduleRow[]
  /** The newest. */
  incidents: { id: string; title: string; severity: string; progress: string; channel: string; time: number }[]
  channels: { id: string; name: string }[]
}

export interface RuleRow {
  id: string
  name: string
  isEnabled: boolean
  /** Person or team. */
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
