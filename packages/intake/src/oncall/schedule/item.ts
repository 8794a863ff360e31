import type { Account } from '../../platform/accounts/directory.ts'
import { ApiError } from '../../platform/errors.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'
import { inPieces } from '../../platform/yielding.ts'
import type { SeededLayer, SeededSchedule } from './schema.ts'
import type { Span } from './spans.ts'
import {
  type Calculated,
  calculate,
  type FinalTurn,
  groupOf,
  orNull,
  rotationSeconds,
  shown,
} from './who-is-on-call.ts'

function toHead(schedule: SeededSchedule, account: Account, calculated: Calculated) {
  const { schedule_id, schedule_name, team_id = 0, description = '', disabled = 0, status = 0, layers = [] } = schedule
  const { create_at = 0, create_by = 0, update_at = create_at, update_by = create_by, notify } = schedule
  const { span, current, next } = calculated
  const written = { create_at, create_by, update_at, update_by }
  return {
    id: schedule_id,
    schedule_id,
    name: schedule_name,
    schedule_name,
    account_id: account.id,
    group_id: team_id,
    team_id,
    disabled,
    status,
    description,
    ...written,
    layers: orNull(layers.map((layer) => ({ ...toLayer(layer), ...written, account_id: account.id, schedule_id }))),
    cur_oncall: current,
    next_oncall: next,
    ...span,
    notify: {
      advance_in_time: notify?.advance_in_time ?? 0,
      fixed_time: notify?.fixed_time ? { cycle: '', start: '', ...notify.fixed_time } : null,
      by: { follow_preference: false, personal_channels: [], ...notify?.by },
      webhooks: orNull((notify?.webhooks ?? []).map(toWebhook)),
    },
  }
}

function toLayer(layer: SeededLayer) {
  const { layer_start, layer_end = null, layer_name } = layer
  return {
    mode: 0,
    weight: 0,
    hidden: 0,
    rotation_unit: 'day',
    rotation_value: 1,
    handoff_time: 0,
    enable_time: 0,
    expire_time: 0,
    restrict_mode: 0,
    restrict_start: 0,
    restrict_end: 0,
    restrict_periods: null,
    day_mask: { repeat: [] },
    fair_rotation: false,
    mask_continuous_enabled: false,
    ...layer,
    layer_end,
    name: layer_name,
    rotation_duration: rotationSeconds(layer),
    groups: orNull(layer.groups.map((_, index) => groupOf(layer, index, { start: layer_start, end: layer_end ?? 0 }))),
  }
}

type SeededWebhook = NonNullable<NonNullable<SeededSchedule['notify']>['webhooks']>[number]

function toWebhook({ type, settings: { data_source_id = 0, chat_ids = [], alias = '' } }: SeededWebhook) {
  return { type, settings: { token: '', alias, data_source_id, chat_ids, verify_token: '', sign_secret: '' } }
}

/** Maximum number of characters for the turns in a response. One year of hourly turns takes up three million characters. */
const MAX_LENGTH = 8 * 1024 * 1024

export interface Answering {
  account: Account
  /** Unix time in seconds. */
  now: number
  /** Time span for which turns are computed. Default: a week from now or the length of two turns, whichever is longer. */
  span?: Span | undefined
}

/** @throws ApiError if the response would be too long. */
export async function itemsOf(schedules: Iterable<SeededSchedule>, answering: Answering) {
  const room = { left: MAX_LENGTH }
  const items: unknown[] = []
  for (const schedule of schedules) items.push(await itemOf(schedule, answering, room))
  return items
}

export async function itemOf(
  schedule: SeededSchedule,
  { account, now, span }: Answering,
  room = { left: MAX_LENGTH },
): Promise<object> {
  const calculated = await inPieces(calculate(schedule, schedule.timezone ?? account.timezone, now, span))
  const withGroups = (turns: readonly FinalTurn[], copies: number) =>
    orNull(
      turns.map((turn) => {
        const whole = shown(turn)
        room.left -= copies * stringifyJson(whole).length
        if (room.left < 0) throw tooMany()
        return whole
      }),
    )
  const layers = orNull(
    [...calculated.turns].map(([layer, turns]) => {
      const { layer_name, mode = 0 } = layer
      const own = turns.map((turn) => ({ ...turn, layer }))
      return { layer_name, name: layer_name, mode, schedules: withGroups(own, 2) }
    }),
  )
  return {
    ...toHead(schedule, account, calculated),
    schedule_layers: layers,
    layer_schedules: layers,
    final_schedule: { layer_name: '', name: '', mode: 0, schedules: withGroups(calculated.final, 1) },
  }
}

function tooMany(): ApiError {
  return new ApiError('EntityTooLarge', {
    en: 'The schedules have too many shifts for one response. Request fewer schedules, or a shorter period (start, end).',
    zh: '轮班数超过单次响应的上限。请减少值班表数量，或用 start 和 end 缩短时间范围。',
  })
}
