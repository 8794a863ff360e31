import { Id, OneOf, Optional, type Static, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { type AutomationRule, canSee, toItem } from './rule.ts'
import { AutomationRuleItem } from './schema.ts'

const Body = Optional({
  p: Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  /** `personal` selects personal rules, `team` those of teams. Default `all`. */
  scope: OneOf(['', 'all', 'personal', 'team']),
  /** False means `scope` `team`, unless `scope` is given. */
  include_person: Type.Boolean(),
  team_ids: Type.Array(Id, { maxItems: 1000 }),
  /** One team; 0 selects personal rules. */
  team_id: Id,
  enabled: Type.Boolean(),
  /** Part of the name; same as `query`. */
  keyword: Type.String(),
  query: Type.String(),
})

/** Newest first. Admins see every rule of the account, others see their own and their teams'. */
export const automationRuleList = defineOperation({
  path: '/safari/automation/rule/list',
  name: 'automation-rule:read:list',
  title: { en: 'List automation rules', zh: '查看自动化规则列表' },
  isBodyOptional: true,
  body: Body,
  data: Type.Object({
    total: Type.Integer(),
    has_next_page: Type.Boolean(),
    rules: Type.Array(AutomationRuleItem),
    /** Same as `rules`. */
    items: Type.Array(AutomationRuleItem),
  }),
  example: { p: 1, limit: 20 },
  async run({ automation, caller, now }, { p = 1, limit = 20, ...filter }) {
    const isWanted = testOf(filter)
    const found = (await automation.rules.of(caller.account.id))
      .filter((rule) => canSee(caller, rule) && isWanted(rule))
      .sort((a, b) => b.created_at - a.created_at || (a.rule_id < b.rule_id ? 1 : -1))
    const rules = found.slice((p - 1) * limit, p * limit).map((rule) => toItem(rule, caller, now()))
    return { total: found.length, has_next_page: found.length > p * limit, rules, items: rules }
  },
})

/** Prepares the filter once: a word may be as long as a body, and there may be thousands of rules. */
function testOf(filter: Omit<Static<typeof Body>, 'p' | 'limit'>): (rule: AutomationRule) => boolean {
  const { include_person: withPersonal = true, team_id: teamId, team_ids: teamIds = [], enabled } = filter
  const scope = filter.scope || (withPersonal ? 'all' : 'team')
  const words = (filter.keyword || filter.query || '').toLowerCase()
  const teams = new Set(teamIds)
  return (rule) => {
    if (scope !== 'all' && (rule.team_id === 0) !== (scope === 'personal')) return false
    if (teamId !== undefined && rule.team_id !== teamId) return false
    if (teams.size > 0 && !teams.has(rule.team_id)) return false
    return (enabled === undefined || rule.enabled === enabled) && rule.name.toLowerCase().includes(words)
  }
}
