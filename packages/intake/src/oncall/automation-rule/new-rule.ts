import { invalidParameter } from '../../platform/errors.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import type { Resources } from '../resource/resources.ts'
import { changeRule } from './changes.ts'
import { type AutomationRule, newRuleId, randomId } from './rule.ts'
import type { AutomationRuleCreate } from './schema.ts'

/**
 * A new rule, of a person or of any team of the account. It is disabled unless it says otherwise, as the service has it; its schedule is enabled.
 * @returns the token too, where it has an HTTP POST trigger.
 * @throws ApiError naming the field that cannot be.
 */
export function createRule(
  { team_id, ...given }: AutomationRuleCreate,
  ownerId: Int64,
  accountId: Int64,
  resources: Resources,
  now: number,
): { rule: AutomationRule; token?: string } {
  const team = team_id ?? 0
  if (team !== 0 && !resources.team.has(team)) {
    throw invalidParameter('team_id', { en: `There is no team ${team}.`, zh: `团队 ${team} 不存在。` })
  }
  const blank: AutomationRule = {
    rule_id: newRuleId(),
    account_id: accountId,
    team_id: team,
    owner_id: ownerId,
    name: given.name,
    enabled: false,
    cron_expr: '0 0 * * *',
    timezone: 'UTC',
    prompt: given.prompt,
    environment_kind: '',
    environment_id: '',
    schedule_trigger_id: randomId('atrig'),
    schedule_trigger_enabled: true,
    http_post_trigger_enabled: false,
    oncall_incident_trigger_enabled: false,
    created_at: now,
    updated_at: now,
  }
  return changeRule(blank, given, resources, now)
}
