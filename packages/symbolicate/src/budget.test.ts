import { expect, it } from 'vitest'
import { Cancelled, outOfTime, timeBudget } from './budget.ts'

it('ends a budget when its time is spent', () => {
  expect([timeBudget(60_000), timeBudget(-1)].map((it) => it.isSpent())).toEqual([false, true])
  expect([timeBudget(60_000), timeBudget(-1), undefined].map((it) => outOfTime(it)?.code)).toEqual([
    undefined,
    'out-of-time',
    undefined,
  ])
})

it('sends no response to a client that disconnected, in time or not', () => {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  for (const ms of [60_000, -1]) {
    const budget = timeBudget(ms, stop)
    stop[0] = 0
    expect(budget.isCancelled()).toBe(false)
    expect(() => outOfTime(budget)).not.toThrow()
    stop[0] = 1
    expect(budget.isCancelled()).toBe(true)
    expect(() => outOfTime(budget)).toThrow(new Cancelled('The caller stopped waiting for the result.'))
  }
  expect(timeBudget(1).isCancelled()).toBe(false)
})
