// The inspector page uses this file in a browser, so it contains only types. All times are Unix milliseconds.
import type { Localized } from '../errors.ts'

/** Recorded requests never contain keys. */
export interface RecordedRequest {
  id: string
  time: number
  method: string
  /** The query is omitted, because it contains the key. */
  path: string
  status: number
  /** Whether `symup doctor` sent the request to check its key. Requests that only check a key are always refused. */
  isProbe: boolean
  milliseconds: number
  client: string
  /** JSON with masked secrets; empty if the request has no JSON body, as for uploads. */
  body: string
}

export interface ReceivedPart {
  name: string
  filename?: string
}

export interface Rejection {
  id: string
  time: number
  status: number
  code: string
  message: Localized
  fix: Localized
  client: string
  /** Keys in the headers are masked. */
  headers: Record<string, string>
  /** The event may be incomplete, because the upload was refused. */
  event: string
  parts: ReceivedPart[]
}
