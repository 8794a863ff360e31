import { setImmediate } from 'node:timers/promises'

/** Milliseconds for which signals and the answers of others wait at most. */
const TURN_MS = 50

/** For long work without a pause: `await` what this gives once in a while, and whatever else is due gets its turn. */
export function turnTaker(): () => Promise<void> | undefined {
  let turned = performance.now()
  return () => {
    if (performance.now() - turned < TURN_MS) return undefined
    return setImmediate().then(() => {
      turned = performance.now()
    })
  }
}
