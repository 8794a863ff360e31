import Type from 'typebox'
import { Id, Optional } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { canSee, toItem } from './rule.ts'
import { AutomationRuleItem } from './schema.ts'

/** Newest first. Admins see every rule of the account, others their own and their teams'. */
export const automationRuleList = defineOperation({
  path: '/safari/automation/rule/list',
  name: 'automation-rule:read:list',
  title: { en: 'List automation rules', zh: '查看自动化规则列表' },
  isBodyOptional: true,
  body: Optional({
    p: Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    /** 0 finds personal rules. */
    team_id: Id,
    enabled: Type.Boolean(),
    /** Part of the name. */
    query: Type.String(),
  }),
  data: Type.Object({ total: Type.Integer(), has_next_page: Type.Boolean(), items: Type.Array(AutomationRuleItem) }),
  example: { p: 1, limit: 20 },
  async run({ automation, caller, now }, { p = 1, limit = 20, team_id, enabled, query }) {
    const found = (await automation.rules.of(caller.account.id))
      .filter((rule) => canSee(caller, rule))
      .filter((rule) => team_id === undefined || rule.team_id === team_id)
      .filter((rule) => enabled === undefined || rule.enabled === enabled)
      .filter((rule) => !query || rule.name.toLowerCase().includes(query.toLowerCase()))
      .sort((a, b) => b.created_at - a.created_at || (a.rule_id < b.rule_id ? -1 : 1))
    return {
      total: found.length,
      has_next_page: found.length > p * limit,
      items: found.slice((p - 1) * limit, p * limit).map((rule) => toItem(rule, caller, now())),
    }
  },
})
