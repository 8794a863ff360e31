// The inspector page uses this file in a browser, so it contains only types. All times are Unix timestamps in milliseconds.
import type { Localized } from '../errors.ts'

/** Contains no keys. */
export interface RecordedRequest {
  id: string
  time: number
  method: string
  /** Does not include the query, which contains the key. */
  path: string
  status: number
  /** Whether `symup doctor` sent the request to check the key. The intake always rejects such requests. */
  isProbe: boolean
  milliseconds: number
  client: string
  /** JSON with secrets masked; empty if the request has no JSON body, as for uploads. */
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
  /** May be incomplete, because the upload was refused. */
  event: string
  parts: ReceivedPart[]
}
