import type { Reason } from './frames.ts'
import { reason } from './reasons.ts'

/** Limits for one question, shared by all its frames. Resolvers check these limits before each frame. */
export interface Budget {
  /** Whether time has run out. The remaining frames then get a reason instead of a position. */
  isSpent(): boolean
  /** Whether the caller has stopped waiting for the answer. */
  isCancelled(): boolean
}

/** The question was cancelled, so there is no answer. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/**
 * Why a frame is skipped; undefined while time remains.
 * @throws Cancelled
 */
export function outOfTime(budget: Budget | undefined): Reason | undefined {
  if (budget?.isCancelled()) throw new Cancelled('The caller stopped waiting for the result.')
  return budget?.isSpent() ? reason('out-of-time') : undefined
}

/**
 * @param ms time limit in milliseconds.
 * @param stop its first element becomes nonzero when the question is cancelled. Another thread may set it.
 */
export function timeBudget(ms: number, stop?: Int32Array): Budget {
  const end = performance.now() + ms
  return {
    isSpent: () => performance.now() > end,
    isCancelled: () => stop !== undefined && Atomics.load(stop, 0) !== 0,
  }
}
