import { eventLoopYielder } from '@symup/core/internal'

/** Maximum time in milliseconds that a long task runs before it lets other requests run. */
const PIECE_MS = 5

/** Long tasks call the returned function after each piece and await its result. */
export const yieldingToOthers = (): (() => Promise<void> | undefined) => eventLoopYielder(PIECE_MS)

/** Work that is split into short steps. The caller can yield to the event loop between steps. */
export type Steps<T> = Generator<undefined, T, undefined>

export async function inPieces<T>(steps: Steps<T>): Promise<T> {
  const yieldToOthers = yieldingToOthers()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await yieldToOthers()
  }
}
