import Type from 'typebox'
import { notFound } from '../../errors.ts'
import { escalationRulesOf } from '../../escalation/rules.ts'
import { defineOperation } from '../../operation.ts'
import { EscalationRuleItem } from '../../resources/escalation-rule.ts'
import { Id } from '../../wire/schema.ts'

/** By priority, lower first. */
export const escalateRuleList = defineOperation({
  path: '/channel/escalate/rule/list',
  name: 'escalate-rule:read:list',
  title: { en: 'List escalation rules', zh: '查看分派策略列表' },
  body: Type.Object({ channel_id: Id }),
  data: Type.Object({ items: Type.Array(EscalationRuleItem) }),
  example: { channel_id: 1001 },
  async run({ store, caller: { account } }, { channel_id }) {
    const channel = account.channels.get(channel_id)
    if (!channel) throw notFound('channel_id', channel_id)
    const items = await escalationRulesOf(store, account.id, channel_id)
    return { items: items.map((rule) => ({ ...rule, channel_name: channel.channel_name })) }
  },
})
