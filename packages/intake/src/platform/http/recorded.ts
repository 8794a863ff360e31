// This file contains only types, because the inspector page uses it in a browser.
import type { Localized } from '../errors.ts'

/** An answered request. Contains no key. */
export interface RecordedRequest {
  id: string
  /** Unix milliseconds. */
  time: number
  method: string
  /** Without the query, because it contains the key. */
  path: string
  status: number
  /** Whether `symup doctor` checked its key with a form that is always refused. */
  isProbe: boolean
  milliseconds: number
  client: string
  /** JSON with masked secrets; '' if there is none, as for uploads. */
  body: string
}

/** A part of an upload, as received. */
export interface ReceivedPart {
  name: string
  filename?: string
}

/** A refused upload and the reason. */
export interface Rejection {
  id: string
  /** Unix milliseconds. */
  time: number
  status: number
  code: string
  message: Localized
  fix: Localized
  client: string
  /** Request headers with masked keys. */
  headers: Record<string, string>
  /** The part of the event that was received. */
  event: string
  parts: ReceivedPart[]
}
