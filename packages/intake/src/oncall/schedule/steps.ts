import { eventLoopYielder } from '@symup/core/internal'

/** Long work that stops after each piece of it, so that others can be answered in between. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Milliseconds for which others wait; a piece may take about as long again. */
const PIECE_MS = 5

/** Does all of it, and lets others work in between. */
export async function inPieces<T>(steps: Steps<T>): Promise<T> {
  const yieldToEventLoop = eventLoopYielder(PIECE_MS)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
    await yieldToEventLoop()
  }
}
