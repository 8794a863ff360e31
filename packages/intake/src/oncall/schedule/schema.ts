import Type, { type Static } from 'typebox'
import { Id, Instant, Nullable, OneOf, Optional, PositiveId } from '../../platform/wire/schema.ts'

// Times are Unix seconds, lengths seconds. Source of the shapes: the contract's ScheduleItem.

const Member = Type.Object({ role_id: Id, person_ids: Type.Array(Id) })
const Group = Type.Object({
  group_name: Type.String(),
  name: Type.String(),
  members: Nullable(Type.Array(Member)),
  start: Instant,
  end: Instant,
})
const RestrictPeriod = Type.Object({ restrict_start: Instant, restrict_end: Instant })
const rotation = {
  /** 0 rotates, 1 overrides the layers that rotate. */
  mode: Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] }),
  /** Of two layers at one time the heavier is on call. */
  weight: Type.Integer(),
  hidden: Type.Integer(),
  rotation_unit: OneOf(['hour', 'day', 'week', 'month']),
  rotation_value: Type.Integer({ format: 'int64', minimum: 1, maximum: 10_000 }),
  /** Seconds after local midnight at which a turn of days, weeks or months ends. */
  handoff_time: Type.Integer({ format: 'int64', minimum: 0, maximum: 86_399 }),
  /** 0: at once. */
  enable_time: Instant,
  /** 0: never. */
  expire_time: Instant,
  /** 0 always, 1 by the day (seconds after local midnight), 2 by the week (seconds after Monday's). */
  restrict_mode: Type.Unsafe<0 | 1 | 2>({ type: 'integer', enum: [0, 1, 2] }),
  restrict_start: Instant,
  restrict_end: Instant,
  /** In place of `restrict_start` and `restrict_end` where there are several. */
  restrict_periods: Nullable(Type.Array(RestrictPeriod, { maxItems: 50 })),
  /** Weekdays that the layer covers, 0 is Sunday; none means all. */
  day_mask: Optional({ repeat: Type.Array(Type.Integer({ minimum: 0, maximum: 6 })) }),
  fair_rotation: Type.Boolean(),
  mask_continuous_enabled: Type.Boolean(),
}
const Layer = Type.Object({
  ...rotation,
  account_id: Id,
  name: Type.String(),
  layer_name: Type.String(),
  schedule_id: Id,
  groups: Nullable(Type.Array(Group)),
  rotation_duration: Instant,
  create_at: Instant,
  create_by: Id,
  update_at: Instant,
  update_by: Id,
  layer_start: Instant,
  layer_end: Nullable(Type.Integer()),
})
export const CalculatedTurn = Type.Object({ start: Instant, end: Instant, group: Group, index: Type.Integer() })
const CalculatedLayer = Type.Object({
  layer_name: Type.String(),
  name: Type.String(),
  mode: Type.Integer(),
  schedules: Nullable(Type.Array(CalculatedTurn)),
})
const Oncall = Type.Object({
  start: Instant,
  end: Instant,
  group: Group,
  update_at: Instant,
  weight: Type.Integer(),
  index: Type.Integer(),
})
const Webhook = Type.Object({
  type: Type.String(),
  settings: Type.Object({
    token: Type.String(),
    alias: Type.String(),
    data_source_id: Id,
    chat_ids: Type.Array(Type.String()),
    verify_token: Type.String(),
    sign_secret: Type.String(),
  }),
})
const By = Type.Object({ follow_preference: Type.Boolean(), personal_channels: Type.Array(Type.String()) })
const FixedTime = Type.Object({ cycle: Type.String(), start: Type.String() })

export const ScheduleItem = Type.Object({
  id: Id,
  schedule_id: Id,
  name: Type.String(),
  schedule_name: Type.String(),
  account_id: Id,
  group_id: Id,
  team_id: Id,
  disabled: Type.Integer(),
  status: Type.Integer(),
  description: Type.String(),
  create_at: Instant,
  create_by: Id,
  update_at: Instant,
  update_by: Id,
  layers: Nullable(Type.Array(Layer)),
  schedule_layers: Nullable(Type.Array(CalculatedLayer)),
  layer_schedules: Nullable(Type.Array(CalculatedLayer)),
  final_schedule: CalculatedLayer,
  cur_oncall: Nullable(Oncall),
  next_oncall: Nullable(Oncall),
  /** The span that the turns were computed for. */
  start: Instant,
  end: Instant,
  notify: Type.Object({
    advance_in_time: Instant,
    fixed_time: Nullable(FixedTime),
    by: By,
    webhooks: Nullable(Type.Array(Webhook)),
  }),
})

/** What does not grow with its turns. */
export const ScheduleHead = Type.Omit(ScheduleItem, ['schedule_layers', 'layer_schedules', 'final_schedule'])

const SeededLayer = Type.Interface([Optional(rotation)], {
  layer_name: Type.String(),
  /** The first turn begins here. */
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
  fixed_time: Optional({ ...FixedTime.properties }),
  by: Optional({ ...By.properties }),
  webhooks: Type.Array(
    Type.Object({
      type: Type.String(),
      settings: Optional({ ...Webhook.properties.settings.properties }),
    }),
  ),
})

const shared = {
  team_id: Id,
  disabled: Type.Integer(),
  status: Type.Integer(),
  /** IANA name; default: the account's. */
  timezone: Type.String(),
  notify: Notify,
}

export const SeededSchedule = Type.Interface([Optional(shared)], {
  schedule_id: PositiveId,
  schedule_name: Type.String(),
  description: Type.Optional(Type.String()),
  create_at: Type.Optional(Instant),
  create_by: Type.Optional(Id),
  update_at: Type.Optional(Instant),
  update_by: Type.Optional(Id),
  layers: Type.Optional(Type.Array(SeededLayer)),
})

/** What a caller may set. */
export const ScheduleSettings = Optional({
  ...shared,
  schedule_name: Type.String({ maxLength: 40 }),
  /** As `schedule_name`. */
  name: Type.String({ maxLength: 40 }),
  description: Type.String({ maxLength: 500 }),
  layers: Type.Array(
    Type.Interface([Optional({ ...rotation, layer_name: Type.String(), name: Type.String(), layer_end: Instant })], {
      layer_start: Instant,
      groups: SeededLayer.properties.groups,
    }),
    { maxItems: 100 },
  ),
})

export type ScheduleHead = Static<typeof ScheduleHead>
export type ScheduleLayer = Static<typeof Layer>
export type ScheduleGroup = Static<typeof Group>
export type Oncall = Static<typeof Oncall>
export type SeededSchedule = Static<typeof SeededSchedule>
export type SeededLayer = Static<typeof SeededLayer>
