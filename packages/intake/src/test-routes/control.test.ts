import { expect, it } from 'vitest'
import { DEFAULT_SEED } from '../oncall/seed/default-seed.ts'
import { createClock } from '../platform/clock.ts'
import { createControl } from './control.ts'

const MINUTE = 60_000

it('stops a clock that would fire too often, and reports the time it reached', async () => {
  const clock = createClock(() => 0)
  let due = MINUTE
  const fireDue = async () => {
    if (due <= clock.now()) due += MINUTE
  }
  const oncall = { nextDue: async () => due, countRuns: async () => 0, services: { automation: { fireDue } } }
  const control = createControl(DEFAULT_SEED, { clock, reset: async () => undefined }, oncall)
  await control.advance(10_000 * MINUTE)
  expect(clock.now()).toBe(10_000 * MINUTE)
  await expect(control.advance(10_001 * MINUTE)).rejects.toThrow(
    'After 10000 firings, the clock is at 1970-01-14T21:20:00.000Z. Advance the clock again by the remaining time.',
  )
  expect([clock.now(), due]).toEqual([20_000 * MINUTE, 20_001 * MINUTE])
})
