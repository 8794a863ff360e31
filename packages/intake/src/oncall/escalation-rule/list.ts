import { notFound } from '../../platform/errors.ts'
import { contracted } from '../../platform/wire/contract.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { visibleChannel } from '../channel/info.ts'
import { defineOperation } from '../operation.ts'
import { escalationRulesOf, findEscalationRule } from './rules.ts'

export const escalateRuleInfo = defineOperation({
  path: '/channel/escalate/rule/info',
  name: 'escalate-rule:read:info',
  title: { en: 'Get escalation rule', zh: '查看分派策略' },
  body: contracted<{ channel_id: Int64; rule_id: string }>('ChannelRuleIDRequest'),
  data: contracted('EscalateRuleItem'),
  example: { channel_id: 1001, rule_id: '6621b23f4a2c5e0012ab34d0' },
  async run({ database, caller, resources }, { channel_id, rule_id }) {
    const { account } = caller
    const channel = visibleChannel(caller, await resources.of(account.id), channel_id)
    if (!channel) throw notFound('channel_id', channel_id)
    const rule = await findEscalationRule(database, account.id, channel_id, rule_id)
    return { ...rule, channel_name: channel.channel_name }
  },
})

/** Sorted by priority, lowest value first. */
export const escalateRuleList = defineOperation({
  path: '/channel/escalate/rule/list',
  name: 'escalate-rule:read:list',
  title: { en: 'List escalation rules', zh: '查看分派策略列表' },
  body: contracted<{ channel_id: Int64 }>('ChannelScopedListRequest'),
  data: contracted('ListEscalationRulesResponse'),
  example: { channel_id: 1001 },
  async run({ database, caller, resources }, { channel_id }) {
    const { account } = caller
    const channel = visibleChannel(caller, await resources.of(account.id), channel_id)
    if (!channel) throw notFound('channel_id', channel_id)
    const items = await escalationRulesOf(database, account.id, channel_id)
    return { items: items.map((rule) => ({ ...rule, channel_name: channel.channel_name })) }
  },
})
