import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { ruleToSee } from './access.ts'
import { toItem } from './rule.ts'
import { AutomationRuleItem, RuleId } from './schema.ts'

export const automationRuleGet = defineOperation({
  path: '/safari/automation/rule/get',
  name: 'automation-rule:read:get',
  title: { en: 'Get automation rule', zh: '查看自动化规则' },
  body: Type.Object({ rule_id: RuleId }),
  data: AutomationRuleItem,
  example: { rule_id: 'arule_7NnLzY2Qp8xS4kUaV3mR6b' },
  run: async (call, { rule_id }) => toItem(await ruleToSee(call, rule_id), call.caller, call.now()),
})
