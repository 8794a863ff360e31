import { LIVE_EVENTS, type LiveEvent } from '@symup/intake/inspector'
import { useEffect, useState } from 'preact/hooks'

const live = new EventTarget()
/** Sent when the connection to the intake is lost or restored. */
const CHANGED = 'connection'
const RETRY_MS = 2000
let source: EventSource | undefined
let goneSince: number | undefined

/** The event stream and all requests show whether the intake is reachable. */
export const connection = {
  open(): void {
    source?.close()
    source = new EventSource('/inspector/api/events')
    source.addEventListener('open', () => {
      if (goneSince === undefined) return
      goneSince = undefined
      live.dispatchEvent(new Event(CHANGED))
      // The page missed events during the outage, so it reloads everything.
      for (const name of LIVE_EVENTS) live.dispatchEvent(new Event(name))
    })
    source.addEventListener('error', () => {
      connection.lost()
      // Browsers do not retry a refused event stream.
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

/** Unix milliseconds since the intake stopped answering; undefined while it answers. */
export function useGone(): number | undefined {
  const [since, setSince] = useState(goneSince)
  useEffect(() => {
    const update = () => setSince(goneSince)
    live.addEventListener(CHANGED, update)
    return () => live.removeEventListener(CHANGED, update)
  }, [])
  return since
}

/** A burst of events within this time causes a single refresh. */
const SETTLE_MS = 150

/** The number changes with every event of the given kinds. */
export function useLive(...names: LiveEvent[]): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      // Later events join the pending refresh, so a continuous stream of events still updates the page.
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
