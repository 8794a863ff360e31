import type { ReleaseRow, UploadRow } from '@symup/intake/inspector'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ask } from './api.ts'

interface Lists {
  releases: ReleaseRow
  uploads: UploadRow
}

export interface Pages<T> {
  rows: ReadonlyMap<number, T>
  /** Undefined until the first response arrives. */
  total?: number
  error?: string
  load(first: number, last: number): void
}

const PAGE = 100
/** Delay in milliseconds after the last keystroke before the request is sent. */
const TYPING_MS = 120

/** Loads rows page by page when they come into view. Ignores responses to stale requests. */
export function usePages<K extends keyof Lists>(
  name: K,
  filter: Record<string, string | undefined>,
  refresh: unknown,
): Pages<Lists[K]> {
  const key = JSON.stringify(filter)
  const [state, setState] = useState<Omit<Pages<Lists[K]>, 'load'>>({ rows: new Map() })
  const asked = useRef<{ abort: AbortController; pages: Set<number> }>(undefined)
  const fetchPage = useCallback(
    async (page: number, isFirst: boolean) => {
      const question = asked.current
      if (!question || question.pages.has(page)) return
      question.pages.add(page)
      try {
        const query = { ...filter, offset: page * PAGE, limit: PAGE }
        const { total, items } = await ask(name, query, question.abort.signal)
        if (asked.current !== question) return
        setState((before) => {
          const rows = new Map<number, Lists[K]>(isFirst ? [] : before.rows)
          for (const [index, item] of items.entries()) rows.set(page * PAGE + index, item as Lists[K])
          return { rows, total }
        })
      } catch (error) {
        if (asked.current !== question) return
        question.pages.delete(page)
        setState((before) => ({ ...before, error: (error as Error).message }))
      }
    },
    [key],
  )
  useEffect(() => {
    const question = { abort: new AbortController(), pages: new Set<number>() }
    asked.current = question
    const timer = setTimeout(() => void fetchPage(0, true), TYPING_MS)
    return () => {
      clearTimeout(timer)
      question.abort.abort()
    }
  }, [key, refresh])
  const load = useCallback(
    (first: number, last: number) => {
      for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++)
        if (!state.rows.has(page * PAGE) && page * PAGE < (state.total ?? 0)) void fetchPage(page, false)
    },
    [state, fetchPage],
  )
  return { ...state, load }
}
