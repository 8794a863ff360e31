import type { Account } from '../../platform/accounts/directory.ts'
import { digest } from '../../platform/accounts/keys.ts'
import type { Resources } from '../resource/resources.ts'
import { createRule } from './new-rule.ts'
import type { AutomationRule } from './rule.ts'
import type { SeededAutomationRule } from './schema.ts'

/**
 * A rule as a seed has it: enabled, unless it says otherwise.
 * @throws ApiError naming the field that cannot be.
 */
export function seededRule(
  seeded: SeededAutomationRule,
  account: Account,
  resources: Resources,
  now: number,
): AutomationRule {
  const { rule_id, owner_id, http_post_token: token, ...rest } = seeded
  const { schedule_trigger_id, http_post_trigger_id, oncall_incident_trigger_id, ...given } = rest
  const { rule } = createRule({ ...given, enabled: given.enabled ?? true }, owner_id, account.id, resources, now)
  return {
    ...rule,
    rule_id,
    ...(schedule_trigger_id && { schedule_trigger_id }),
    ...(http_post_trigger_id && { http_post_trigger_id }),
    ...(oncall_incident_trigger_id && { oncall_incident_trigger_id }),
    ...(token && { http_post_token_sha256: digest(token).toString('hex') }),
  }
}
