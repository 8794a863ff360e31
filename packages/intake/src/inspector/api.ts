// What the inspector's page asks for and what it is answered: the types of both sides. It imports nothing that needs
// Node, as the page runs in a browser.

import type { MapAnswers } from '@symup/symbolicate'
import type { RecordedRequest, Rejection } from '../platform/http/recorded.ts'
import type { EnrichedFrame } from '../symbols/resolve/enriched-frame.ts'

export type { GeneratedWindow, Segment, SourceShare } from '@symup/symbolicate'
export type { RecordedRequest, Rejection } from '../platform/http/recorded.ts'
export type { EnrichedFrame, FrameReason } from '../symbols/resolve/enriched-frame.ts'

/** The answer to each `GET /inspector/api/<name>`. */
export interface InspectorAnswers {
  uploads: { total: number; items: UploadRow[] }
  summary: VersionSummary[]
  upload: UploadDetails
  sources: MapAnswers['sources']
  source: MapAnswers['source']
  generated: MapAnswers['generated']
  position: MapAnswers['position']
  rejections: Rejection[]
  requests: RecordedRequest[]
  fault: FaultState
}

/** The body of each `POST /inspector/api/<name>`, and its answer. */
export interface InspectorPosts {
  explain: {
    body: { text: string; service?: string; version?: string; type?: string }
    answer: { frames: EnrichedFrame[]; retraced?: string }
  }
  fault: { body: { fault?: string }; answer: FaultState }
}

/** What `GET /inspector/api/events` tells of. */
export const LIVE_EVENTS = ['upload', 'rejection', 'request', 'fault'] as const
export type LiveEvent = (typeof LIVE_EVENTS)[number]

/** The fault of every upload as `--fault` has it, '' for none. */
interface FaultState {
  fault: string
}

export interface UploadRow {
  id: string
  kind: string
  /** What people call the kind. */
  label: string
  platform: string
  service: string
  version: string
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

export interface VersionSummary {
  service: string
  version: string
  kind: string
  label: string
  artifacts: number
  bytes: number
  /** Unix milliseconds. */
  newest: number
}

export interface UploadDetails {
  id: string
  event: Record<string, unknown>
  requestId: string
  parts: { name: string; filename: string; bytes: number; sha256: string }[]
}
