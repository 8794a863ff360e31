import { seededAccount } from '../../platform/accounts/seeded-account.ts'
import { type Static, Type } from '../../platform/wire/schema.ts'
import { SeededAutomationRule } from '../automation-rule/schema.ts'
import { SeededChannel } from '../channel/schema.ts'
import { SeededDatasource } from '../datasource/schema.ts'
import { SeededEscalationRule } from '../escalation-rule/schema.ts'
import { SeededIncident } from '../incident/schema.ts'
import { SeededSchedule } from '../schedule/schema.ts'

export const Seed = Type.Object({
  accounts: Type.Array(
    Type.Object({
      ...seededAccount,
      channels: Type.Optional(Type.Array(SeededChannel)),
      schedules: Type.Optional(Type.Array(SeededSchedule)),
      datasources: Type.Optional(Type.Array(SeededDatasource)),
      escalation_rules: Type.Optional(Type.Array(SeededEscalationRule)),
      incidents: Type.Optional(Type.Array(SeededIncident)),
      automation_rules: Type.Optional(Type.Array(SeededAutomationRule)),
    }),
    { minItems: 1 },
  ),
})

export type Seed = Static<typeof Seed>
