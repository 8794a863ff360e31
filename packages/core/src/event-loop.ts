import { setImmediate } from 'node:timers/promises'

/** Default: milliseconds for which signals and the answers of others wait at most. */
const MAX_BLOCKED_MS = 50

/** Resolves when the event loop has read what came in until now. That takes two turns: the first may be the rest of one that has read before. */
export async function nextPoll(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** For long work without a pause: `await` what this gives once in a while, and whatever else is due runs first. */
export function eventLoopYielder(maxBlockedMs = MAX_BLOCKED_MS): () => Promise<void> | undefined {
  let yielded = performance.now()
  return () => {
    if (performance.now() - yielded < maxBlockedMs) return undefined
    return setImmediate().then(() => {
      yielded = performance.now()
    })
  }
}
