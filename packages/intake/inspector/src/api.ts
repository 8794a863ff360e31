import { useEffect, useState } from 'preact/hooks'
import { type InspectorAnswers, type InspectorPosts, LIVE_EVENTS, type LiveEvent } from '../../src/inspector/api.ts'

type Query = Record<string, string | number | undefined>

/** Asks the intake. @throws Error with the intake's own words. */
export async function ask<K extends keyof InspectorAnswers>(name: K, query: Query = {}): Promise<InspectorAnswers[K]> {
  const search = new URLSearchParams()
  for (const [field, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(field, String(value))
  return answerOf(await fetch(`/inspector/api/${name}?${search}`))
}

export async function send<K extends keyof InspectorPosts>(
  name: K,
  body: InspectorPosts[K]['body'],
  headers: Record<string, string> = {},
): Promise<InspectorPosts[K]['answer']> {
  const response = await fetch(`/inspector/api/${name}`, {
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

const live = new EventTarget()
let source: EventSource | undefined

function listen(name: LiveEvent, listener: () => void): () => void {
  if (!source) {
    source = new EventSource('/inspector/api/events')
    for (const each of LIVE_EVENTS) {
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
export function useAnswer<K extends keyof InspectorAnswers>(
  name: K,
  query: Query,
  refresh: unknown = 0,
): Loaded<InspectorAnswers[K]> {
  const [loaded, setLoaded] = useState<Loaded<InspectorAnswers[K]>>({})
  const key = JSON.stringify([name, query])
  useEffect(() => {
    let isCurrent = true
    ask(name, query).then(
      (data) => isCurrent && setLoaded({ data }),
      (error: Error) => isCurrent && setLoaded({ error: error.message }),
    )
    return () => {
      isCurrent = false
    }
  }, [key, refresh])
  return loaded
}
