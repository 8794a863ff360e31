import { Instant, OneOf, Optional, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { ruleToSee } from './crud.ts'
import { canSee } from './rule.ts'
import { AutomationRunItem, RUN_STATUSES, RuleId, TRIGGER_KINDS } from './schema.ts'

/** Newest first, for one rule or for all that the caller may see. */
export const automationRunList = defineOperation({
  path: '/safari/automation/run/list',
  name: 'automation-run:read:list',
  title: { en: 'List automation runs', zh: '查看自动化运行记录' },
  isBodyOptional: true,
  body: Optional({
    rule_id: RuleId,
    trigger_kind: OneOf(['', ...TRIGGER_KINDS]),
    status: OneOf(['', ...RUN_STATUSES]),
    /** Unix milliseconds, both included. */
    started_after_ms: Instant,
    started_before_ms: Instant,
    p: Type.Integer({ minimum: 1, maximum: 100_000, default: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  }),
  data: Type.Object({
    total: Type.Integer(),
    has_next_page: Type.Boolean(),
    runs: Type.Array(AutomationRunItem),
    /** Same as `runs`. */
    items: Type.Array(AutomationRunItem),
  }),
  example: { p: 1, limit: 20 },
  async run(call, { rule_id, p = 1, limit = 20, ...filter }) {
    const { automation, caller } = call
    const rules =
      rule_id === undefined
        ? (await automation.rules.of(caller.account.id)).filter((rule) => canSee(caller, rule))
        : [await ruleToSee(call, rule_id)]
    const ids = rules.map((rule) => rule.rule_id)
    const { total, runs } = await automation.runs.list(ids, filter, p, limit)
    return { total, has_next_page: total > p * limit, runs, items: runs }
  },
})
