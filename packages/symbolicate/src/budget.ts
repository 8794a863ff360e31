import type { Reason } from './frames.ts'
import { reason } from './reasons.ts'

/** What one question may cost, over all of its frames. Resolvers look at it before each of them. */
export interface Budget {
  /** Whether the time is used up: the frames that are left are answered with a reason. */
  isSpent(): boolean
  /** Whether nobody waits for the answer any more. */
  isCancelled(): boolean
}

/** The question was cancelled, so there is no answer. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/**
 * Why a frame is not looked at any more; undefined while there is time.
 * @throws Cancelled
 */
export function outOfTime(budget: Budget | undefined): Reason | undefined {
  if (budget?.isCancelled()) throw new Cancelled('nobody waits for the answer')
  return budget?.isSpent() ? reason('out-of-time') : undefined
}

/**
 * @param ms milliseconds from now on.
 * @param stop its first number is not 0 once the question is cancelled; another thread may set it.
 */
export function timeBudget(ms: number, stop?: Int32Array): Budget {
  const end = performance.now() + ms
  return {
    isSpent: () => performance.now() > end,
    isCancelled: () => stop !== undefined && Atomics.load(stop, 0) !== 0,
  }
}
