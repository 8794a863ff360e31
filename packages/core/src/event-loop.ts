import { setImmediate } from 'node:timers/promises'

const MAX_BLOCKED_MS = 50

/**
 * Resolves when the event loop has read all pending input. Two turns are needed, because the current turn may already be past its poll
 * phase.
 */
export async function nextPoll(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** Returns a function that long-running work must call and await regularly, so that other pending work can run. */
export function eventLoopYielder(maxBlockedMs = MAX_BLOCKED_MS): () => Promise<void> | undefined {
  let yielded = performance.now()
  return () => {
    if (performance.now() - yielded < maxBlockedMs) return undefined
    return setImmediate().then(() => {
      yielded = performance.now()
    })
  }
}
