import type { Caller, Member } from '../../platform/accounts/directory.ts'
import { invalidParameter } from '../../platform/errors.ts'
import { contracted } from '../../platform/wire/contract.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { defineOperation } from '../operation.ts'
import type { Resources } from '../resource/resources.ts'
import type { ChannelItem, SeededChannel } from './schema.ts'

const MAX_PAGE = 100
const MAX_OFFSET = 10_000
const SEVERITY_RANKS = ['', 'Info', 'Warning', 'Critical']

type Order = 'ranking' | 'created_at' | 'updated_at' | 'channel_name' | 'last_incident_at'

interface Filter {
  p?: number
  limit?: number
  /** Default: `ranking`, which sorts by the severity of open incidents and then by the time of the last incident. */
  orderby?: Order
  asc?: boolean
  is_my_managed?: boolean
  is_my_starred?: boolean
  is_my_team?: boolean
  is_brief?: boolean
  team_ids?: Int64[]
  query?: string
  channel_ids?: Int64[]
  channel_name?: string
}

/** Omits deleted channels. Private channels are listed only for their teams, their creator and admins. */
export const channelList = defineOperation({
  path: '/channel/list',
  name: 'channel:read:list',
  title: { en: 'List channels', zh: '查看协作空间列表' },
  body: contracted<Filter>('ListChannelsRequest'),
  data: contracted('ListChannelsResponse'),
  example: { p: 1, limit: 20, orderby: 'created_at', asc: false },
  async run({ caller, resources }, body) {
    const { p = 1, limit = MAX_PAGE, orderby = 'ranking', asc = false, is_brief = false } = body
    if (body.is_my_starred && body.is_my_team) {
      throw invalidParameter('is_my_starred, is_my_team', {
        en: 'Only one of these parameters can be set.',
        zh: '两者互斥。',
      })
    }
    if (p * limit > MAX_OFFSET) {
      throw invalidParameter('p', {
        en: `The product of p and limit must be at most ${MAX_OFFSET}.`,
        zh: `p × limit 不能超过 ${MAX_OFFSET}。`,
      })
    }
    const isWanted = filterOf(body, caller.member)
    const found = ordered(await resources.of(caller.account.id), orderby).filter(isWanted)
    if (!asc) found.reverse()
    const end = p * limit
    const page = found.slice(end - limit, end)
    return {
      total: found.length,
      has_next_page: found.length > end,
      items: page.map(is_brief ? brief : (channel) => full(channel, caller)),
    }
  },
})

function filterOf(filter: Filter, member: Member): (channel: SeededChannel) => boolean {
  const { channel_name: name, query } = filter
  const part = name ? '' : (query ?? '').toLowerCase()
  return (channel) => {
    const { channel_id, channel_name, description = '', team_id = 0, is_private, starred_by } = channel
    if (((is_private && !member.isAdmin) || filter.is_my_managed) && !manages(member, channel)) return false
    if (filter.is_my_starred && !starred_by?.includes(member.id)) return false
    if (filter.is_my_team && !member.teamIds.has(team_id)) return false
    if (!among(filter.team_ids, [team_id]) || !among(filter.channel_ids, [channel_id])) return false
    return (!name || channel_name === name) && `${channel_name}\n${description}`.toLowerCase().includes(part)
  }
}

/** If the filter is absent or empty, everything matches. */
export function among<T>(wanted: readonly T[] | undefined, values: readonly T[]): boolean {
  return !wanted?.length || values.some((value) => wanted.includes(value))
}

/** A channel is managed by its creator and by the members of its teams. */
export function manages({ id, teamIds }: Member, { creator_id, team_id, managing_team_ids }: SeededChannel): boolean {
  if (creator_id === id || (team_id !== undefined && teamIds.has(team_id))) return true
  return managing_team_ids?.some((team) => teamIds.has(team)) === true
}

function ordered({ channel: channels }: Resources, order: Order): SeededChannel[] {
  return [...channels.values()].filter(({ status }) => status !== 'deleted').sort((a, b) => compare(a, b, order))
}

function compare(a: SeededChannel, b: SeededChannel, order: Order): number {
  const difference =
    order === 'channel_name'
      ? a.channel_name.localeCompare(b.channel_name, 'en')
      : order === 'ranking'
        ? rank(a) - rank(b) || (a.last_incident_at ?? 0) - (b.last_incident_at ?? 0)
        : (a[order] ?? 0) - (b[order] ?? 0)
  return difference || (a.channel_id < b.channel_id ? -1 : 1)
}

function rank({ active_incident_highest_severity: severity = '' }: SeededChannel): number {
  return SEVERITY_RANKS.indexOf(severity)
}

function brief({ channel_id, channel_name, description = '', status = 'enabled' }: SeededChannel): ChannelItem {
  return { channel_id, channel_name, description, status }
}

export function full({ starred_by, ...channel }: SeededChannel, { account, member }: Caller): ChannelItem {
  return { ...DEFAULTS, ...channel, account_id: account.id, is_starred: starred_by?.includes(member.id) === true }
}

const DEFAULTS: Partial<ChannelItem> = {
  team_id: 0,
  managing_team_ids: [],
  creator_id: 0,
  description: '',
  status: 'enabled',
  created_at: 0,
  updated_at: 0,
  auto_resolve_timeout: 0,
  auto_resolve_mode: 'trigger',
  is_private: false,
  disable_outlier_detection: false,
  disable_auto_close: false,
  group: { method: 'n' },
  flapping: { is_disabled: true },
  progress_to_incident_cnts: { Triggered: 0, Processing: 0 },
  active_incident_highest_severity: '',
  last_incident_at: 0,
  is_external_report_enabled: false,
}
