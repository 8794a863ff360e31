import { EventEmitter } from 'node:events'
import type { RecordedRequest, Rejection } from './recorded.ts'

/** Events that the intake emits for counters and displays. */
export type IntakeEvents = EventEmitter<{
  /** Includes the answer as sent, or '' if it is long or not text. */
  request: [RecordedRequest, answer: string]
  rejection: [Rejection]
  /** An upload was stored. Contains the request's id. */
  upload: [string]
  /** The fault switch was changed. */
  fault: []
  /** The list of live errors changed. */
  'live-error': []
}>

/** Maximum number of pages that may watch at the same time. */
const MAX_LISTENERS = 100

export function createEvents(): IntakeEvents {
  const events: IntakeEvents = new EventEmitter()
  events.setMaxListeners(MAX_LISTENERS)
  return events
}
