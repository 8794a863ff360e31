import { contracted } from '../../platform/wire/contract.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, Instant, Nullable, OneOf, Optional, PositiveId, type Static, Type } from '../../platform/wire/schema.ts'

// All times and durations are in seconds. Times are Unix timestamps. Source of the fields: ScheduleItem in the contract.

export interface ScheduleGroup {
  group_name: string
  name: string
  members: { role_id: Int64; person_ids: Int64[] }[]
  start: number
  end: number
}

/** Seconds after midnight. The maximum is two weeks, because calendar calculations with later times are slow. */
const Offset = Type.Integer({ format: 'int64', minimum: 0, maximum: 14 * 86_400 })
const RestrictPeriod = Type.Object({ restrict_start: Offset, restrict_end: Offset })
const rotation = {
  /** 0 for a rotation; 1 for an override of other layers. */
  mode: Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] }),
  /** If layers overlap, the layer with the highest weight applies. */
  weight: Type.Integer(),
  hidden: Type.Integer(),
  rotation_unit: OneOf(['hour', 'day', 'week', 'month']),
  rotation_value: Type.Integer({ format: 'int64', minimum: 1, maximum: 10_000 }),
  /** Time at which daily, weekly and monthly turns end, in seconds after local midnight. */
  handoff_time: Type.Integer({ format: 'int64', minimum: 0, maximum: 86_399 }),
  /** 0 enables the layer immediately. */
  enable_time: Instant,
  /** 0 if the layer never expires. */
  expire_time: Instant,
  /** 0: always. 1: daily, with times in seconds after local midnight. 2: weekly, with times in seconds after midnight on Monday. */
  restrict_mode: Type.Unsafe<0 | 1 | 2>({ type: 'integer', enum: [0, 1, 2] }),
  restrict_start: Offset,
  restrict_end: Offset,
  /** Used instead of `restrict_start` and `restrict_end` if the layer has several periods. */
  restrict_periods: Nullable(Type.Array(RestrictPeriod, { maxItems: 50 })),
  /** Weekdays that the layer covers. 0 is Sunday. An empty list means every day. */
  day_mask: Optional({ repeat: Type.Array(Type.Integer({ minimum: 0, maximum: 6 })) }),
  fair_rotation: Type.Boolean(),
  mask_continuous_enabled: Type.Boolean(),
}
const SeededLayer = Type.Extended(Optional(rotation), {
  layer_name: Type.String(),
  /** Start of the first turn. */
  layer_start: Instant,
  layer_end: Type.Optional(Instant),
  groups: Type.Array(
    Type.Object({
      group_name: Type.String(),
      members: Type.Array(Type.Object({ role_id: Type.Optional(Id), person_ids: Type.Array(Id) })),
    }),
  ),
})

const Notify = Optional({
  advance_in_time: Instant,
  fixed_time: Optional({ cycle: Type.String(), start: Type.String() }),
  by: Optional({ follow_preference: Type.Boolean(), personal_channels: Type.Array(Type.String()) }),
  webhooks: Type.Array(
    Type.Object({
      type: Type.String(),
      settings: Optional({
        token: Type.String(),
        alias: Type.String(),
        data_source_id: Id,
        chat_ids: Type.Array(Type.String()),
        verify_token: Type.String(),
        sign_secret: Type.String(),
      }),
    }),
  ),
})

const shared = {
  team_id: Id,
  disabled: Type.Integer(),
  status: Type.Integer(),
  /** IANA time zone name. Default: the account's time zone. */
  timezone: Type.String({ format: 'timezone' }),
  notify: Notify,
}

export const SeededSchedule = Type.Extended(Optional(shared), {
  schedule_id: PositiveId,
  schedule_name: Type.String(),
  description: Type.Optional(Type.String()),
  create_at: Type.Optional(Instant),
  create_by: Type.Optional(Id),
  update_at: Type.Optional(Instant),
  update_by: Type.Optional(Id),
  layers: Type.Optional(Type.Array(SeededLayer)),
})

export const ScheduleSettings = Optional({
  ...shared,
  schedule_name: Type.String({ maxLength: 40 }),
  /** Alternative to `schedule_name`. */
  name: Type.String({ maxLength: 40 }),
  description: Type.String({ maxLength: 500 }),
  layers: Type.Array(
    Type.Extended(Optional({ ...rotation, layer_name: Type.String(), name: Type.String(), layer_end: Instant }), {
      layer_start: Instant,
      groups: SeededLayer.properties.groups,
    }),
    { maxItems: 100 },
  ),
})

export interface Oncall {
  start: number
  end: number
  group: ScheduleGroup
  update_at: number
  weight: number
  index: number
}

export const ScheduleItem = contracted('ScheduleItem')

export type SeededSchedule = Static<typeof SeededSchedule>
export type SeededLayer = Static<typeof SeededLayer>
