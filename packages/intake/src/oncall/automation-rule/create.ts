import { defineOperation } from '../operation.ts'
import { createRule } from './new-rule.ts'
import { toItem } from './rule.ts'
import { AutomationRuleCreate, AutomationRuleItem } from './schema.ts'

/** Of the caller, or of any team of the account. `cron_expr` is needed even where only other triggers are wanted. */
export const automationRuleCreate = defineOperation({
  path: '/safari/automation/rule/create',
  name: 'automation-rule:write:create',
  title: { en: 'Create automation rule', zh: '创建自动化规则' },
  body: AutomationRuleCreate,
  data: AutomationRuleItem,
  example: { name: 'Nightly', prompt: 'What broke tonight?', cron_expr: '30 7 * * *', schedule_trigger_enabled: true },
  async run({ automation, caller, resources, now }, body) {
    const time = now()
    const { account, member } = caller
    // Its team and channels stay while it is made.
    return resources.change(account.id, async ({ resources: owned, transaction }) => {
      const { rule, token } = createRule(body, member.id, account.id, owned, time)
      await automation.rules.add([rule], time, transaction)
      return toItem(rule, caller, time, token)
    })
  },
})
