import { type Localized, notFound } from '../../platform/errors.ts'
import { Id, ObjectId, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { checkEscalationRule } from './check.ts'
import { addEscalationRule, changeEscalationRule, DEFAULTS, removeEscalationRules } from './rules.ts'
import { EscalationRuleCreate, EscalationRuleUpdate } from './schema.ts'

export const escalateRuleUpdate = defineOperation({
  path: '/channel/escalate/rule/update',
  name: 'escalate-rule:write:update',
  title: { en: 'Update escalation rule', zh: '更新分派策略' },
  permissions: ['Channels Manage'],
  body: EscalationRuleUpdate,
  example: {
    channel_id: 1001,
    rule_id: '6621b23f4a2c5e0012ab34d0',
    template_id: '6621b23f4a2c5e0012ab34d1',
    rule_name: 'Default escalation',
    layers: [{ target: { person_ids: [80011], by: { critical: ['voice'], warning: ['sms'] } } }],
  },
  async run({ database, caller: { account, member }, resources, now }, body) {
    if (!(await resources.of(account.id)).channel.has(body.channel_id)) throw notFound('channel_id', body.channel_id)
    await checkEscalationRule(body)
    const { channel_id, rule_id, ...settings } = body
    const changed = { ...DEFAULTS, ...settings, updated_by: member.id, updated_at: Math.floor(now() / 1000) }
    await changeEscalationRule(database, account.id, channel_id, rule_id, (old) => ({ ...old, ...changed }))
  },
})

const RULE = { channel_id: 1001, rule_id: '6621b23f4a2c5e0012ab34d0' }

export const escalateRuleCreate = defineOperation({
  path: '/channel/escalate/rule/create',
  name: 'escalate-rule:write:create',
  title: { en: 'Create escalation rule', zh: '创建分派策略' },
  permissions: ['Channels Manage'],
  body: EscalationRuleCreate,
  data: Type.Object({ rule_id: ObjectId, rule_name: Type.String() }),
  example: {
    channel_id: 1001,
    template_id: '6621b23f4a2c5e0012ab34d1',
    rule_name: 'At night',
    layers: [{ target: { person_ids: [80011], by: { critical: ['voice'], warning: ['sms'] } } }],
  },
  async run({ caller: { account, member }, resources, now }, body) {
    return resources.change(account.id, async ({ resources: { channel: channels }, transaction }) => {
      if (!channels.has(body.channel_id)) throw notFound('channel_id', body.channel_id)
      return addEscalationRule(transaction, account.id, body, member.id, now())
    })
  },
})

export const escalateRuleDelete = defineOperation({
  path: '/channel/escalate/rule/delete',
  name: 'escalate-rule:write:delete',
  title: { en: 'Delete escalation rule', zh: '删除分派策略' },
  permissions: ['Channels Manage'],
  isDangerous: true,
  body: Type.Object({ channel_id: Id, rule_id: ObjectId }),
  example: RULE,
  async run({ database, caller: { account } }, { channel_id, rule_id }) {
    const removed = await removeEscalationRules(database.db, account.id, channel_id, rule_id)
    if (removed === 0) throw notFound('rule_id', rule_id)
  },
})

function switchTo(status: 'enabled' | 'disabled', action: 'enable' | 'disable', title: Localized) {
  return defineOperation({
    path: `/channel/escalate/rule/${action}`,
    name: `escalate-rule:write:${action}`,
    title,
    permissions: ['Channels Manage'],
    body: Type.Object({ channel_id: Id, rule_id: ObjectId }),
    example: RULE,
    async run({ database, caller: { account, member }, now }, { channel_id, rule_id }) {
      const change = { status, updated_by: member.id, updated_at: Math.floor(now() / 1000) }
      await changeEscalationRule(database, account.id, channel_id, rule_id, (old) => ({ ...old, ...change }))
    },
  })
}

export const escalateRuleEnable = switchTo('enabled', 'enable', { en: 'Enable escalation rule', zh: '启用分派策略' })
export const escalateRuleDisable = switchTo('disabled', 'disable', {
  en: 'Disable escalation rule',
  zh: '停用分派策略',
})
