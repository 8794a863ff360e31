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

/** Number of listeners above which Node warns about a leak. Each open inspector page adds listeners. */
const MAX_LISTENERS = 100

export function createEvents(): IntakeEvents {
  const events: IntakeEvents = new EventEmitter()
  events.setMaxListeners(MAX_LISTENERS)
  return events
}
