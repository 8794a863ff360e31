import type { Steps } from '@symup/core/resolving'
import type { Account } from '../../platform/accounts/directory.ts'
import { ApiError } from '../../platform/errors.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'
import { inPieces } from '../../platform/yielding.ts'
import type { Turn } from './rotation.ts'
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

/** Maximum number of characters in one answer. A year of hourly turns takes three million. */
const MAX_LENGTH = 64 * 1024 * 1024
const TURNS_A_PIECE = 64

export interface Answering {
  account: Account
  /** Time in Unix seconds. */
  now: number
  /** Time span for which turns are computed. Default: a week from now, or two turns if a turn is longer. */
  span?: Span | undefined
}

/**
 * Converts schedules to JSON. A schedule may have thousands of turns, so they are computed and written in pieces, and other requests run in
 * between.
 * @throws ApiError if the answer would be too long.
 */
export async function itemsJson(schedules: Iterable<SeededSchedule>, answering: Answering): Promise<string[]> {
  return inPieces(writingAll(schedules, answering))
}

export async function itemJson(schedule: SeededSchedule, answering: Answering): Promise<string[]> {
  return inPieces(writing(schedule, answering, MAX_LENGTH))
}

function* writingAll(schedules: Iterable<SeededSchedule>, answering: Answering): Steps<string[]> {
  const pieces: string[] = []
  let left = MAX_LENGTH
  for (const schedule of schedules) {
    const item = yield* writing(schedule, answering, left)
    for (const piece of item) left -= piece.length
    pieces.push(pieces.length === 0 ? '[' : ',', ...item)
    yield
  }
  return pieces.length === 0 ? ['[]'] : [...pieces, ']']
}

function* writing(schedule: SeededSchedule, { account, now, span }: Answering, left: number): Steps<string[]> {
  const calculated = yield* calculate(schedule, schedule.timezone ?? account.timezone, now, span)
  let room = left
  const turnsJson = function* (
    turns: readonly Turn[],
    layerOf: (turn: Turn) => SeededLayer,
    copies: number,
  ): Steps<string[]> {
    if (turns.length === 0) return ['null']
    const pieces: string[] = ['[']
    for (let from = 0; from < turns.length; from += TURNS_A_PIECE) {
      const some = turns.slice(from, from + TURNS_A_PIECE)
      const piece = some.map((turn) => stringifyJson(shown({ ...turn, layer: layerOf(turn) }))).join()
      room -= copies * (piece.length + 1)
      if (room < 0) throw tooMany()
      pieces.push(from === 0 ? piece : `,${piece}`)
      yield
    }
    return [...pieces, ']']
  }
  const layers: string[] = []
  for (const [layer, turns] of calculated.turns) {
    const name = JSON.stringify(layer.layer_name)
    layers.push(layers.length === 0 ? '[' : ',')
    layers.push(`{"layer_name":${name},"name":${name},"mode":${layer.mode ?? 0},"schedules":`)
    layers.push(...(yield* turnsJson(turns, () => layer, 2)), '}')
  }
  const all = layers.length > 0 ? [...layers, ']'] : ['null']
  const final = yield* turnsJson(calculated.final, (turn) => (turn as FinalTurn).layer, 1)
  const head = stringifyJson(toHead(schedule, account, calculated))
  return [
    `${head.slice(0, -1)},"schedule_layers":`,
    ...all,
    ',"layer_schedules":',
    ...all,
    ',"final_schedule":{"layer_name":"","name":"","mode":0,"schedules":',
    ...final,
    '}}',
  ]
}

function tooMany(): ApiError {
  return new ApiError('EntityTooLarge', {
    en: 'The schedules have too many shifts for one response. Request fewer schedules, or a shorter period (start, end).',
    zh: '轮班数超过单次响应的上限。请减少值班表数量，或用 start 和 end 缩短时间范围。',
  })
}
