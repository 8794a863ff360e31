import { EventEmitter } from 'node:events'
import type { RecordedRequest, Rejection } from './recorded.ts'

export type IntakeEvents = EventEmitter<{
  /** Contains the answer as sent; empty if the answer is long or not text. */
  request: [RecordedRequest, answer: string]
  rejection: [Rejection]
  /** Emitted with the request id after an upload is stored. */
  upload: [string]
  fault: []
  'live-error': []
}>

/** Maximum number of pages that may watch at the same time. */
const MAX_LISTENERS = 100

export function createEvents(): IntakeEvents {
  const events: IntakeEvents = new EventEmitter()
  events.setMaxListeners(MAX_LISTENERS)
  return events
}
