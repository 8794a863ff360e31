import { expect, it } from 'vitest'
import { nextFire } from './cron.ts'

const FROM = Date.UTC(2026, 0, 1)

it.each<[string, number | undefined]>([
  ['0 0 30 2 *', undefined],
  ['0 0 31 2,4,6,9,11 *', undefined],
  ['0 0 30-31 FEB */2', undefined],
  ['0 0 29 2 *', Date.UTC(2028, 1, 29)],
  ['0 0 31 2,3 *', Date.UTC(2026, 2, 31)],
  ['0 0 28-31 2 *', Date.UTC(2026, 1, 28)],
  ['0 12 * * 7', Date.UTC(2026, 0, 4, 12)],
  ['0 12 * * 6-7', Date.UTC(2026, 0, 3, 12)],
  ['0 12 * * TUE-THU', Date.UTC(2026, 0, 1, 12)],
  ['0 9-17/4 * * *', Date.UTC(2026, 0, 1, 9)],
  ['0 22/1 * * *', Date.UTC(2026, 0, 1, 22)],
  // If both day fields are restricted, a match with either is enough, unless one begins with a star.
  ['0 0 30 2 1', Date.UTC(2026, 1, 2)],
  ['0 0 13,20 * FRI', Date.UTC(2026, 0, 2)],
  ['0 0 */14 * FRI', Date.UTC(2026, 4, 1)],
])('computes the next run for %s', (cron, expected) => expect(nextFire(cron, 'UTC', FROM)).toBe(expected))

it.each<[what: string, cron: string, timezone: string, from: string, ...next: string[]]>([
  [
    'an hour that daylight saving time skips',
    '30 2 * * *',
    'America/New_York',
    '2026-03-08T05:00Z',
    '2026-03-08T07:00Z',
    '2026-03-09T06:30Z',
  ],
  [
    'midnight that daylight saving time skips',
    '0 0 * * 0',
    'America/Santiago',
    '2026-09-05T12:00Z',
    '2026-09-06T04:00Z',
    '2026-09-13T03:00Z',
  ],
  [
    'every hour, one of which is skipped',
    '30 * * * *',
    'America/New_York',
    '2026-03-08T06:00Z',
    '2026-03-08T06:30Z',
    '2026-03-08T07:30Z',
  ],
  [
    'an hour that occurs twice',
    '30 1 * * *',
    'America/New_York',
    '2026-11-01T05:00Z',
    '2026-11-01T05:30Z',
    '2026-11-02T06:30Z',
  ],
  [
    'every hour, one of which occurs twice',
    '30 * * * *',
    'America/New_York',
    '2026-11-01T05:00Z',
    '2026-11-01T05:30Z',
    '2026-11-01T06:30Z',
  ],
])('handles %s: %s in %s', (_, cron, timezone, from, ...next) => {
  let last = Date.parse(from)
  for (const expected of next) {
    last = nextFire(cron, timezone, last) as number
    expect(new Date(last).toISOString()).toBe(new Date(expected).toISOString())
  }
})
