import { notFound } from '../../platform/errors.ts'
import { Type } from '../../platform/wire/schema.ts'
import { inPieces } from '../../platform/yielding.ts'
import { defineOperation } from '../operation.ts'
import { checkEscalationRule } from './check.ts'
import { replaceEscalationRule } from './rules.ts'
import { EscalationRuleUpdate } from './schema.ts'

export const escalateRuleUpdate = defineOperation({
  path: '/channel/escalate/rule/update',
  name: 'escalate-rule:write:update',
  title: { en: 'Update escalation rule', zh: '更新分派策略' },
  permissions: ['Channels Manage'],
  body: EscalationRuleUpdate,
  data: Type.Object({}),
  example: {
    channel_id: 1001,
    rule_id: '6621b23f4a2c5e0012ab34d0',
    template_id: '6621b23f4a2c5e0012ab34d1',
    rule_name: 'Default escalation',
    layers: [{ target: { person_ids: [80011], by: { critical: ['voice'], warning: ['sms'] } } }],
  },
  async run({ database, caller: { account, member }, resources, now }, body) {
    if (!(await resources.of(account.id)).channel.has(body.channel_id)) throw notFound('channel_id', body.channel_id)
    await inPieces(checkEscalationRule(body))
    await replaceEscalationRule(database, account.id, body, member.id, now())
    return {}
  },
})
