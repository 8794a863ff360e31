import { EventEmitter } from 'node:events'
import type { RecordedRequest, Rejection } from './recorded.ts'

/** What happens at the intake, for whoever counts or shows it. */
export type IntakeEvents = EventEmitter<{
  /** With its answer as it was sent, '' where it is long or no text. */
  request: [RecordedRequest, answer: string]
  rejection: [Rejection]
  /** An upload was stored: the request's id. */
  upload: [string]
  /** The fault switch was set. */
  fault: []
  /** The list of live errors is different. */
  'live-error': []
}>

/** Pages that may watch at the same time. */
const MAX_LISTENERS = 100

export function createEvents(): IntakeEvents {
  const events: IntakeEvents = new EventEmitter()
  events.setMaxListeners(MAX_LISTENERS)
  return events
}
