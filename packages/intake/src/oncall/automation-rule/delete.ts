import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { holdToManage } from './access.ts'
import { RuleId } from './schema.ts'

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
    await holdToManage(call, rule_id, (held) => held.remove())
    return {}
  },
})
