import { eventLoopYielder } from '@symup/core/internal'
import type { Steps } from '@symup/core/resolving'

/** Maximum time in milliseconds that a long task runs before it lets other requests run. */
const PIECE_MS = 5

/** Long tasks call the returned function after each piece and await its result. */
export const yieldingToOthers = (): (() => Promise<void> | undefined) => eventLoopYielder(PIECE_MS)

export async function inPieces<T>(steps: Steps<T>): Promise<T> {
  const yieldToOthers = yieldingToOthers()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await yieldToOthers()
  }
}
