import { matchesDigest } from '../../platform/accounts/keys.ts'
import { ApiError } from '../../platform/errors.ts'
import { MASK, withoutSecrets } from '../../platform/secrets.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'
import { Id, Instant, OneOf, Optional, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { holdToManage, ruleToSee } from './crud.ts'
import { canSee } from './rule.ts'
import { sessionOf } from './runs.ts'
import { AutomationRunItem, RUN_STATUSES, RuleId, TRIGGER_KINDS } from './schema.ts'

export const automationRunList = defineOperation({
  path: '/safari/automation/run/list',
  name: 'automation-run:read:list',
  title: { en: 'List automation runs', zh: '查看自动化运行记录' },
  isBodyOptional: true,
  body: Optional({
    rule_id: RuleId,
    trigger_kind: OneOf(['', ...TRIGGER_KINDS]),
    status: OneOf(['', ...RUN_STATUSES]),
    /** Inclusive range of Unix timestamps in milliseconds. */
    started_after_ms: Instant,
    started_before_ms: Instant,
    p: Type.Integer({ minimum: 1, maximum: 100_000, default: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  }),
  data: Type.Object({
    total: Type.Integer(),
    has_next_page: Type.Boolean(),
    runs: Type.Array(AutomationRunItem),
    /** Same list as `runs`. */
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

/** Disabled rules can also be run. */
export const automationRuleRun = defineOperation({
  path: '/safari/automation/rule/run',
  name: 'automation-rule:write:run',
  title: { en: 'Run automation rule', zh: '运行自动化规则' },
  body: Type.Object({ rule_id: RuleId }),
  data: Type.Object({
    rule_id: Type.String(),
    trigger_kind: OneOf(['debug']),
    run: Type.Object({ run_id: Type.String(), session_id: Type.String() }),
    /** Preliminary checks in the hosted service. In the intake, they always pass. */
    preflight: Type.Object({
      ok: Type.Boolean(),
      app_name: Type.String(),
      scope: OneOf(['person', 'team']),
      owner_id: Id,
      team_id: Id,
      checks: Type.Array(Type.String()),
      warnings: Type.Array(Type.String()),
    }),
  }),
  example: { rule_id: 'arule_7NnLzY2Qp8xS4kUaV3mR6b' },
  async run(call, { rule_id }) {
    return holdToManage(call, rule_id, async (held) => {
      const { owner_id, team_id } = held.rule
      const input = stringifyJson({ person_id: call.caller.member.id })
      const run_id = await held.addRun('debug', '', input, call.now())
      const scope = team_id === 0 ? ('person' as const) : ('team' as const)
      return {
        rule_id,
        trigger_kind: 'debug' as const,
        run: { run_id, session_id: sessionOf(run_id) },
        preflight: { ok: true, app_name: 'symup', scope, owner_id, team_id, checks: [], warnings: [] },
      }
    })
  },
})

const BEARER = /^Bearer +([\w-]{8,200})$/i
const NO_DIGEST = '0'.repeat(64)

/**
 * Accepts any JSON body, or no body. The run stores the body with secrets masked. The request is authenticated by the trigger's token, and
 * the rule's owner is treated as the caller.
 */
export const automationTriggerFire = defineOperation({
  path: '/safari/automation/triggers/:trigger_id/fire',
  name: 'automation-trigger:write:fire',
  title: { en: 'Fire an HTTP POST trigger', zh: '触发 HTTP POST 触发器' },
  isBodyOptional: true,
  body: Type.Unknown(),
  data: Type.Object({
    type: OneOf(['routine_fire']),
    session_id: Type.String(),
    session_url: Type.String(),
    /** Run id for `/safari/automation/run/list`. The hosted service does not return this field. */
    run_id: Type.String(),
  }),
  example: { reason: 'deployed' },
  async authenticate({ automation, directory }, { params, headers }) {
    const [, token = ''] = BEARER.exec(headers.authorization ?? '') ?? []
    const rule = await automation.rules.findByTrigger((params as Record<string, string>).trigger_id ?? '')
    const isRight = matchesDigest(token, rule?.http_post_token_sha256 ?? NO_DIGEST)
    const account = rule && directory.accounts.get(Number(rule.account_id))
    const member = account?.members.get(rule?.owner_id ?? 0)
    // The response must not reveal whether the token is wrong, the trigger does not exist, or the owner was removed.
    if (!isRight || !account || !member) return undefined
    return { account, member, permissions: new Set() }
  },
  async run({ automation: { rules }, params: { trigger_id = '' }, now }, body) {
    const { rule_id } = (await rules.findByTrigger(trigger_id)) ?? {}
    const runId = await rules.hold(rule_id ?? '', async (held) =>
      held?.rule.enabled && held.rule.http_post_trigger_enabled
        ? held.addRun('http_post', trigger_id, stringifyJson(withoutSecrets(body, MASK)), now())
        : undefined,
    )
    if (runId !== undefined) {
      const session = sessionOf(runId)
      return {
        type: 'routine_fire' as const,
        session_id: session,
        session_url: `/safari/session/${session}`,
        run_id: runId,
      }
    }
    throw new ApiError('AccessDenied', { en: 'The rule or its trigger is disabled.', zh: '规则或其触发器已停用。' })
  },
})
