import { setImmediate } from 'node:timers/promises'

/** The default for the longest time, in milliseconds, that signals and other requests have to wait. */
const MAX_BLOCKED_MS = 50

/**
 * Resolves when the event loop has read all pending input. This takes two turns, because the current turn may already be past its poll
 * phase.
 */
export async function nextPoll(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** Returns a function for long-running work. Awaiting its result at regular intervals lets other pending work run. */
export function eventLoopYielder(maxBlockedMs = MAX_BLOCKED_MS): () => Promise<void> | undefined {
  let yielded = performance.now()
  return () => {
    if (performance.now() - yielded < maxBlockedMs) return undefined
    return setImmediate().then(() => {
      yielded = performance.now()
    })
  }
}
