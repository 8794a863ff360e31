import { eventLoopYielder } from '@symup/core/internal'
import type { Steps } from '@symup/core/resolving'

/** How many milliseconds long work may run before other requests get a turn. One piece of work may take about as long again. */
const PIECE_MS = 5

/** Long work awaits the returned function after each piece. */
export const yieldingToOthers = (): (() => Promise<void> | undefined) => eventLoopYielder(PIECE_MS)

export async function inPieces<T>(steps: Steps<T>): Promise<T> {
  const yieldToOthers = yieldingToOthers()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await yieldToOthers()
  }
}
