import type { IntakeEvents } from '../platform/http/events.ts'
import { maskedText } from '../platform/http/mask.ts'
import type { RecordedRequest, Rejection } from '../platform/http/recorded.ts'
import type { Exchange } from './api.ts'
import { isLiveErrorsPath } from './live-errors/routes.ts'

/** The last of what happened, in memory: enough to look at, bounded, gone with the process. */
export interface Recorder {
  /** Newest first. */
  requests(): RecordedRequest[]
  /** Of the request with this id; undefined when it is not among the last. */
  exchange(id: string): Exchange | undefined
  /** Newest first. */
  rejections(): Rejection[]
}

const MAX_REQUESTS = 500
const MAX_REJECTIONS = 200
/** Their bodies and answers are keys. */
const WITH_KEYS: ReadonlySet<string> = new Set(['/__test/app-key', '/__test/seed'])

export function createRecorder(events: IntakeEvents): Recorder {
  const requests: { request: RecordedRequest; answer: string }[] = []
  const rejections: Rejection[] = []
  const keep = <T>(list: T[], item: T, max: number) => {
    list.push(item)
    if (list.length > max) list.shift()
  }
  // What the page asks for is not what anybody wants to look at, and live errors have a page of their own.
  events.on('request', (request, answer) => {
    if (request.path.startsWith('/inspector/') || isLiveErrorsPath(request.path)) return
    const isOpen = !WITH_KEYS.has(request.path)
    keep(requests, isOpen ? { request, answer } : { request: { ...request, body: '' }, answer: '' }, MAX_REQUESTS)
  })
  events.on('rejection', (rejection) => keep(rejections, rejection, MAX_REJECTIONS))
  return {
    requests: () => requests.map(({ request }) => request).reverse(),
    exchange(id) {
      const found = requests.findLast(({ request }) => request.id === id)
      // Masked when somebody looks: most answers nobody looks at.
      return found && { request: found.request.body, answer: maskedText(found.answer) }
    },
    rejections: () => rejections.toReversed(),
  }
}
