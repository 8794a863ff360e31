import type { Reason } from './frames.ts'
import { reason } from './reasons.ts'

/** A limit that all frames of a request share. Resolvers check the limit before each frame. */
export interface Budget {
  /** Returns whether the time limit was reached. Frames that were not resolved in time get a reason instead of a position. */
  isSpent(): boolean
  isCancelled(): boolean
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/**
 * Returns the `out-of-time` reason if the time limit was reached.
 * @throws Cancelled if the caller has stopped waiting.
 */
export function outOfTime(budget: Budget | undefined): Reason | undefined {
  if (budget?.isCancelled()) throw new Cancelled('The caller stopped waiting for the result.')
  return budget?.isSpent() ? reason('out-of-time') : undefined
}

/**
 * @param ms the time limit in milliseconds.
 * @param stop an array whose first element becomes nonzero when the caller cancels the request, possibly in another thread.
 */
export function timeBudget(ms: number, stop?: Int32Array): Budget {
  const end = performance.now() + ms
  return {
    isSpent: () => performance.now() > end,
    isCancelled: () => stop !== undefined && Atomics.load(stop, 0) !== 0,
  }
}
