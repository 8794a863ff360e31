import { ApiError, notFound } from '../../platform/errors.ts'
import { Id, OneOf, Optional, type Static, Type } from '../../platform/wire/schema.ts'
import { defineOperation, type OncallCall } from '../operation.ts'
import { type AutomationRule, canManage, canSee, changeRule, createRule, toItem } from './rule.ts'
import { fireIfDue, type HeldRule, toRow } from './rules.ts'
import { AutomationRuleCreate, AutomationRuleItem, AutomationRuleUpdate, RuleId } from './schema.ts'

const RULE_ID = 'arule_7NnLzY2Qp8xS4kUaV3mR6b'

/** `cron_expr` is required even if the rule has only other triggers. A rule can belong to the caller or to any team in the account. */
export const automationRuleCreate = defineOperation({
  path: '/safari/automation/rule/create',
  name: 'automation-rule:write:create',
  title: { en: 'Create automation rule', zh: '创建自动化规则' },
  body: AutomationRuleCreate,
  data: AutomationRuleItem,
  example: { name: 'Nightly', prompt: 'What broke tonight?', cron_expr: '30 7 * * *', schedule_trigger_enabled: true },
  async run({ caller, resources, now }, body) {
    const time = now()
    const { account, member } = caller
    // Locks the resources, so that the rule's team and channels cannot change while the rule is created.
    return resources.change(account.id, async ({ resources: owned, transaction }) => {
      const { rule, token } = createRule(body, member.id, account.id, owned, time)
      await transaction.insertInto('automation_rule').values(toRow(rule, time)).execute()
      return toItem(rule, caller, time, token)
    })
  },
})

export const automationRuleGet = defineOperation({
  path: '/safari/automation/rule/get',
  name: 'automation-rule:read:get',
  title: { en: 'Get automation rule', zh: '查看自动化规则' },
  body: Type.Object({ rule_id: RuleId }),
  data: AutomationRuleItem,
  example: { rule_id: RULE_ID },
  run: async (call, { rule_id }) => toItem(await ruleToSee(call, rule_id), call.caller, call.now()),
})

/** Fields that are absent or `null` are not changed. */
export const automationRuleUpdate = defineOperation({
  path: '/safari/automation/rule/update',
  name: 'automation-rule:write:update',
  title: { en: 'Update automation rule', zh: '更新自动化规则' },
  body: AutomationRuleUpdate,
  data: AutomationRuleItem,
  example: {
    rule_id: RULE_ID,
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
      // If the rule is already due, it runs before the change is saved.
      await fireIfDue(held, time)
      await held.save(rule, time)
      return toItem(rule, caller, time, token)
    })
  },
})

/** Also deletes the rule's runs and its HTTP POST trigger. */
export const automationRuleDelete = defineOperation({
  path: '/safari/automation/rule/delete',
  name: 'automation-rule:write:delete',
  title: { en: 'Delete automation rule', zh: '删除自动化规则' },
  isDangerous: true,
  body: Type.Object({ rule_id: RuleId }),
  example: { rule_id: RULE_ID },
  async run(call, { rule_id }) {
    await holdToManage(call, rule_id, (held) => held.remove())
  },
})

/** @throws ApiError ResourceNotFound or AccessDenied. */
export async function ruleToSee({ automation, caller }: OncallCall, ruleId: string): Promise<AutomationRule> {
  const rule = await automation.rules.find(caller.account.id, ruleId)
  if (!rule) throw notFound('rule_id', ruleId)
  if (!canSee(caller, rule)) throw new ApiError('AccessDenied')
  return rule
}

/**
 * Locks a rule that the caller is allowed to manage.
 * @throws ApiError ResourceNotFound or AccessDenied.
 */
export function holdToManage<T>(
  { automation, caller }: OncallCall,
  ruleId: string,
  work: (held: HeldRule) => Promise<T>,
): Promise<T> {
  return automation.rules.hold(ruleId, async (held) => {
    if (held?.rule.account_id !== caller.account.id) throw notFound('rule_id', ruleId)
    if (!canManage(caller, held.rule)) throw new ApiError('AccessDenied')
    return work(held)
  })
}

const Body = Optional({
  p: Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  /** Which rules to return. Default: `all`. */
  scope: OneOf(['', 'all', 'personal', 'team']),
  /** If false, only team rules are returned unless `scope` is set. */
  include_person: Type.Boolean(),
  team_ids: Type.Array(Id, { maxItems: 1000 }),
  /** 0 returns personal rules. */
  team_id: Id,
  enabled: Type.Boolean(),
  /** Substring of the rule's name. Same as `query`. */
  keyword: Type.String(),
  query: Type.String(),
})

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
    /** Same list as `rules`. */
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

/** Prepares the filter only once: the query can be as long as the body, and the account can contain thousands of rules. */
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
