import { EventEmitter } from 'node:events'
import type { RecordedRequest, Rejection } from './recorded.ts'

export type IntakeEvents = EventEmitter<{
  /** The response is empty if it was too long or not text. */
  request: [RecordedRequest, answer: string]
  rejection: [Rejection]
  /** Contains the request id of the stored upload. */
  upload: [string]
  fault: []
  'live-error': []
}>

/** Each open inspector page adds listeners. Node warns about a leak only if there are more listeners than this. */
const MAX_LISTENERS = 100

export function createEvents(): IntakeEvents {
  const events: IntakeEvents = new EventEmitter()
  events.setMaxListeners(MAX_LISTENERS)
  return events
}
