import { type Localized, noTeam, notFound } from '../../platform/errors.ts'
import { Id, type Static, Type } from '../../platform/wire/schema.ts'
import { addEscalationRule, removeEscalationRules } from '../escalation-rule/rules.ts'
import { FirstEscalationRule } from '../escalation-rule/schema.ts'
import { defineOperation } from '../operation.ts'
import type { Resources } from '../resource/resources.ts'
import type { Draft } from '../resource/store.ts'
import { ChannelSettings, type SeededChannel } from './schema.ts'

/** @throws ApiError if a team does not exist. */
function check(settings: Static<typeof ChannelSettings>, { team: teams }: Resources): void {
  const { team_id = 0, managing_team_ids = [] } = settings
  if (team_id !== 0 && !teams.has(team_id)) throw noTeam('team_id', team_id)
  const unknown = managing_team_ids.find((id) => !teams.has(id))
  if (unknown !== undefined) throw noTeam('managing_team_ids', unknown)
}

function channelOf({ resources }: Draft, id: SeededChannel['channel_id']): SeededChannel {
  const channel = resources.channel.get(id)
  if (!channel || channel.status === 'deleted') throw notFound('channel_id', id)
  return channel
}

/** If `escalate_rule` is set, also creates an escalation rule that notifies immediately. */
export const channelCreate = defineOperation({
  path: '/channel/create',
  name: 'channel:write:create',
  title: { en: 'Create channel', zh: '创建协作空间' },
  permissions: ['Channels Manage'],
  body: Type.Extended(ChannelSettings, {
    team_id: Id,
    channel_name: Type.String({ minLength: 1, maxLength: 59 }),
    escalate_rule: Type.Optional(FirstEscalationRule),
  }),
  data: Type.Object({ channel_id: Id, channel_name: Type.String() }),
  example: { team_id: 123, channel_name: 'Checkout', description: 'Alerts of the checkout' },
  async run({ caller: { account, member }, resources, now }, { escalate_rule, ...settings }) {
    const time = now()
    const seconds = Math.floor(time / 1000)
    const { channel_name } = settings
    return resources.change(account.id, async (draft) => {
      check(settings, draft.resources)
      const channel_id = draft.newId('channel')
      const made = {
        channel_id,
        creator_id: member.id,
        status: 'enabled' as const,
        created_at: seconds,
        updated_at: seconds,
      }
      await draft.put('channel', { ...settings, ...made })
      if (escalate_rule) {
        const { template_id, target, aggr_window = 0 } = escalate_rule
        const rule = { channel_id, template_id, rule_name: 'Default', aggr_window, layers: [{ target }] }
        await addEscalationRule(draft.transaction, account.id, rule, member.id, time)
      }
      return { channel_id, channel_name }
    })
  },
})

/** Omitted fields are not changed. */
export const channelUpdate = defineOperation({
  path: '/channel/update',
  name: 'channel:write:update',
  title: { en: 'Update channel', zh: '更新协作空间' },
  permissions: ['Channels Manage'],
  body: Type.Extended(ChannelSettings, { channel_id: Id }),
  example: { channel_id: 1001, description: 'Alerts of production' },
  async run({ caller: { account }, resources, now }, { channel_id, ...settings }) {
    await resources.change(account.id, async (draft) => {
      const channel = channelOf(draft, channel_id)
      check(settings, draft.resources)
      await draft.put('channel', { ...channel, ...settings, channel_id, updated_at: Math.floor(now() / 1000) })
    })
  },
})

/** Also deletes the escalation rules of the channel, but keeps its incidents. */
export const channelDelete = defineOperation({
  path: '/channel/delete',
  name: 'channel:write:delete',
  title: { en: 'Delete channel', zh: '删除协作空间' },
  permissions: ['Channels Manage'],
  isDangerous: true,
  body: Type.Object({ channel_id: Id }),
  example: { channel_id: 1003 },
  async run({ caller: { account }, resources }, { channel_id }) {
    await resources.change(account.id, async (draft) => {
      channelOf(draft, channel_id)
      await draft.remove('channel', channel_id)
      await removeEscalationRules(draft.transaction, account.id, channel_id)
    })
  },
})

function switchTo(status: 'enabled' | 'disabled', action: 'enable' | 'disable', title: Localized) {
  return defineOperation({
    path: `/channel/${action}`,
    name: `channel:write:${action}`,
    title,
    permissions: ['Channels Manage'],
    body: Type.Object({ channel_id: Id }),
    example: { channel_id: 1003 },
    async run({ caller: { account }, resources, now }, { channel_id }) {
      await resources.change(account.id, async (draft) => {
        const channel = channelOf(draft, channel_id)
        await draft.put('channel', { ...channel, status, updated_at: Math.floor(now() / 1000) })
      })
    },
  })
}

export const channelEnable = switchTo('enabled', 'enable', { en: 'Enable channel', zh: '启用协作空间' })
export const channelDisable = switchTo('disabled', 'disable', { en: 'Disable channel', zh: '停用协作空间' })
