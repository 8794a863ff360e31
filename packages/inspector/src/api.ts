import type { InspectorAnswers, InspectorPosts } from '@symup/intake/inspector'
import { useEffect, useState } from 'preact/hooks'
import { connection } from './connection.ts'
import { t } from './words.ts'

/** App key that the user entered, kept until the page is closed. */
let appKey = ''

export function setAppKey(key: string): void {
  appKey = key
}

export function currentAppKey(): string {
  return appKey
}

/**
 * @param body JSON string, because an object would round 64-bit ids.
 * @throws Error with the intake's message and the request id.
 */
export async function operate(path: string, body: string): Promise<void> {
  if (appKey === '') throw new Error(t('nameAppKey'))
  const headers = { 'Content-Type': 'application/json', 'X-Symup-Test': '1' }
  await answerOf(`${path}?app_key=${encodeURIComponent(appKey)}`, { method: 'POST', headers, body })
}

type Query = Record<string, string | number | undefined>

/** @throws Error with the intake's message and the request id. */
export async function ask<K extends keyof InspectorAnswers>(
  name: K,
  query: Query = {},
  signal?: AbortSignal,
): Promise<InspectorAnswers[K]> {
  const search = new URLSearchParams()
  for (const [field, value] of Object.entries(query)) if (value !== undefined) search.set(field, String(value))
  return answerOf(`/inspector/api/${name}?${search}`, signal ? { signal } : {})
}

export async function send<K extends keyof InspectorPosts>(
  name: K,
  body: InspectorPosts[K]['body'],
  headers: Record<string, string> = {},
): Promise<InspectorPosts[K]['answer']> {
  return answerOf(`/inspector/api/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

async function answerOf<T>(url: string, init: RequestInit): Promise<T> {
  let response: Response
  try {
    response = await fetch(url, init)
  } catch (error) {
    if (!init.signal?.aborted) connection.lost()
    throw error
  }
  const { data, error, request_id: id } = (await response.json()) as Answer<T>
  if (error) throw new Error(t('failedRequest', { message: error.message, id }))
  return data
}

interface Answer<T> {
  request_id: string
  data: T
  error?: { message: string }
}

export interface Loaded<T> {
  data?: T
  error?: string
  isSlow?: boolean
}

const SLOW_MS = 800

/** Keeps the previous response until a new one arrives. Ignores responses to stale requests. */
export function useAnswer<K extends keyof InspectorAnswers>(
  name: K,
  query: Query | undefined,
  refresh: unknown = 0,
): Loaded<InspectorAnswers[K]> {
  const [loaded, setLoaded] = useState<Loaded<InspectorAnswers[K]>>({})
  const key = JSON.stringify([name, query])
  useEffect(() => {
    if (query === undefined) return
    const asked = new AbortController()
    const timer = setTimeout(() => setLoaded((before) => ({ ...before, isSlow: true })), SLOW_MS)
    const settle = (next: Loaded<InspectorAnswers[K]>) => {
      clearTimeout(timer)
      if (!asked.signal.aborted) setLoaded(next)
    }
    ask(name, query, asked.signal).then(
      (data) => settle({ data }),
      (error: Error) => settle({ error: error.message }),
    )
    return () => {
      clearTimeout(timer)
      asked.abort()
    }
  }, [key, refresh])
  return loaded
}

export interface Keys {
  api: string
  app: string
}

/**
 * Commands that users copy contain the public keys from the default seed. If the intake uses other keys, the commands contain shell
 * variables.
 */
export function useKeys(): Keys {
  const { data } = useAnswer('keys', {})
  return { api: data?.api ?? '$SYMUP_API_KEY', app: data?.app ?? '$SYMUP_APP_KEY' }
}
