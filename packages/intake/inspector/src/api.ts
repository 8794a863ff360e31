import { useEffect, useState } from 'preact/hooks'

/** What the intake tells the page; see `src/inspector` of the intake for the other side. */
export interface UploadRow {
  id: string
  kind: string
  platform: string
  service: string
  version: string
  path: string
  debugId: string | null
  buildId: string | null
  uuids: string | null
  bytes: number
  origin: string | null
  createdAt: number
  updatedAt: number
}
export interface VersionSummary {
  service: string
  version: string
  kind: string
  artifacts: number
  bytes: number
  newest: number
}
export interface UploadDetails {
  id: string
  event: Record<string, unknown>
  requestId: string
  parts: { name: string; filename: string; bytes: number; sha256: string }[]
}
export interface SourceShare {
  index: number
  name: string
  bytes: number
  hasContent: boolean
}
export interface Segment {
  column: number
  source: number
  line: number
  originalColumn: number
}
export interface GeneratedWindow {
  line: number
  lines: number
  column: number
  lineLength: number
  text: string
  segments: Segment[]
}
export interface Reason {
  code: string
  message: string
  fix: string
}
export interface Frame {
  raw?: string
  function?: string
  file?: string
  line?: number
  column?: number
  converted: boolean
  third_party?: boolean
  code_snippets?: { line: number; code: string }[]
  reason?: Reason
}
export interface Rejection {
  id: string
  time: number
  status: number
  code: string
  message: string
  fix: string
  client: string
  headers: Record<string, string>
  event: string
  parts: { name: string; filename?: string }[]
}
export interface RecordedRequest {
  id: string
  time: number
  method: string
  path: string
  status: number
  milliseconds: number
  client: string
  body: string
}

type Query = Record<string, string | number | undefined>

/** Asks the intake. @throws Error with the intake's own words. */
export async function ask<T>(path: string, query: Query = {}): Promise<T> {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return answerOf(await fetch(`/inspector/api/${path}?${search}`))
}

export async function send<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(`/inspector/api/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return answerOf(response)
}

async function answerOf<T>(response: Response): Promise<T> {
  const { data, error } = (await response.json()) as { data: T; error?: { message: string } }
  if (error) throw new Error(error.message)
  return data
}

export type LiveEvent = 'upload' | 'rejection' | 'request' | 'fault'

const live = new EventTarget()
let source: EventSource | undefined

function listen(name: LiveEvent, listener: () => void): () => void {
  if (!source) {
    source = new EventSource('/inspector/api/events')
    for (const each of ['upload', 'rejection', 'request', 'fault'] as const) {
      source.addEventListener(each, () => live.dispatchEvent(new Event(each)))
    }
  }
  live.addEventListener(name, listener)
  return () => live.removeEventListener(name, listener)
}

/** A burst of events is one refresh. */
const SETTLE_MS = 150

/** A number that changes whenever something of the kind has happened at the intake. */
export function useLive(...names: LiveEvent[]): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setCount((before) => before + 1), SETTLE_MS)
    }
    const stops = names.map((name) => listen(name, refresh))
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [])
  return count
}

export interface Loaded<T> {
  data?: T
  error?: string
}

/** What the intake answers to a question; the last answer stays until the next is there. */
export function useAnswer<T>(path: string, query: Query, refresh: unknown = 0): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({})
  const key = JSON.stringify([path, query])
  useEffect(() => {
    let isCurrent = true
    ask<T>(path, query).then(
      (data) => isCurrent && setLoaded({ data }),
      (error: Error) => isCurrent && setLoaded({ error: error.message }),
    )
    return () => {
      isCurrent = false
    }
  }, [key, refresh])
  return loaded
}
