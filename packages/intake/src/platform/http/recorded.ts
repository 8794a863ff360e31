// Types alone, without imports: the inspector page shows these and runs in a browser.

/** A request that was answered. Holds no key. */
export interface RecordedRequest {
  id: string
  /** Unix milliseconds. */
  time: number
  method: string
  /** Without the query, which holds the key. */
  path: string
  status: number
  /** `symup doctor` asked whether its key is good, with a form that is always refused. */
  isProbe: boolean
  milliseconds: number
  client: string
  /** JSON with secrets masked; '' where there is none, as with uploads. */
  body: string
}

/** In each language of the page. */
interface Text {
  en: string
  zh: string
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
  message: Text
  fix: Text
  client: string
  /** Request headers, keys masked. */
  headers: Record<string, string>
  /** The event as far as it arrived. */
  event: string
  parts: ReceivedPart[]
}
