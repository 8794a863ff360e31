import { yieldingToOthers } from '../platform/yielding.ts'

/** Long work that stops after each piece of it, so that others can be answered in between. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Does all of it, and lets others work in between. */
export async function inPieces<T>(steps: Steps<T>): Promise<T> {
  const yieldToOthers = yieldingToOthers()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
    await yieldToOthers()
  }
}
