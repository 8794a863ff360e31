import { LIVE_EVENTS, type LiveEvent } from '@symup/intake/inspector'
import { useEffect, useState } from 'preact/hooks'

const live = new EventTarget()
const CHANGED = 'connection'
const RETRY_MS = 2000
let source: EventSource | undefined
let goneSince: number | undefined

/** Tracks whether the intake is reachable. Both the event stream and failed requests update the state. */
export const connection = {
  open(): void {
    source?.close()
    source = new EventSource('/inspector/api/events')
    source.addEventListener('open', () => {
      if (goneSince === undefined) return
      goneSince = undefined
      live.dispatchEvent(new Event(CHANGED))
      // Reloads everything, because events were missed during the outage.
      for (const name of LIVE_EVENTS) live.dispatchEvent(new Event(name))
    })
    source.addEventListener('error', () => {
      connection.lost()
      // Browsers do not retry an event stream that the server refused.
      if (source?.readyState === EventSource.CLOSED) setTimeout(connection.open, RETRY_MS)
    })
    for (const name of LIVE_EVENTS) source.addEventListener(name, () => live.dispatchEvent(new Event(name)))
  },
  lost(): void {
    if (goneSince !== undefined) return
    goneSince = Date.now()
    live.dispatchEvent(new Event(CHANGED))
  },
}

/** @returns the Unix time in milliseconds at which the intake stopped responding; undefined while the intake is reachable. */
export function useGone(): number | undefined {
  const [since, setSince] = useState(goneSince)
  useEffect(() => {
    const update = () => setSince(goneSince)
    live.addEventListener(CHANGED, update)
    return () => live.removeEventListener(CHANGED, update)
  }, [])
  return since
}

/** Time in milliseconds between an event and the refresh. Further events during this time do not cause another refresh. */
const SETTLE_MS = 150

/** Returns a counter that increases after events of the given types. */
export function useLive(...names: LiveEvent[]): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      // Later events do not restart the timer. Otherwise, a continuous stream of events would prevent the refresh.
      timer ??= setTimeout(() => {
        timer = undefined
        setCount((before) => before + 1)
      }, SETTLE_MS)
    }
    for (const name of names) live.addEventListener(name, refresh)
    return () => {
      clearTimeout(timer)
      for (const name of names) live.removeEventListener(name, refresh)
    }
  }, [])
  return count
}
