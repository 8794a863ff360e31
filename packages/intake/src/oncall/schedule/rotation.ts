import { DateTime } from 'luxon'
import type { SeededLayer } from './schema.ts'
import { intersect, mergeAdjacent, type Span } from './spans.ts'

export interface Turn extends Span {
  index: number
}

const DAY = 86_400
export const UNIT_SECONDS = { hour: 3600, day: DAY, week: 7 * DAY, month: 30 * DAY } as const

/**
 * Computes the turns of a layer that overlap `span`, with their full start and end times. Hourly turns always have the same length. Daily,
 * weekly and monthly turns change at `handoff_time` in local time, even if daylight saving time makes a day longer or shorter.
 * @param calendar calendar for the span, shared by several layers.
 */
export function turnsOf(layer: SeededLayer, timezone: string, span: Span, calendar: Calendar): Turn[] {
  const life = {
    start: Math.max(layer.layer_start, layer.enable_time ?? 0),
    end: Math.min(layer.layer_end || Infinity, layer.expire_time || Infinity),
  }
  const turns = intersect(rotate(layer, timezone, span), [life])
  const covered = coverage(layer, calendar)
  const found = covered ? intersect(turns, covered) : turns
  return mergeAdjacent(
    found.filter(({ start, end }) => end > span.start && start < span.end),
    (a, b) => a.index === b.index,
  )
}

function rotate(layer: SeededLayer, timezone: string, span: Span): Turn[] {
  const { groups, rotation_unit: unit = 'day', rotation_value: value = 1, layer_start } = layer
  // `layer_start` may be later than the year 275760, the limit of JavaScript dates.
  if (groups.length === 0 || layer_start >= span.end) return []
  const { startOf, passed } =
    unit === 'hour' ? byTheHour(layer_start, value, span) : byTheDay(layer, { unit, value }, timezone, span)
  const turns: Turn[] = []
  for (let nth = Math.max(0, Math.floor(passed / value)); ; nth++) {
    const from = startOf(nth)
    // The condition also ends the loop if `from` is not a valid date.
    if (!(from < span.end)) return turns
    const next = startOf(nth + 1)
    const to = Number.isNaN(next) ? span.end : next
    if (to > span.start) turns.push({ start: from, end: to, index: nth % groups.length })
  }
}

function byTheHour(start: number, value: number, span: Span) {
  const { hour } = UNIT_SECONDS
  return { startOf: (nth: number) => start + nth * value * hour, passed: (span.start - start) / hour }
}

/** Uses calendar units, unlike `byTheHour`. */
function byTheDay(
  { layer_start, handoff_time: handoff = 0 }: SeededLayer,
  { unit, value }: { unit: 'day' | 'week' | 'month'; value: number },
  timezone: string,
  span: Span,
) {
  const first = lastHandoff(DateTime.fromSeconds(layer_start, { zone: timezone }), handoff)
  const units = `${unit}s` as const
  return {
    // Each handoff is computed from midnight, so a change to or from daylight saving time does not shift later handoffs.
    startOf: (nth: number) => atSecond(first.plus({ [units]: nth * value }).startOf('day'), handoff).toUnixInteger(),
    passed: DateTime.fromSeconds(span.start, { zone: timezone }).diff(first, units).as(units),
  }
}

function lastHandoff(start: DateTime, handoff: number): DateTime {
  const sameDay = atSecond(start.startOf('day'), handoff)
  return sameDay <= start ? sameDay : atSecond(start.startOf('day').minus({ days: 1 }), handoff)
}

/** Returns the time spans that a layer covers; undefined means always. */
function coverage(layer: SeededLayer, calendar: Calendar): Span[] | undefined {
  const { restrict_mode: mode = 0, restrict_periods, day_mask } = layer
  const { restrict_start = 0, restrict_end = 0 } = layer
  const periods = restrict_periods?.length ? restrict_periods : [{ restrict_start, restrict_end }]
  const numbers = [...calendar.days.keys()]
  const weekdayOf = (nth: number) => (calendar.days[nth] as DateTime).weekday
  const weekdays = day_mask?.repeat?.length
    ? numbers
        .filter((nth) => day_mask.repeat?.includes(weekdayOf(nth) % 7))
        .map((nth) => ({ start: calendar.startOf(nth), end: calendar.startOf(nth + 1) }))
    : undefined
  if (mode === 0) return weekdays
  const length = mode === 1 ? DAY : 7 * DAY
  const anchors = mode === 1 ? numbers : numbers.filter((nth) => weekdayOf(nth) === 1)
  const windows: Span[] = []
  for (const anchor of anchors) {
    for (const { restrict_start: from, restrict_end: to } of periods) {
      // If a window ends before it starts, it continues on the next day or in the next week.
      const window = { start: calendar.at(anchor, from), end: calendar.at(anchor, to > from ? to : to + length) }
      if (window.start < window.end) windows.push(window)
    }
  }
  windows.sort((a, b) => a.start - b.start)
  const apart = mergeAdjacent(windows, () => true)
  return weekdays ? intersect(apart, weekdays) : apart
}

export class Calendar {
  /**
   * The midnights from two weeks before the span to the end of the span. The two weeks are needed because a weekly window can begin late in
   * one week and end late in the next.
   */
  readonly days: readonly DateTime[]
  readonly #starts: number[]

  constructor(timezone: string, { start, end }: Span) {
    const days: DateTime[] = []
    const first = DateTime.fromSeconds(start, { zone: timezone }).startOf('day').minus({ days: 14 })
    // If the clock changes at midnight, a day begins at 01:00. Adding days to that time would give 01:00 for every day.
    const dayOf = (nth: number) => first.plus({ days: nth }).startOf('day')
    let day = dayOf(0)
    for (; day.toUnixInteger() < end; day = dayOf(days.length)) days.push(day)
    this.days = days
    // Also includes the start of the day after the last day.
    this.#starts = [...days, day].map((it) => it.toUnixInteger())
  }

  startOf(nth: number): number {
    return this.#starts[nth] as number
  }

  /** @param seconds seconds after local midnight. Can exceed one day. */
  at(nth: number, seconds: number): number {
    const on = nth + Math.floor(seconds / DAY)
    const [begin, end] = [this.#starts[on], this.#starts[on + 1]]
    // Fast path for days without a clock change.
    if (begin !== undefined && end === begin + DAY) return begin + (seconds % DAY)
    return atSecond(this.days[nth] as DateTime, seconds).toUnixInteger()
  }
}

/** @param seconds seconds after the local midnight of `day`. Can exceed one day. */
function atSecond(day: DateTime, seconds: number): DateTime {
  const rest = seconds % DAY
  return day
    .plus({ days: Math.floor(seconds / DAY) })
    .set({ hour: Math.floor(rest / 3600), minute: Math.floor(rest / 60) % 60, second: rest % 60 })
}
