import type { IntakeEvents } from '../platform/http/events.ts'
import type { RecordedRequest, Rejection } from '../platform/http/recorded.ts'
import { isLiveErrorsPath } from './live-errors/routes.ts'

/** The last of what happened, newest first, in memory: enough to look at, bounded, gone with the process. */
export interface Recorder {
  requests(): RecordedRequest[]
  rejections(): Rejection[]
}

const MAX_REQUESTS = 500
const MAX_REJECTIONS = 200

export function createRecorder(events: IntakeEvents): Recorder {
  const requests: RecordedRequest[] = []
  const rejections: Rejection[] = []
  const keep =
    <T>(list: T[], max: number) =>
    (item: T) => {
      list.unshift(item)
      if (list.length > max) list.pop()
    }
  const keepRequest = keep(requests, MAX_REQUESTS)
  // What the page asks for is not what anybody wants to look at, and live errors have a page of their own.
  events.on('request', (request) => {
    if (!request.path.startsWith('/inspector/') && !isLiveErrorsPath(request.path)) keepRequest(request)
  })
  events.on('rejection', keep(rejections, MAX_REJECTIONS))
  return { requests: () => requests, rejections: () => rejections }
}
