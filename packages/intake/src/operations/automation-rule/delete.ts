import Type from 'typebox'
import { ruleToManage } from '../../automation/access.ts'
import { defineOperation } from '../../operation.ts'
import { RuleId } from '../../resources/automation-rule.ts'

/** Its runs go with it, and its HTTP POST trigger is no more. */
export const automationRuleDelete = defineOperation({
  path: '/safari/automation/rule/delete',
  name: 'automation-rule:write:delete',
  title: { en: 'Delete automation rule', zh: '删除自动化规则' },
  isDangerous: true,
  body: Type.Object({ rule_id: RuleId }),
  data: Type.Object({}),
  example: { rule_id: 'arule_7NnLzY2Qp8xS4kUaV3mR6b' },
  async run(call, { rule_id }) {
    await ruleToManage(call, rule_id)
    await call.automation.rules.remove(call.caller.account.id, rule_id)
    return {}
  },
})
