import { createRule } from '../../automation/create.ts'
import { toItem } from '../../automation/rule.ts'
import { defineOperation } from '../../operation.ts'
import { AutomationRuleCreate, AutomationRuleItem } from '../../resources/automation-rule.ts'

/** Of the caller, or of any team of the account. `cron_expr` is needed even where only other triggers are wanted. */
export const automationRuleCreate = defineOperation({
  path: '/safari/automation/rule/create',
  name: 'automation-rule:write:create',
  title: { en: 'Create automation rule', zh: '创建自动化规则' },
  body: AutomationRuleCreate,
  data: AutomationRuleItem,
  example: { name: 'Nightly', prompt: 'What broke tonight?', cron_expr: '30 7 * * *', schedule_trigger_enabled: true },
  async run({ automation, caller, now }, body) {
    const time = now()
    const { rule, token } = createRule(body, caller.member.id, caller.account, time)
    await automation.rules.save(rule, time)
    return toItem(rule, caller, time, token)
  },
})
