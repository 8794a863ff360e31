import { EventEmitter } from 'node:events'
import type { RecordedRequest, Rejection } from './recorded.ts'

export type IntakeEvents = EventEmitter<{
  /** The answer is empty if the original is long or not text. */
  request: [RecordedRequest, answer: string]
  rejection: [Rejection]
  /** The value is the request id of the stored upload. */
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
