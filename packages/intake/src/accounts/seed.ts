import Type, { type Static } from 'typebox'
import { SeededAutomationRule } from '../resources/automation-rule.ts'
import { SeededChannel } from '../resources/channel.ts'
import { SeededDatasource } from '../resources/datasource.ts'
import { SeededEscalationRule } from '../resources/escalation-rule.ts'
import { SeededSchedule } from '../resources/schedule.ts'
import { OneOf, PositiveId } from '../wire/schema.ts'
import { PermissionName } from './permissions.ts'

const Key = Type.String({ minLength: 8, maxLength: 200 })

export const SeededMember = Type.Object({
  person_id: PositiveId,
  name: Type.String({ minLength: 1 }),
  role: OneOf(['owner', 'admin', 'member']),
  team_ids: Type.Optional(Type.Array(PositiveId)),
})

export const SeededAccount = Type.Object({
  /** Below 2^53. */
  account_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  name: Type.String({ minLength: 1 }),
  /** IANA name, for schedules that name none. Default UTC. */
  timezone: Type.Optional(Type.String()),
  /** Older records are neither found nor kept. Default 30. */
  audit_retention_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  teams: Type.Optional(Type.Array(Type.Object({ team_id: PositiveId, name: Type.String({ minLength: 1 }) }))),
  members: Type.Array(SeededMember, { minItems: 1 }),
  /** Keys of the JSON operations; each acts as the member it belongs to. */
  app_keys: Type.Optional(
    Type.Array(Type.Object({ key: Key, person_id: PositiveId, permissions: Type.Array(PermissionName) })),
  ),
  /** Keys that may upload. */
  upload_keys: Type.Optional(Type.Array(Key)),
  channels: Type.Optional(Type.Array(SeededChannel)),
  schedules: Type.Optional(Type.Array(SeededSchedule)),
  datasources: Type.Optional(Type.Array(SeededDatasource)),
  escalation_rules: Type.Optional(Type.Array(SeededEscalationRule)),
  automation_rules: Type.Optional(Type.Array(SeededAutomationRule)),
})

/** What an intake knows when it starts. */
export const Seed = Type.Object({ accounts: Type.Array(SeededAccount, { minItems: 1 }) })

export type Seed = Static<typeof Seed>
export type SeededAccount = Static<typeof SeededAccount>
export type SeededMember = Static<typeof SeededMember>
