import { describe, expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const FAR = 9007199254740993n
const channels = [
  ...Array.from({ length: 230 }, (_, nth) => ({
    channel_id: nth + 1,
    channel_name: `Channel ${String(nth + 1).padStart(3, '0')}`,
    team_id: nth % 2 === 0 ? 10 : 20,
    created_at: 1000 + nth,
    updated_at: 5000 - nth,
    last_incident_at: (nth * 37) % 230,
    starred_by: nth < 3 ? [1] : [],
  })),
  { channel_id: FAR, channel_name: 'Far', description: 'Beyond 2^53', managing_team_ids: [10] },
  { channel_id: FAR + 2n, channel_name: 'Critical', active_incident_highest_severity: 'Critical' },
  { channel_id: 301, channel_name: 'Gone', status: 'deleted' as const },
  { channel_id: 302, channel_name: 'Private', is_private: true, team_id: 20 },
  { channel_id: 303, channel_name: 'CRITICAL things', description: '100% off' },
]
const seed = {
  accounts: [
    {
      account_id: 1,
      name: 'A',
      teams: [
        { team_id: 10, name: 'ten' },
        { team_id: 20, name: 'twenty' },
      ],
      members: [
        { person_id: 1, name: 'one', role: 'member' as const, team_ids: [10] },
        { person_id: 2, name: 'two', role: 'owner' as const },
      ],
      app_keys: [
        { key: 'key-of-one', person_id: 1, permissions: [] },
        { key: 'key-of-two', person_id: 2, permissions: [] },
        { key: 'key-that-manages', person_id: 1, permissions: ['Channels Manage' as const] },
      ],
      channels,
    },
  ],
}

const caller = useCaller({ seed }, { keeps: true })

const list = (body: unknown, key = 'key-of-one') => caller.post('/channel/list', body, { key })
const names = async (body: unknown, key?: string) =>
  (await list(body, key)).data.items.map((item: { channel_name: string }) => item.channel_name)

describe('pages of channels', () => {
  it('lists 100 channels by default, and every channel once in total', async () => {
    const first = (await list({})).data
    expect([first.total, first.items.length, first.has_next_page]).toEqual([233, 100, true])
    const seen = new Set<string>()
    for (let p = 1; p <= 5; p++) {
      const { items, has_next_page } = (await list({ p, limit: 50 })).data
      for (const item of items) seen.add(item.channel_name)
      expect(has_next_page).toBe(p < 5)
    }
    expect(seen.size).toBe(233)
    expect((await list({ p: 9 })).data).toEqual({ total: 233, has_next_page: false, items: [] })
  })

  it('allows a full last page', async () => {
    const four = { channel_ids: [1, 2, 3, 4], limit: 2 }
    expect((await list({ ...four, p: 1 })).data.has_next_page).toBe(true)
    const { items, has_next_page } = (await list({ ...four, p: 2 })).data
    expect([items.length, has_next_page]).toEqual([2, false])
  })

  it.each<[object, number, string]>([
    [{ p: 100, limit: 100 }, 200, ''],
    [{ p: 101, limit: 100 }, 400, 'p'],
    [{ p: 10_000, limit: 1 }, 200, ''],
    [{ p: 10_001, limit: 1 }, 400, 'p'],
    [{ p: 101 }, 400, 'p'],
    [{ is_my_starred: true, is_my_team: true }, 400, 'is_my_starred, is_my_team'],
    [{ is_my_starred: true, is_my_team: false }, 200, ''],
  ])('responds to %j with %i %s', async (body, status, field) => {
    const answer = await list(body)
    expect(answer.status).toBe(status)
    if (field) expect(answer.message).toContain(`parameter ${field} is not valid`)
  })
})

describe('sorting channels', () => {
  it.each<[string, boolean, string, string]>([
    ['channel_name', true, 'Channel 001', 'Channel 002'],
    ['created_at', false, 'Channel 230', 'Channel 229'],
    ['updated_at', false, 'Channel 001', 'Channel 002'],
    ['ranking', false, 'Critical', 'Channel 088'],
    ['last_incident_at', false, 'Channel 088', 'Channel 175'],
  ])('sorts by %s, ascending: %s', async (orderby, asc, first, second) => {
    expect((await names({ orderby, asc })).slice(0, 2)).toEqual([first, second])
  })

  it('reverses the order with asc', async () => {
    const query = { query: 'channel 00', orderby: 'created_at' }
    expect(await names({ ...query, asc: true })).toEqual((await names(query)).reverse())
  })
})

describe('channel filters', () => {
  it.each<[string, object, string[]]>([
    [
      'starred channels',
      { is_my_starred: true, orderby: 'created_at', asc: true },
      ['Channel 001', 'Channel 002', 'Channel 003'],
    ],
    [
      'a query in the name, ignoring case',
      { query: 'critical', orderby: 'channel_name', asc: true },
      ['Critical', 'CRITICAL things'],
    ],
    ['a query in the description', { query: '2^53' }, ['Far']],
    ['a query without wildcards', { query: '%' }, ['CRITICAL things']],
    ['an exact name', { channel_name: 'Critical' }, ['Critical']],
    ['a name in addition to a query', { channel_name: 'Far', query: 'nothing like it' }, ['Far']],
    ['a name, respecting case', { channel_name: 'far' }, []],
    ['ids', { channel_ids: [1, 301, 302, 99999] }, ['Channel 001']],
    [
      'teams',
      { team_ids: [20], query: 'channel 00', orderby: 'channel_name', asc: true },
      ['Channel 002', 'Channel 004', 'Channel 006', 'Channel 008'],
    ],
    ['managed channels', { is_my_managed: true, channel_ids: [1, 2, 303] }, ['Channel 001']],
    [
      "channels of the caller's team",
      { is_my_team: true, channel_ids: [1, 2, 3], orderby: 'channel_name', asc: true },
      ['Channel 001', 'Channel 003'],
    ],
  ])('filters by %s', async (_, body, expected) => expect(await names(body)).toEqual(expected))

  it('keeps every digit of 64-bit ids', async () => {
    for (const [id, name] of [
      [FAR, 'Far'],
      [FAR + 2n, 'Critical'],
    ] as const) {
      const { text, data } = await list(`{"channel_ids":[${id}]}`)
      expect(data.items.map((item: { channel_name: string }) => item.channel_name)).toEqual([name])
      expect(text).toContain(`"channel_id":${id},`)
    }
    expect((await list(`{"channel_ids":[${FAR - 1n}]}`)).data.total).toBe(0)
    expect((await list('{"channel_ids":[9223372036854775808]}')).message).toContain('channel_ids[0]')
  })

  it('shows private channels to admins, but not to members of other teams', async () => {
    expect(await names({ channel_ids: [302] }, 'key-of-two')).toEqual(['Private'])
    expect(await names({ channel_ids: [302] })).toEqual([])
  })
})

it('returns four fields in brief items, and shows in full items whether the caller starred them', async () => {
  const briefly = (await list({ is_brief: true, channel_ids: [1] })).data.items
  expect(briefly).toEqual([{ channel_id: 1, channel_name: 'Channel 001', description: '', status: 'enabled' }])
  const [full] = (await list({ channel_ids: [1] })).data.items
  expect(full).toMatchObject({ channel_id: 1, account_id: 1, is_starred: true, team_id: 10, is_private: false })
  expect(full).not.toHaveProperty('starred_by')
  expect((await list({ channel_ids: [1] }, 'key-of-two')).data.items[0].is_starred).toBe(false)
})

describe('merge settings of a channel', () => {
  const make = (settings: object) =>
    caller.post('/channel/create', { team_id: 10, channel_name: 'Made', ...settings }, { key: 'key-that-manages' })

  it('returns merge settings as set, including fields that are missing from the contract', async () => {
    const settings = {
      group: { method: 'i', i_keys: ['title'], i_score_threshold: 0.9, cases: [{ if: [], equals: [['a']] }], later: 1 },
      flapping: { is_disabled: false, max_changes: 2, in_mins: 1440, mute_mins: 0 },
    }
    const { channel_id } = (await make(settings)).data
    expect((await list({ channel_ids: [channel_id] })).data.items).toMatchObject([settings])
  })
})
