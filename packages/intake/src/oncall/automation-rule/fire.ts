import { matchesDigest } from '../../platform/accounts/keys.ts'
import { ApiError } from '../../platform/errors.ts'
import { MASK, withoutSecrets } from '../../platform/secrets.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'
import { OneOf, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { sessionOf } from './runs.ts'

const BEARER = /^Bearer +([\w-]{8,200})$/i
const NO_DIGEST = '0'.repeat(64)

/**
 * The body may be any JSON, or empty. The run stores it with masked secrets. The trigger's token authenticates the request, and the rule's
 * owner acts as the caller.
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
    /** Not in the service's answer: the run's id for `/safari/automation/run/list`. */
    run_id: Type.String(),
  }),
  example: { reason: 'deployed' },
  async authenticate({ automation, directory }, { params, headers }) {
    const [, token = ''] = BEARER.exec(headers.authorization ?? '') ?? []
    const rule = await automation.rules.findByTrigger((params as Record<string, string>).trigger_id ?? '')
    const isRight = matchesDigest(token, rule?.http_post_token_sha256 ?? NO_DIGEST)
    const account = rule && directory.accounts.get(Number(rule.account_id))
    const member = account?.members.get(rule?.owner_id ?? 0)
    // The same answer for a wrong token, a missing trigger, and a removed owner.
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
