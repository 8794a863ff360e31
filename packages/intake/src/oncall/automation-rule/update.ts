import { defineOperation } from '../operation.ts'
import { holdToManage } from './access.ts'
import { changeRule } from './changes.ts'
import { fireIfDue } from './fire-due.ts'
import { toItem } from './rule.ts'
import { AutomationRuleItem, AutomationRuleUpdate } from './schema.ts'

/** What is absent or `null` stays as it is. */
export const automationRuleUpdate = defineOperation({
  path: '/safari/automation/rule/update',
  name: 'automation-rule:write:update',
  title: { en: 'Update automation rule', zh: '更新自动化规则' },
  body: AutomationRuleUpdate,
  data: AutomationRuleItem,
  example: {
    rule_id: 'arule_7NnLzY2Qp8xS4kUaV3mR6b',
    enabled: true,
    cron_expr: '15 9 * * 1',
    http_post_trigger_enabled: true,
    rotate_http_post_trigger_token: true,
    oncall_incident_trigger_enabled: true,
    oncall_incident_severities: ['Critical', 'Warning'],
    oncall_incident_channel_ids: [456],
  },
  async run(call, { rule_id, ...changes }) {
    const { caller, resources, now } = call
    const owned = await resources.of(caller.account.id)
    return holdToManage(call, rule_id, async (held) => {
      const time = now()
      const { rule, token } = changeRule(held.rule, changes, owned, time)
      // Its time had come before it was changed.
      await fireIfDue(held, time)
      await held.save(rule, time)
      return toItem(rule, caller, time, token)
    })
  },
})
