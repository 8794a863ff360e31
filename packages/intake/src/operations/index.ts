import { auditOperationList } from './audit/operation-list.ts'
import { auditSearch } from './audit/search.ts'
import { automationRuleCreate } from './automation-rule/create.ts'
import { automationRuleDelete } from './automation-rule/delete.ts'
import { automationRuleGet } from './automation-rule/get.ts'
import { automationRuleList } from './automation-rule/list.ts'
import { automationRuleUpdate } from './automation-rule/update.ts'
import { automationRunList } from './automation-run/list.ts'
import { automationTriggerFire } from './automation-trigger/fire.ts'
import { channelList } from './channel/list.ts'
import { datasourceInfo } from './datasource/info.ts'
import { escalateRuleInfo } from './escalate-rule/info.ts'
import { escalateRuleList } from './escalate-rule/list.ts'
import { escalateRuleUpdate } from './escalate-rule/update.ts'
import { scheduleInfos } from './schedule/infos.ts'
import { sourcemapList } from './sourcemap/list.ts'
import { sourcemapStackEnrich } from './sourcemap/stack-enrich.ts'
import { testIncident } from './test/incident.ts'
import { entitle } from './titles.ts'

/** Every operation of the service that the intake serves. */
export const OPERATIONS = entitle([
  automationRuleUpdate,
  automationRuleCreate,
  automationRuleGet,
  automationRuleList,
  automationRuleDelete,
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
  sourcemapList,
  sourcemapStackEnrich,
])

/** What only tests need. */
export const TEST_OPERATIONS = entitle([testIncident])
