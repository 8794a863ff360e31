import type { Account } from '../../platform/accounts/directory.ts'
import type { ScheduleHead, ScheduleLayer, SeededLayer, SeededSchedule } from './schema.ts'
import { type Calculated, groupOf, orNull, rotationSeconds } from './who-is-on-call.ts'

/** A schedule as it is answered, without its turns. */
export function toHead(schedule: SeededSchedule, account: Account, calculated: Calculated): ScheduleHead {
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

type Own = Omit<ScheduleLayer, 'account_id' | 'schedule_id' | 'create_at' | 'create_by' | 'update_at' | 'update_by'>

function toLayer(layer: SeededLayer): Own {
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
