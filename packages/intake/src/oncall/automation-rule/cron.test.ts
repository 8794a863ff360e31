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
  // If both are restricted, a matching weekday is enough.
  ['0 0 30 2 1', Date.UTC(2026, 1, 2)],
])('%s', (cron, expected) => expect(nextFire(cron, 'UTC', FROM)).toBe(expected))

it.each<[what: string, cron: string, timezone: string, from: string, ...next: string[]]>([
  [
    'the hour that is left out',
    '30 2 * * *',
    'America/New_York',
    '2026-03-08T05:00Z',
    '2026-03-08T07:00Z',
    '2026-03-09T06:30Z',
  ],
  [
    'midnight that is left out',
    '0 0 * * 0',
    'America/Santiago',
    '2026-09-05T12:00Z',
    '2026-09-06T04:00Z',
    '2026-09-13T03:00Z',
  ],
  [
    'each hour, one of them left out',
    '30 * * * *',
    'America/New_York',
    '2026-03-08T06:00Z',
    '2026-03-08T06:30Z',
    '2026-03-08T07:30Z',
  ],
  [
    'the hour that is twice there',
    '30 1 * * *',
    'America/New_York',
    '2026-11-01T05:00Z',
    '2026-11-01T05:30Z',
    '2026-11-02T06:30Z',
  ],
  [
    'each hour, one of them twice',
    '30 * * * *',
    'America/New_York',
    '2026-11-01T05:00Z',
    '2026-11-01T05:30Z',
    '2026-11-01T06:30Z',
  ],
])('%s: %s in %s', (_, cron, timezone, from, ...next) => {
  let last = Date.parse(from)
  for (const expected of next) {
    last = nextFire(cron, timezone, last) as number
    expect(new Date(last).toISOString()).toBe(new Date(expected).toISOString())
  }
})
