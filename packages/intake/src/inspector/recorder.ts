import type { IntakeEvents } from '../platform/http/events.ts'
import { maskedText } from '../platform/http/mask.ts'
import type { RecordedRequest, Rejection } from '../platform/http/recorded.ts'
import type { Exchange } from './api.ts'
import { isLiveErrorsPath } from './live-errors/read-batch.ts'

const MAX_REQUESTS = 500
const MAX_REJECTIONS = 200
const INDENT = 2
/** Requests to these routes contain keys, so request and response bodies are not recorded. */
const WITH_KEYS: ReadonlySet<string> = new Set(['/__test/app-key', '/__test/seed'])

const NOT_ONCALL = /^\/(?:sourcemap|__test)\//

export function createRecorder(events: IntakeEvents) {
  const requests: { request: RecordedRequest; answer: string }[] = []
  const rejections: Rejection[] = []
  let isOncallUsed = false
  const keep = <T>(list: T[], item: T, max: number) => {
    list.push(item)
    if (list.length > max) list.shift()
  }
  // Skips requests from the inspector page itself. Live errors are also skipped, because they have a separate page.
  events.on('request', (request, answer) => {
    if (request.path.startsWith('/inspector/') || isLiveErrorsPath(request.path)) return
    if (request.method === 'POST' && request.status === 200 && !NOT_ONCALL.test(request.path)) isOncallUsed = true
    const isOpen = !WITH_KEYS.has(request.path)
    keep(requests, isOpen ? { request, answer } : { request: { ...request, body: '' }, answer: '' }, MAX_REQUESTS)
  })
  events.on('rejection', (rejection) => keep(rejections, rejection, MAX_REJECTIONS))
  return {
    requests: () => requests.map(({ request }) => request).reverse(),
    /** @returns undefined if the request has already been removed. */
    exchange(id: string): Exchange | undefined {
      const found = requests.findLast(({ request }) => request.id === id)
      // Secrets are masked only on demand, because most responses are never shown.
      return found && { request: maskedText(found.request.body, INDENT), answer: maskedText(found.answer, INDENT) }
    },
    isOncallUsed: () => isOncallUsed,
    rejections: () => rejections.toReversed(),
  }
}
