import type { Caller } from '../../platform/accounts/directory.ts'
import { notFound } from '../../platform/errors.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import type { Resources } from '../resource/resources.ts'
import { full, manages } from './list.ts'
import { ChannelItem, type SeededChannel } from './schema.ts'

export const channelInfo = defineOperation({
  path: '/channel/info',
  name: 'channel:read:info',
  title: { en: 'Get channel detail', zh: '查看协作空间' },
  body: Type.Object({ channel_id: Id }),
  data: ChannelItem,
  example: { channel_id: 1001 },
  async run({ caller, resources }, { channel_id }) {
    const channel = visibleChannel(caller, await resources.of(caller.account.id), channel_id)
    if (!channel) throw notFound('channel_id', channel_id)
    return full(channel, caller)
  },
})

/** Returns channels in the requested order and skips unknown ids. */
export const channelInfos = defineOperation({
  path: '/channel/infos',
  name: 'channel:read:infos',
  title: { en: 'Batch get channels', zh: '批量查看协作空间' },
  body: Type.Object({ channel_ids: Type.Array(Id, { maxItems: 1000 }) }),
  data: Type.Object({ items: Type.Array(ChannelItem) }),
  example: { channel_ids: [1001, 1002] },
  async run({ caller, resources }, { channel_ids }) {
    const owned = await resources.of(caller.account.id)
    const found = [...new Set<Int64>(channel_ids)].map((id) => visibleChannel(caller, owned, id))
    return { items: found.filter((channel) => channel !== undefined).map((channel) => full(channel, caller)) }
  },
})

/** Private channels are visible only to their managers and to admins. */
export function visibleChannel(
  { member }: Caller,
  { channel: channels }: Resources,
  id: Int64,
): SeededChannel | undefined {
  const channel = channels.get(id)
  if (!channel || channel.status === 'deleted') return undefined
  return channel.is_private && !member.isAdmin && !manages(member, channel) ? undefined : channel
}
