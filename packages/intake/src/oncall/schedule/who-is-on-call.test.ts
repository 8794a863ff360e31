import { describe, expect, it } from 'vitest'
import { Calendar, turnsOf as turning } from './rotation.ts'
import type { SeededLayer, SeededSchedule } from './schema.ts'
import type { Span } from './spans.ts'
import { calculate as calculating, shown } from './who-is-on-call.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** Monday, 5 January 2026, 00:00 UTC. */
const MONDAY = Date.UTC(2026, 0, 5) / 1000
const groups = (...names: string[]) =>
  names.map((group_name, nth) => ({ group_name, members: [{ role_id: 1, person_ids: [nth + 1] }] }))
const layer = (rest: Partial<SeededLayer>): SeededLayer => ({
  layer_name: 'L',
  layer_start: MONDAY,
  groups: groups('A', 'B', 'C'),
  ...rest,
})
const schedule = (...layers: SeededLayer[]): SeededSchedule => ({ schedule_id: 1, schedule_name: 's', layers })

const turnsOf = (one: SeededLayer, timezone: string, span: Span) =>
  turning(one, timezone, span, new Calendar(timezone, span))
const calculate = (...asked: Parameters<typeof calculating>) => {
  const steps = calculating(...asked)
  let step = steps.next()
  while (!step.done) step = steps.next()
  const { final, turns, ...rest } = step.value
  return { ...rest, turns, final: final.map(shown) }
}

/** Notation: `A 0-24 B 24-48`, in hours after Monday. */
const written = (one: SeededLayer, from: number, to: number, timezone = 'UTC') =>
  turnsOf(one, timezone, { start: MONDAY + from * HOUR, end: MONDAY + to * HOUR })
    .map(
      ({ start, end, index }) => `${one.groups[index]?.group_name} ${(start - MONDAY) / HOUR}-${(end - MONDAY) / HOUR}`,
    )
    .join(' ')

const daily = (from: number, to: number) => ({
  restrict_mode: 1 as const,
  restrict_start: from * HOUR,
  restrict_end: to * HOUR,
})
const weekly = (from: number, to: number) => ({
  restrict_mode: 2 as const,
  restrict_start: from * DAY,
  restrict_end: to * DAY,
})
const PERIODS = [
  { restrict_start: 0, restrict_end: HOUR },
  { restrict_start: 12 * HOUR, restrict_end: 13 * HOUR },
]

describe('on-call turns', () => {
  it.each<[string, Partial<SeededLayer>, number, number, string]>([
    ['last one day', {}, 0, 72, 'A 0-24 B 24-48 C 48-72'],
    ['last two days', { rotation_value: 2 }, 0, 96, 'A 0-48 B 48-96'],
    [
      'last hours, counted from the start instead of the handoff',
      { rotation_unit: 'hour', rotation_value: 5, layer_start: MONDAY + HOUR, handoff_time: 9 * HOUR },
      1,
      12,
      'A 1-6 B 6-11 C 11-16',
    ],
    ['last weeks', { rotation_unit: 'week', rotation_value: 1 }, 0, 337, 'A 0-168 B 168-336 C 336-504'],
    [
      'last months, whose lengths differ',
      { rotation_unit: 'month', layer_start: Date.UTC(2026, 0, 31) / 1000 },
      24 * 26,
      24 * 60,
      'A 624-1296 B 1296-2040',
    ],
    ['have a handoff in the middle of the day', { handoff_time: 9 * HOUR }, 0, 40, 'A 0-9 B 9-33 C 33-57'],
    ['continue a year later', {}, 365 * 24, 366 * 24, 'C 8760-8784'],
    ['do not begin before the layer starts', { layer_start: MONDAY + 30 * HOUR }, 0, 72, 'A 30-48 B 48-72'],
    [
      'do not begin before the layer is enabled or after it expires',
      { enable_time: MONDAY + 10 * HOUR, expire_time: MONDAY + 30 * HOUR },
      0,
      72,
      'A 10-24 B 24-30',
    ],
    ['do not continue after the layer ends', { layer_end: MONDAY + 12 * HOUR }, 0, 72, 'A 0-12'],
    ['of a single group follow each other without a gap', { groups: groups('A') }, 0, 72, 'A 0-72'],
    ['do not exist without a group', { groups: [] }, 0, 72, ''],
    ['are limited to the day', daily(9, 17), 0, 48, 'A 9-17 B 33-41'],
    ['are limited to the night, across midnight', { ...daily(22, 6), rotation_value: 9 }, 24, 48, 'A 22-30 A 46-54'],
    ['are limited to several periods', { restrict_mode: 1, restrict_periods: PERIODS }, 0, 24, 'A 0-1 A 12-13'],
    ['are limited to part of the week', { ...weekly(4, 6), rotation_value: 7 }, 0, 168, 'A 96-144'],
    [
      'are limited to part of the week, in a window that began in the previous week',
      { ...weekly(5, 4), rotation_value: 30 },
      10 * 24,
      12 * 24,
      'A 120-264',
    ],
    ['are limited to weekdays', { day_mask: { repeat: [1, 3] }, rotation_value: 9 }, 0, 96, 'A 0-24 A 48-72'],
  ])('%s', (_, rest, from, to, expected) => expect(written(layer(rest), from, to)).toBe(expected))

  it('changes turns at the same local time when the clock changes', () => {
    // In New York, the night before 8 March 2026 is an hour shorter.
    const start = Date.UTC(2026, 2, 7, 14) / 1000
    const turns = turnsOf(layer({ layer_start: start, handoff_time: 9 * HOUR }), 'America/New_York', {
      start,
      end: start + 2 * DAY,
    })
    expect(turns.map(({ start, end }) => (end - start) / HOUR)).toEqual([23, 24, 24])
  })

  it('restores the time of turns after a day on which that time does not exist', () => {
    // In New York, 02:30 does not exist on 8 March 2026.
    const start = Date.UTC(2026, 2, 8, 12) / 1000
    const [, second, third] = turnsOf(layer({ layer_start: start, handoff_time: 2.5 * HOUR }), 'America/New_York', {
      start,
      end: start + 3 * DAY,
    })
    expect(second?.start).toBe(Date.UTC(2026, 2, 9, 6, 30) / 1000)
    expect(third?.start).toBe(Date.UTC(2026, 2, 10, 6, 30) / 1000)
  })

  it('keeps turns of whole days if the clock goes forward at midnight', () => {
    // In Cairo, Friday, 24 April 2026 begins at 01:00.
    const friday = Date.UTC(2026, 3, 23, 22) / 1000
    const ofDays = (weekday: number, from: number, to: number) => {
      const span = { start: friday + from * DAY, end: friday + to * DAY }
      const turns = turnsOf(layer({ day_mask: { repeat: [weekday] } }), 'Africa/Cairo', span)
      return turns.map(({ start, end }) => [(start - friday) / HOUR, (end - friday) / HOUR])
    }
    expect(ofDays(5, 0, 2)).toEqual([[0, 23]])
    for (const from of [7, 8, 9]) expect(ofDays(1, from, from + 3)).toEqual([[239, 263]])
  })
})

describe('times outside any calendar', () => {
  const FAR = Number.MAX_SAFE_INTEGER
  it.each(['hour', 'day', 'week', 'month'] as const)(
    'ends the turns of a layer that rotates by the %s at the end of the calendar',
    (rotation_unit) => {
      for (const layer_start of [8_640_000_000_000, FAR])
        expect(written(layer({ rotation_unit, layer_start }), 0, 72)).toBe('')
      const weird = layer({ rotation_unit, restrict_mode: 1, restrict_start: FAR - 1, restrict_end: FAR })
      expect(written(weird, 0, 72)).toBe('')
      expect(written(layer({ rotation_unit, rotation_value: 10_000, groups: groups('A') }), 0, 1)).toMatch(/^A 0-\d+$/)
    },
  )

  it.each(['day', 'week', 'month'] as const)(
    'ends the last turn of a layer that rotates by the %s at the end of the calendar',
    (rotation_unit) => {
      const end = Date.UTC(275760, 0) / 1000
      const long = layer({ rotation_unit, rotation_value: 10_000 })
      const [last] = turnsOf(long, 'UTC', { start: end - HOUR, end }).slice(-1)
      expect(last).toMatchObject({ end })
    },
  )
})

describe('an on-call schedule', () => {
  it('shows the current and the next turn with their true ends', () => {
    const { current, next } = calculate(schedule(layer({ rotation_unit: 'week' })), 'UTC', MONDAY + 8 * DAY)
    expect(current).toMatchObject({ start: MONDAY + 7 * DAY, end: MONDAY + 14 * DAY, index: 1, weight: 0 })
    expect(next).toMatchObject({ start: MONDAY + 14 * DAY, group: { group_name: 'C', members: [{ person_ids: [3] }] } })
  })

  it('puts overrides before rotations, and heavier layers before lighter ones', () => {
    const light = layer({ groups: groups('light') })
    const heavy = layer({ groups: groups('heavy'), weight: 5, ...daily(6, 12) })
    const [layer_start, layer_end] = [MONDAY + 8 * HOUR, MONDAY + 10 * HOUR]
    const override = layer({ groups: groups('override'), mode: 1, layer_start, layer_end })
    const { final, current } = calculate(schedule(light, heavy, override), 'UTC', MONDAY + 9 * HOUR)
    const day = final.filter(({ start }) => start < MONDAY + DAY)
    expect(
      day.map(({ group, start, end }) => [group.group_name, (start - MONDAY) / HOUR, (end - MONDAY) / HOUR]),
    ).toEqual([
      ['light', 0, 6],
      ['heavy', 6, 8],
      ['override', 8, 10],
      ['heavy', 10, 12],
      ['light', 12, 30],
    ])
    expect(current?.group.group_name).toBe('override')
  })

  it('returns nobody for a schedule that is empty, disabled, hidden or between turns', () => {
    expect(calculate(schedule(), 'UTC', MONDAY)).toMatchObject({ final: [], current: null, next: null })
    expect(calculate({ ...schedule(layer({})), disabled: 1 }, 'UTC', MONDAY)).toMatchObject({
      final: [],
      current: null,
    })
    expect(calculate(schedule(layer({ hidden: 1 })), 'UTC', MONDAY).final).toEqual([])
    const office = layer(daily(9, 17))
    const { current, next } = calculate(schedule(office), 'UTC', MONDAY + 20 * HOUR)
    expect([current, next?.start]).toEqual([null, MONDAY + 33 * HOUR])
  })

  it('looks ahead as far as two turns', () => {
    const { next, span } = calculate(schedule(layer({ rotation_unit: 'month' })), 'UTC', MONDAY)
    expect(next).toMatchObject({ start: Date.UTC(2026, 1, 5) / 1000, index: 1 })
    expect(span.end - span.start).toBe(60 * DAY)
  })
})
