import type { Int64 } from '../../platform/wire/int64.ts'
import { Anything, Id, Nullable, ObjectId, OneOf, Optional, type Static, Type } from '../../platform/wire/schema.ts'

const CLOCK_TIME = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
const ChannelNames = Type.Array(Type.String({ minLength: 1 }))

const Webhook = Type.Object({ type: Type.String({ minLength: 1 }), settings: Anything })

const Target = Optional({
  person_ids: Type.Array(Id),
  team_ids: Type.Array(Id),
  /** Schedule id → role ids. */
  schedule_to_role_ids: Type.Unsafe<Record<string, (number | bigint)[]>>({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'integer', format: 'int64' } },
  }),
  emails: Type.Array(Type.String({ format: 'email' })),
  by: Nullable(
    Optional({ follow_preference: Type.Boolean(), critical: ChannelNames, warning: ChannelNames, info: ChannelNames }),
  ),
  webhooks: Nullable(Type.Array(Webhook)),
})

const Layer = Type.Object({
  max_times: Type.Optional(Type.Integer({ minimum: 0, maximum: 6 })),
  /** Minutes between two notifications. */
  notify_step: Type.Optional(Type.Number({ minimum: 0.5, maximum: 120 })),
  target: Target,
  /** Minutes before the next layer. */
  escalate_window: Type.Optional(Type.Integer({ minimum: 0, maximum: 720 })),
  force_escalate: Type.Optional(Type.Boolean()),
})

/** A recurring window: from `start` to `end` on the weekdays in `repeat`; 0 is Sunday. */
const TimeFilter = Optional({
  start: Type.String({ pattern: CLOCK_TIME }),
  end: Type.String({ pattern: CLOCK_TIME }),
  repeat: Type.Array(Type.Integer({ minimum: 0, maximum: 6 })),
  cal_id: Type.String(),
  is_off: Type.Boolean(),
})

const Condition = Type.Object({
  key: Type.String({ minLength: 1 }),
  oper: OneOf(['IN', 'NOTIN']),
  /** A value between slashes is a regular expression. */
  vals: Type.Array(Type.String()),
})

const settings = {
  priority: Type.Integer(),
  /** In seconds; 0 sends at once. */
  aggr_window: Type.Integer({ minimum: 0 }),
  description: Type.String({ maxLength: 500 }),
  time_filters: Type.Array(TimeFilter),
  /** Matches if all conditions of any group are true. */
  filters: Type.Array(Type.Array(Condition)),
}

const identity = {
  channel_id: Id,
  rule_id: ObjectId,
  template_id: ObjectId,
  rule_name: Type.String({ minLength: 1, maxLength: 39 }),
  layers: Type.Array(Layer, { minItems: 1 }),
}

export const EscalationRuleUpdate = Type.Extended(Optional(settings), identity)

const { rule_id: _, ...creatable } = identity
export const EscalationRuleCreate = Type.Extended(Optional(settings), creatable)

/** The only layer of a channel's first rule. */
export const FirstEscalationRule = Type.Object({
  template_id: ObjectId,
  target: Target,
  aggr_window: Type.Optional(Type.Integer({ minimum: 0, maximum: 3600 })),
})

export const SeededEscalationRule = Type.Extended(EscalationRuleUpdate, {
  status: Type.Optional(OneOf(['enabled', 'disabled'])),
})

export type EscalationRuleUpdate = Static<typeof EscalationRuleUpdate>
export type EscalationRuleCreate = Static<typeof EscalationRuleCreate>
/** A rule as stored and as answered. */
export interface EscalationRuleItem extends Required<EscalationRuleUpdate> {
  account_id: Int64
  status: 'enabled' | 'disabled'
  updated_by: Int64
  created_at: number
  updated_at: number
}
export type SeededEscalationRule = Static<typeof SeededEscalationRule>
