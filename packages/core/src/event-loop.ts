import { setImmediate } from 'node:timers/promises'

/** Default: the longest time in milliseconds that signals and other answers wait. */
const MAX_BLOCKED_MS = 50

/**
 * Resolves when the event loop has read all pending input. This takes two turns, because the first may be the rest of one that has already
 * read.
 */
export async function nextPoll(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** For long work without a pause: `await` the result regularly, so that other pending work can run. */
export function eventLoopYielder(maxBlockedMs = MAX_BLOCKED_MS): () => Promise<void> | undefined {
  let yielded = performance.now()
  return () => {
    if (performance.now() - yielded < maxBlockedMs) return undefined
    return setImmediate().then(() => {
      yielded = performance.now()
    })
  }
}
