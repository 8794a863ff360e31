import type { Database } from '../platform/database/database.ts'
import { type Call, operationsWith } from '../platform/operation.ts'
import type { AuditLog } from './audit/log.ts'
import type { Automation } from './automation-rule/automation.ts'
import type { ResourceStore } from './resource/store.ts'

export interface OncallServices {
  database: Database
  audit: AuditLog
  automation: Automation
  resources: ResourceStore
}

export type OncallCall = Call<OncallServices>

export const defineOperation = operationsWith<OncallServices>()
