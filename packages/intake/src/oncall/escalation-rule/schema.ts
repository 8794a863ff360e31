import { contracted } from '../../platform/wire/contract.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, ObjectId, OneOf, Optional, type Static, Type } from '../../platform/wire/schema.ts'

const NonEmpty = Type.String({ minLength: 1 })
const ClockTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })

interface EscalationTarget {
  person_ids?: Int64[]
  team_ids?: Int64[]
  /** Role ids by schedule id. */
  schedule_to_role_ids?: Record<string, Int64[]>
  emails?: string[]
  by?: { follow_preference?: boolean; critical?: string[]; warning?: string[]; info?: string[] } | null
  webhooks?: { type: string; settings: Record<string, unknown> }[] | null
}

export interface EscalationLayer {
  max_times?: number
  notify_step?: number
  target: EscalationTarget
  escalate_window?: number
  force_escalate?: boolean
}

/** Recurring time window on the weekdays in `repeat`. 0 is Sunday. */
const TimeFilter = contracted<object>('TimeFilter', {
  start: ClockTime,
  end: ClockTime,
  repeat: Type.Array(Type.Integer({ minimum: 0, maximum: 6 })),
})
const Condition = contracted<{ key: string; oper: 'IN' | 'NOTIN'; vals: string[] }>('FilterCondition', {
  key: NonEmpty,
})

const settings = {
  priority: Type.Integer(),
  /** In seconds; 0 sends notifications immediately. */
  aggr_window: Type.Integer({ minimum: 0 }),
  description: Type.String({ maxLength: 500 }),
  time_filters: Type.Array(TimeFilter),
  /** The filters match if all conditions in at least one group are true. */
  filters: Type.Array(Type.Array(Condition)),
}

const identity = {
  channel_id: Id,
  rule_id: ObjectId,
  template_id: ObjectId,
  rule_name: Type.String({ minLength: 1, maxLength: 39 }),
  layers: Type.Array(contracted<EscalationLayer>('EscalateLayer'), { minItems: 1 }),
}

export const EscalationRuleUpdate = Type.Extended(Optional(settings), identity)

const { rule_id: _, ...creatable } = identity
export const EscalationRuleCreate = Type.Extended(Optional(settings), creatable)

export const FirstEscalationRule = Type.Object({
  template_id: ObjectId,
  target: contracted<EscalationTarget>('EscalateTarget'),
  aggr_window: Type.Optional(Type.Integer({ minimum: 0, maximum: 3600 })),
})

export const SeededEscalationRule = Type.Extended(EscalationRuleUpdate, {
  status: Type.Optional(OneOf(['enabled', 'disabled'])),
})

export type EscalationRuleUpdate = Static<typeof EscalationRuleUpdate>
export type EscalationRuleCreate = Static<typeof EscalationRuleCreate>
export interface EscalationRuleItem extends Required<EscalationRuleUpdate> {
  account_id: Int64
  status: 'enabled' | 'disabled'
  updated_by: Int64
  created_at: number
  updated_at: number
}
export type SeededEscalationRule = Static<typeof SeededEscalationRule>
