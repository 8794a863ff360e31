import { LIVE_EVENTS, type LiveEvent } from '@symup/intake/inspector'
import { useEffect, useState } from 'preact/hooks'

const live = new EventTarget()
/** The intake answers again, or does not any more. */
const CHANGED = 'connection'
const RETRY_MS = 2000
let source: EventSource | undefined
let goneSince: number | undefined

/** Whether the intake is there, as the stream of its events and every request tell. */
export const connection = {
  open(): void {
    source?.close()
    source = new EventSource('/inspector/api/events')
    source.addEventListener('open', () => {
      if (goneSince === undefined) return
      goneSince = undefined
      live.dispatchEvent(new Event(CHANGED))
      // Whatever happened meanwhile was not told.
      for (const name of LIVE_EVENTS) live.dispatchEvent(new Event(name))
    })
    source.addEventListener('error', () => {
      connection.lost()
      // A stream that was refused is not tried again by the browser.
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

/** Unix milliseconds since when the intake does not answer; undefined while it does. */
export function useGone(): number | undefined {
  const [since, setSince] = useState(goneSince)
  useEffect(() => {
    const update = () => setSince(goneSince)
    live.addEventListener(CHANGED, update)
    return () => live.removeEventListener(CHANGED, update)
  }, [])
  return since
}

/** A burst of events is one refresh. */
const SETTLE_MS = 150

/** A number that changes whenever something of the kind has happened at the intake. */
export function useLive(...names: LiveEvent[]): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      // Those that come while it is waited for belong to it: a stream of events still shows something.
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
