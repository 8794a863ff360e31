// The inspector page uses this file in a browser, so it contains only types.
import type { Localized } from '../errors.ts'

/** An answered request, without its key. */
export interface RecordedRequest {
  id: string
  /** Time in Unix milliseconds. */
  time: number
  method: string
  /** Excludes the query, because the query contains the key. */
  path: string
  status: number
  /** Whether `symup doctor` sent the request to check its key. Such a request is always refused. */
  isProbe: boolean
  milliseconds: number
  client: string
  /** Body as JSON with masked secrets; empty if the request has none, as for uploads. */
  body: string
}

export interface ReceivedPart {
  name: string
  filename?: string
}

export interface Rejection {
  id: string
  /** Time in Unix milliseconds. */
  time: number
  status: number
  code: string
  message: Localized
  fix: Localized
  client: string
  /** Request headers with masked keys. */
  headers: Record<string, string>
  /** Part of the event that the intake received. */
  event: string
  parts: ReceivedPart[]
}
