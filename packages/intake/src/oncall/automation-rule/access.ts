import { ApiError, notFound } from '../../platform/errors.ts'
import type { OncallCall } from '../operation.ts'
import { type AutomationRule, canManage, canSee } from './rule.ts'
import type { HeldRule } from './rules.ts'

/** @throws ApiError ResourceNotFound or AccessDenied. */
export async function ruleToSee({ automation, caller }: OncallCall, ruleId: string): Promise<AutomationRule> {
  const rule = await automation.rules.find(caller.account.id, ruleId)
  if (!rule) throw notFound('rule_id', ruleId)
  if (!canSee(caller, rule)) throw new ApiError('AccessDenied')
  return rule
}

/**
 * Holds a rule of the caller's account that the caller may manage.
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
