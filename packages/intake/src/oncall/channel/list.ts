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
  /** Default `ranking`: by the severity of open incidents, then by the time of the last one. */
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

/** Deleted channels are omitted. Private ones are listed only for their teams, their creator and admins. */
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
      throw invalidParameter('is_my_starred, is_my_team', { en: 'They exclude each other.', zh: '两者互斥。' })
    }
    if (p * limit > MAX_OFFSET) {
      throw invalidParameter('p', {
        en: `p × limit may be ${MAX_OFFSET} at most.`,
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

type Test = (channel: SeededChannel) => boolean

/** Only the tests that the filter needs. */
function filterOf(filter: Filter, member: Member): Test {
  const tests: Test[] = []
  if (!member.isAdmin) tests.push((channel) => !channel.is_private || manages(member, channel))
  if (filter.is_my_managed) tests.push((channel) => manages(member, channel))
  if (filter.is_my_starred) tests.push(({ starred_by }) => starred_by?.includes(member.id) === true)
  if (filter.is_my_team) tests.push(({ team_id = 0 }) => member.teamIds.has(team_id))
  if (filter.team_ids?.length) {
    const teams = new Set(filter.team_ids)
    tests.push(({ team_id = 0 }) => teams.has(team_id))
  }
  if (filter.channel_ids?.length) {
    const ids = new Set(filter.channel_ids)
    tests.push(({ channel_id }) => ids.has(channel_id))
  }
  const { channel_name: name, query } = filter
  if (name) tests.push(({ channel_name }) => channel_name === name)
  else if (query) {
    const part = query.toLowerCase()
    tests.push(({ channel_name, description = '' }) => `${channel_name}\n${description}`.toLowerCase().includes(part))
  }
  return (channel) => tests.every((test) => test(channel))
}

/** Whether a member manages a channel: its creator and the members of its teams do. */
export function manages({ id, teamIds }: Member, { creator_id, team_id, managing_team_ids }: SeededChannel): boolean {
  if (creator_id === id || (team_id !== undefined && teamIds.has(team_id))) return true
  return managing_team_ids?.some((team) => teamIds.has(team)) === true
}

/** Ascending. */
function ordered(resources: Resources, order: Order): SeededChannel[] {
  return listed(resources).sort((a, b) => compare(a, b, order))
}

function listed({ channel: channels }: Resources): SeededChannel[] {
  return [...channels.values()].filter(({ status }) => status !== 'deleted')
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
