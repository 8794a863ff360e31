import Type from 'typebox'
import type { AutomationRule } from '../../automation/rule.ts'
import type { Rules } from '../../automation/rules.ts'
import { ApiError } from '../../errors.ts'
import { matchesDigest } from '../../keys.ts'
import { defineOperation } from '../../operation.ts'
import { stringifyJson } from '../../wire/int64.ts'

const BEARER = /^Bearer +([\w-]{8,200})$/i
const NO_DIGEST = '0'.repeat(64)

/** The body may be any JSON, or none; the run keeps it. The trigger's token takes the place of an app key, the owner that of the caller. */
export const automationTriggerFire = defineOperation({
  path: '/safari/automation/triggers/:trigger_id/fire',
  name: 'automation-trigger:write:fire',
  title: { en: 'Fire an HTTP POST trigger', zh: '触发 HTTP POST 触发器' },
  isBodyOptional: true,
  body: Type.Unknown(),
  data: Type.Object({ run_id: Type.String() }),
  example: { reason: 'deployed' },
  async authenticate({ automation, directory }, { params, headers }) {
    const [, token = ''] = BEARER.exec(headers.authorization ?? '') ?? []
    const rule = await automation.rules.findByTrigger((params as Record<string, string>).trigger_id ?? '')
    const isRight = matchesDigest(token, rule?.http_post_token_sha256 ?? NO_DIGEST)
    const account = rule && directory.accounts.get(Number(rule.account_id))
    const member = account?.members.get(rule?.owner_id ?? 0)
    // The same answer for a wrong token, for no such trigger, and for one whose owner is gone.
    if (!isRight || !account || !member) throw new ApiError('Unauthorized')
    return { account, member, permissions: new Set() }
  },
  async run({ automation, params, now }, body) {
    const rule = await enabledRule(automation.rules, params.trigger_id ?? '')
    const trigger = rule.http_post_trigger_id ?? ''
    return { run_id: await automation.runs.record(rule, 'http_post', trigger, stringifyJson(body), now()) }
  },
})

async function enabledRule(rules: Rules, triggerId: string): Promise<AutomationRule> {
  const rule = await rules.findByTrigger(triggerId)
  if (rule?.enabled && rule.http_post_trigger_enabled) return rule
  throw new ApiError('AccessDenied', { en: 'The rule or its trigger is disabled.', zh: '规则或其触发器已停用。' })
}
