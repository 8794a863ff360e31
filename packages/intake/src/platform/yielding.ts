import { eventLoopYielder } from '@symup/core/internal'
import type { Steps } from '@symup/core/resolving'

/** Milliseconds of long work after which others are answered in between; a piece of it may take about as long again. */
const PIECE_MS = 5

/** For long work in pieces: `await` what this gives after each. */
export const yieldingToOthers = (): (() => Promise<void> | undefined) => eventLoopYielder(PIECE_MS)

/** Does work that comes in steps, and lets others work in between. */
export async function inPieces<T>(steps: Steps<T>): Promise<T> {
  const yieldToOthers = yieldingToOthers()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await yieldToOthers()
  }
}
