import type { FastifyInstance } from 'fastify'
import { type OperationRules, routeOperations } from '../platform/http/operation-routes.ts'
import type { Services } from '../platform/operation.ts'
import { auditOperationList } from './audit/operation-list.ts'
import { auditSearch } from './audit/search.ts'
import { automationRuleCreate } from './automation-rule/create.ts'
import { automationRuleDelete } from './automation-rule/delete.ts'
import { automationTriggerFire } from './automation-rule/fire.ts'
import { automationRuleGet } from './automation-rule/get.ts'
import { automationRuleList } from './automation-rule/list.ts'
import { automationRuleRun } from './automation-rule/run.ts'
import { automationRunList } from './automation-rule/run-list.ts'
import { automationRuleUpdate } from './automation-rule/update.ts'
import { channelList } from './channel/list.ts'
import { datasourceInfo } from './datasource/info.ts'
import { escalateRuleInfo } from './escalation-rule/info.ts'
import { escalateRuleList } from './escalation-rule/list.ts'
import { escalateRuleUpdate } from './escalation-rule/update.ts'
import { testIncident } from './incident/report.ts'
import type { OncallServices } from './operation.ts'
import { scheduleInfos } from './schedule/infos.ts'

export const ONCALL_OPERATIONS = [
  automationRuleUpdate,
  automationRuleCreate,
  automationRuleGet,
  automationRuleList,
  automationRuleDelete,
  automationRuleRun,
  automationRunList,
  automationTriggerFire,
  auditSearch,
  auditOperationList,
  scheduleInfos,
  datasourceInfo,
  channelList,
  escalateRuleUpdate,
  escalateRuleList,
  escalateRuleInfo,
]

/** What only tests need. */
export const ONCALL_TEST_OPERATIONS = [testIncident]

/** The on-call resources, the audit log, and automation. */
export function routeOncall(
  app: FastifyInstance,
  services: OncallServices & Services,
  rules: OperationRules,
  { testRoutes }: { testRoutes: boolean },
): void {
  const operations = testRoutes ? [...ONCALL_OPERATIONS, ...ONCALL_TEST_OPERATIONS] : ONCALL_OPERATIONS
  routeOperations(app, operations, services, rules)
}
