import { accountInfo } from './account/info.ts'
import { auditOperationList, auditSearch } from './audit/search.ts'
import {
  automationRuleCreate,
  automationRuleDelete,
  automationRuleGet,
  automationRuleList,
  automationRuleUpdate,
} from './automation-rule/crud.ts'
import { automationRuleRun, automationRunList, automationTriggerFire } from './automation-rule/run.ts'
import { channelInfo, channelInfos } from './channel/info.ts'
import { channelList } from './channel/list.ts'
import { channelCreate, channelDelete, channelDisable, channelEnable, channelUpdate } from './channel/write.ts'
import { datasourceInfo } from './datasource/info.ts'
import { escalateRuleInfo, escalateRuleList } from './escalation-rule/list.ts'
import {
  escalateRuleCreate,
  escalateRuleDelete,
  escalateRuleDisable,
  escalateRuleEnable,
  escalateRuleUpdate,
} from './escalation-rule/write.ts'
import { incidentCreate } from './incident/create.ts'
import { incidentAlertList, incidentFeed } from './incident/feed.ts'
import { incidentInfo, incidentListByIds } from './incident/info.ts'
import { incidentList } from './incident/list.ts'
import { incidentFieldReset, incidentRemove, incidentReset } from './incident/reset.ts'
import {
  incidentAck,
  incidentAssign,
  incidentComment,
  incidentReopen,
  incidentResolve,
  incidentResponderAdd,
  incidentSnooze,
  incidentUnack,
  incidentWake,
} from './incident/transitions.ts'
import { memberList, personInfos } from './member/read.ts'
import { scheduleInfo, scheduleInfos, scheduleList } from './schedule/list.ts'
import { scheduleCreate, scheduleDelete, scheduleUpdate } from './schedule/write.ts'
import { teamInfo, teamInfos, teamList } from './team/read.ts'
import { teamDelete, teamUpsert } from './team/write.ts'

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
  scheduleList,
  scheduleInfo,
  scheduleCreate,
  scheduleUpdate,
  scheduleDelete,
  datasourceInfo,
  channelList,
  channelInfos,
  channelInfo,
  channelCreate,
  channelUpdate,
  channelEnable,
  channelDisable,
  channelDelete,
  escalateRuleUpdate,
  escalateRuleList,
  escalateRuleInfo,
  escalateRuleCreate,
  escalateRuleEnable,
  escalateRuleDisable,
  escalateRuleDelete,
  incidentCreate,
  incidentList,
  incidentListByIds,
  incidentInfo,
  incidentAck,
  incidentUnack,
  incidentResolve,
  incidentReopen,
  incidentSnooze,
  incidentWake,
  incidentComment,
  incidentAssign,
  incidentResponderAdd,
  incidentReset,
  incidentFieldReset,
  incidentFeed,
  incidentAlertList,
  incidentRemove,
  teamList,
  teamInfos,
  teamInfo,
  teamUpsert,
  teamDelete,
  memberList,
  personInfos,
  accountInfo,
]
