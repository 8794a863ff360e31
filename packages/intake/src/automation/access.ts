import { ApiError, notFound } from '../errors.ts'
import type { Call } from '../operation.ts'
import { type AutomationRule, canManage, canSee } from './rule.ts'

/** @throws ApiError ResourceNotFound or AccessDenied. */
export async function ruleToSee({ automation, caller }: Call, ruleId: string): Promise<AutomationRule> {
  const rule = await automation.rules.find(caller.account.id, ruleId)
  if (!rule) throw notFound('rule_id', ruleId)
  if (!canSee(caller, rule)) throw new ApiError('AccessDenied')
  return rule
}

/** @throws ApiError ResourceNotFound or AccessDenied. */
export async function ruleToManage({ automation, caller }: Call, ruleId: string): Promise<AutomationRule> {
  const rule = await automation.rules.find(caller.account.id, ruleId)
  if (!rule) throw notFound('rule_id', ruleId)
  if (!canManage(caller, rule)) throw new ApiError('AccessDenied')
  return rule
}
