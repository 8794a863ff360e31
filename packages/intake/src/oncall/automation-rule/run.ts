import { stringifyJson } from '../../platform/wire/int64.ts'
import { Id, OneOf, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { holdToManage } from './crud.ts'
import { sessionOf } from './runs.ts'
import { RuleId } from './schema.ts'

/** Starts a run by hand, even if the rule is disabled. */
export const automationRuleRun = defineOperation({
  path: '/safari/automation/rule/run',
  name: 'automation-rule:write:run',
  title: { en: 'Run automation rule', zh: '运行自动化规则' },
  body: Type.Object({ rule_id: RuleId }),
  data: Type.Object({
    rule_id: Type.String(),
    trigger_kind: OneOf(['debug']),
    run: Type.Object({ run_id: Type.String(), session_id: Type.String() }),
    /** The service's preliminary checks. Here they always pass. */
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
