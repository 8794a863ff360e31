import { setImmediate } from 'node:timers/promises'

/** Milliseconds for which signals and the answers of others wait at most. */
const MAX_BLOCKED_MS = 50

/** For long work without a pause: `await` what this gives once in a while, and whatever else is due runs first. */
export function eventLoopYielder(): () => Promise<void> | undefined {
  let yielded = performance.now()
  return () => {
    if (performance.now() - yielded < MAX_BLOCKED_MS) return undefined
    return setImmediate().then(() => {
      yielded = performance.now()
    })
  }
}
