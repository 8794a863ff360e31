import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../test/support/cpu-seconds.ts'
import { nextFire } from './cron.ts'

const FROM = Date.UTC(2026, 0, 1)

it.each<[string, number | undefined]>([
  ['0 0 30 2 *', undefined],
  ['0 0 31 2,4,6,9,11 *', undefined],
  ['0 0 30-31 FEB */2', undefined],
  ['0 0 29 2 *', Date.UTC(2028, 1, 29)],
  ['0 0 31 2,3 *', Date.UTC(2026, 2, 31)],
  ['0 0 28-31 2 *', Date.UTC(2026, 1, 28)],
  // Both are restricted: the weekday is enough.
  ['0 0 30 2 1', Date.UTC(2026, 1, 2)],
])('%s', (cron, expected) => expect(nextFire(cron, 'UTC', FROM)).toBe(expected))

it('a day that no month has costs nothing', async () => {
  const seconds = await cpuSeconds(() => {
    for (let nth = 0; nth < 1000; nth++) nextFire('0 0 31 2,4,6,9,11 *', 'America/New_York', FROM)
  })
  // Looked for through the years to come, 5.
  expect(seconds).toBeLessThan(1)
})
