import { setImmediate } from 'node:timers/promises'

/** Long work that stops after each piece of it, so that others can be answered in between. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Milliseconds for which others wait; a piece may take about as long again. */
const PIECE_MS = 5

/** Does all of it, and lets others work in between. */
export async function inPieces<T>(steps: Steps<T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
    if (performance.now() - since < PIECE_MS) continue
    await setImmediate()
    since = performance.now()
  }
}
