import { EventEmitter } from 'node:events'
import type { RecordedRequest, Rejection } from './recorded.ts'

export type IntakeEvents = EventEmitter<{
  /** The response is empty if it was too long or was not text. */
  request: [RecordedRequest, answer: string]
  rejection: [Rejection]
  /** Contains the request id of the stored upload. */
  upload: [string]
  fault: []
  'live-error': []
}>

export function createEvents(): IntakeEvents {
  // Each open inspector page adds listeners, so Node must not warn about a leak.
  const events: IntakeEvents = new EventEmitter()
  return events.setMaxListeners(0) as IntakeEvents
}
