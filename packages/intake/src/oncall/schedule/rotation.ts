import { DateTime } from 'luxon'
import type { SeededLayer } from './schema.ts'
import { intersect, joinNeighbours, type Span } from './spans.ts'

/** A span of time, in Unix seconds, in which one group of a layer is on call. */
export interface Turn extends Span {
  /** Place of the group in its layer. */
  index: number
}

const DAY = 86_400
export const UNIT_SECONDS = { hour: 3600, day: DAY, week: 7 * DAY, month: 30 * DAY } as const

/**
 * Who is on call in a layer, as far as its turns touch `span`. A turn keeps its own start and end.
 *
 * Turns of hours are exact hours after the layer's start; turns of days, weeks and months change at `handoff_time` on the wall clock,
 * whatever daylight saving does to the length of the day.
 */
export function turnsOf(layer: SeededLayer, timezone: string, span: Span): Turn[] {
  const life = {
    start: Math.max(layer.layer_start, layer.enable_time ?? 0),
    end: Math.min(layer.layer_end || Infinity, layer.expire_time || Infinity),
  }
  const turns = intersect(rotate(layer, timezone, span), [life])
  const covered = coverage(layer, timezone, span)
  const found = covered ? intersect(turns, covered) : turns
  return joinNeighbours(
    found.filter(({ start, end }) => end > span.start && start < span.end),
    (a, b) => a.index === b.index,
  )
}

function rotate(layer: SeededLayer, timezone: string, span: Span): Turn[] {
  const { groups, rotation_unit: unit = 'day', rotation_value: value = 1, layer_start } = layer
  if (groups.length === 0) return []
  const start = DateTime.fromSeconds(layer_start, { zone: timezone })
  const handoff = layer.handoff_time ?? 0
  const first = unit === 'hour' ? start : lastHandoff(start, handoff)
  const units = `${unit}s` as const
  // The first handoff may have been moved, by a clock that went forward at that time; the others are not.
  const startOf = (nth: number) => {
    const moment = first.plus({ [units]: nth * value })
    return (unit === 'hour' ? moment : atSecond(moment.startOf('day'), handoff)).toUnixInteger()
  }
  const passed = DateTime.fromSeconds(span.start, { zone: timezone }).diff(first, units).as(units)
  const turns: Turn[] = []
  for (let nth = Math.max(0, Math.floor(passed / value)); ; nth++) {
    const from = startOf(nth)
    if (from >= span.end) return turns
    const to = startOf(nth + 1)
    if (to > span.start) turns.push({ start: from, end: to, index: nth % groups.length })
  }
}

function lastHandoff(start: DateTime, handoff: number): DateTime {
  const sameDay = atSecond(start.startOf('day'), handoff)
  return sameDay <= start ? sameDay : atSecond(start.startOf('day').minus({ days: 1 }), handoff)
}

/** When the layer covers at all; undefined for always. */
function coverage(layer: SeededLayer, timezone: string, span: Span): Span[] | undefined {
  const { restrict_mode: mode = 0, restrict_periods, day_mask } = layer
  const { restrict_start = 0, restrict_end = 0 } = layer
  const periods = restrict_periods?.length ? restrict_periods : [{ restrict_start, restrict_end }]
  const days = everyDay(timezone, span)
  const weekdays = day_mask?.repeat?.length
    ? days.filter((day) => day_mask.repeat?.includes(day.weekday % 7)).map((day) => wholeDay(day))
    : undefined
  if (mode === 0) return weekdays
  const length = mode === 1 ? DAY : 7 * DAY
  const anchors = mode === 1 ? days : days.filter(({ weekday }) => weekday === 1)
  const windows = anchors.flatMap((anchor) =>
    periods.map(({ restrict_start: from, restrict_end: to }) => ({
      start: atSecond(anchor, from).toUnixInteger(),
      // A window that ends before it starts ends the next day, or week.
      end: atSecond(anchor, to > from ? to : to + length).toUnixInteger(),
    })),
  )
  windows.sort((a, b) => a.start - b.start)
  const apart = joinNeighbours(windows, () => true)
  return weekdays ? intersect(apart, weekdays) : apart
}

/** Midnights from a week before the span to its end, so that a window which began earlier is there. */
function everyDay(timezone: string, { start, end }: Span): DateTime[] {
  const days: DateTime[] = []
  const first = DateTime.fromSeconds(start, { zone: timezone }).startOf('day').minus({ days: 8 })
  for (let nth = 0; ; nth++) {
    // Not the clock time of the first: where the clock goes forward at midnight, that day begins at 01:00.
    const day = first.plus({ days: nth }).startOf('day')
    if (day.toUnixInteger() >= end) return days
    days.push(day)
  }
}

function wholeDay(day: DateTime): Span {
  return { start: day.toUnixInteger(), end: day.plus({ days: 1 }).startOf('day').toUnixInteger() }
}

/** @param seconds on the wall clock, after the midnight of `day`; may reach into later days. */
function atSecond(day: DateTime, seconds: number): DateTime {
  const rest = seconds % DAY
  return day
    .plus({ days: Math.floor(seconds / DAY) })
    .set({ hour: Math.floor(rest / 3600), minute: Math.floor(rest / 60) % 60, second: rest % 60 })
}
