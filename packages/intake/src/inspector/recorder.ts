import { EventEmitter } from 'node:events'

/** A request as the inspector shows it. Holds no key. */
export interface RecordedRequest {
  id: string
  /** Unix milliseconds. */
  time: number
  method: string
  /** Without the query, which holds the key. */
  path: string
  status: number
  milliseconds: number
  client: string
  /** JSON with secrets masked; '' where there is none, as with uploads. */
  body: string
}

/** A part of an upload as it was received. */
export interface ReceivedPart {
  name: string
  filename?: string
}

/** An upload that was refused, and why. */
export interface Rejection {
  id: string
  /** Unix milliseconds. */
  time: number
  status: number
  code: string
  message: string
  fix: string
  client: string
  /** Request headers, keys masked. */
  headers: Record<string, string>
  /** The event as far as it arrived. */
  event: string
  parts: ReceivedPart[]
}

interface Events {
  request: [RecordedRequest]
  rejection: [Rejection]
  /** Something was stored: the request's id. */
  upload: [string]
  /** The fault switch was set. */
  fault: []
}

/** The last of what happened, in memory: enough to look at, bounded, gone with the process. */
export interface Recorder {
  requests(): readonly RecordedRequest[]
  rejections(): readonly Rejection[]
  events: EventEmitter<Events>
}

const MOST_REQUESTS = 500
const MOST_REJECTIONS = 200
/** Pages that may watch at the same time. */
const MOST_LISTENERS = 100

export function createRecorder(): Recorder {
  const events = new EventEmitter<Events>()
  events.setMaxListeners(MOST_LISTENERS)
  const requests: RecordedRequest[] = []
  const rejections: Rejection[] = []
  const keep =
    <T>(list: T[], most: number) =>
    (item: T) => {
      list.push(item)
      if (list.length > most) list.shift()
    }
  events.on('request', keep(requests, MOST_REQUESTS))
  events.on('rejection', keep(rejections, MOST_REJECTIONS))
  return { events, requests: () => requests, rejections: () => rejections }
}

const SECRET_HEADERS = /key|authorization|cookie|token|secret/i

export function maskedHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.test(name) ? '***' : String(value).slice(0, 500),
    ]),
  )
}
