import type { Steps } from '../../platform/yielding.ts'
import { Calendar, type Turn, turnsOf, UNIT_SECONDS } from './rotation.ts'
import type { Oncall, ScheduleGroup, SeededLayer, SeededSchedule } from './schema.ts'
import { mergeAdjacent, type Span, subtract } from './spans.ts'

const MIN_SPAN = 7 * 86_400
const MAX_SPAN = 366 * 86_400

export interface Calculated {
  span: Span
  turns: ReadonlyMap<SeededLayer, readonly Turn[]>
  final: readonly FinalTurn[]
  current: Oncall | null
  next: Oncall | null
}

type Turns = Map<SeededLayer, readonly Turn[]>

export interface FinalTurn extends Turn {
  layer: SeededLayer
}

/**
 * Calculates who is on call from `now` (Unix time in seconds). Overrides take precedence over rotations, then higher weights over lower
 * weights, then earlier layers over later layers. Hidden layers are ignored. If the schedule is disabled, nobody is on call. The generator
 * yields between layers, so that other requests can run.
 * @param wanted time span for which turns are computed. Default: a week or the length of two turns, whichever is longer.
 */
export function* calculate(schedule: SeededSchedule, timezone: string, now: number, wanted?: Span): Steps<Calculated> {
  const seeded = schedule.layers ?? []
  const longest = Math.max(0, ...seeded.map(rotationSeconds))
  const ahead = { start: now, end: now + Math.min(Math.max(MIN_SPAN, 2 * longest), MAX_SPAN) }
  const span = wanted ?? ahead
  const turnsIn = function* (of: Span): Steps<Turns> {
    const calendar = new Calendar(timezone, of)
    const found: Turns = new Map()
    for (const layer of seeded) {
      found.set(layer, turnsOf(layer, timezone, of, calendar))
      yield
    }
    return found
  }
  const turns = yield* turnsIn(span)
  const final = schedule.disabled ? [] : yield* merge(turns)
  // The current and next turns must not depend on the time span in the request.
  const soon = wanted && !schedule.disabled ? yield* merge(yield* turnsIn(ahead)) : final
  const current = soon.find(({ start, end }) => start <= now && now < end)
  const next = soon.find(({ start }) => start > now)
  const oncall = (turn: FinalTurn | undefined): Oncall | null =>
    turn ? { ...shown(turn), update_at: schedule.update_at ?? 0, weight: turn.layer.weight ?? 0 } : null
  return { span, turns, final, current: oncall(current), next: oncall(next) }
}

/** Returns the length of a turn in seconds. A month counts as 30 days. */
export function rotationSeconds({ rotation_unit = 'day', rotation_value = 1 }: SeededLayer): number {
  return UNIT_SECONDS[rotation_unit] * rotation_value
}

function* merge(turns: ReadonlyMap<SeededLayer, readonly Turn[]>): Steps<FinalTurn[]> {
  const ranked = [...turns.keys()]
    .filter(({ hidden }) => !hidden)
    .sort((a, b) => (b.mode ?? 0) - (a.mode ?? 0) || (b.weight ?? 0) - (a.weight ?? 0))
  let final: FinalTurn[] = []
  for (const layer of ranked) {
    const own = (turns.get(layer) ?? []).map((turn) => ({ ...turn, layer }))
    final = [...final, ...subtract(own, final)].sort((a, b) => a.start - b.start)
    yield
  }
  return mergeAdjacent(final, (a, b) => a.layer === b.layer && a.index === b.index)
}

export function shown({ start, end, index, layer }: FinalTurn) {
  return { start, end, index, group: groupOf(layer, index, { start, end }) }
}

export function groupOf(layer: SeededLayer, index: number, { start, end }: Span): ScheduleGroup {
  const { group_name = '', members = [] } = layer.groups[index] ?? {}
  return {
    group_name,
    name: group_name,
    members: members.map(({ role_id = 0, person_ids }) => ({ role_id, person_ids })),
    start,
    end,
  }
}

export function orNull<T>(items: T[]): T[] | null {
  return items.length > 0 ? items : null
}
