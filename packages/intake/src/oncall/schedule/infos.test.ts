import { expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

// A Wednesday in an even week after the start of the rotation.
const caller = useCaller({ now: () => Date.UTC(2026, 0, 21, 12) })

const infos = (body: unknown) => caller.post('/schedule/infos', body)

it('returns each schedule once in the requested order, and skips unknown ids', async () => {
  const { data } = await infos({ schedule_ids: [2003, 9, 2001, 2003] })
  expect(Object.keys(data)).toEqual(['items'])
  expect(data.items.map((item: { id: number }) => item.id)).toEqual([2003, 2001])
  expect((await infos({ schedule_ids: [] })).data).toEqual({ items: [] })
})

it('returns both names of each field, the rotation, and no secret', async () => {
  const { data, text } = await infos({ schedule_ids: [2001] })
  const [item] = data.items
  expect(item).toMatchObject({
    id: 2001,
    schedule_id: 2001,
    name: 'Platform, week by week',
    schedule_name: 'Platform, week by week',
    group_id: 123,
    team_id: 123,
    account_id: 10023,
    disabled: 0,
    status: 0,
    final_schedule: { layer_name: '', name: '', mode: 0 },
    cur_oncall: { start: Date.UTC(2026, 0, 19, 9) / 1000, end: Date.UTC(2026, 0, 26, 9) / 1000, index: 0 },
    next_oncall: { start: Date.UTC(2026, 0, 26, 9) / 1000, index: 1, group: { members: [{ person_ids: [80013] }] } },
    notify: {
      advance_in_time: 300,
      fixed_time: { cycle: 'day', start: '09:00' },
      by: { follow_preference: false, personal_channels: ['email'] },
      webhooks: [
        {
          type: 'feishu_app',
          settings: { token: '', alias: 'team', data_source_id: 0, chat_ids: [], verify_token: '', sign_secret: '' },
        },
      ],
    },
  })
  expect(item.layers).toHaveLength(1)
  expect(item.schedule_layers).toEqual(item.layer_schedules)
  expect(text).not.toContain('secret-')
})

it('returns null for an empty schedule', async () => {
  const [item] = (await infos({ schedule_ids: [2003] })).data.items
  expect(item).toMatchObject({
    layers: null,
    schedule_layers: null,
    layer_schedules: null,
    cur_oncall: null,
    next_oncall: null,
    final_schedule: { schedules: null },
    notify: { fixed_time: null, webhooks: null },
  })
})

it('refuses a time span beyond the last year in the calendar', async () => {
  const end = 8_640_000_000_000
  const asked = { schedule_id: 2001, start: end - 86_400, end }
  expect(await caller.post('/schedule/info', asked)).toMatchObject({ status: 400, code: 'InvalidParameter' })
  expect((await caller.post('/schedule/list', { ...asked, p: 1, limit: 20 })).status).toBe(400)
})

it.each([{ restrict_end: 2e6 }, { restrict_periods: [{ restrict_start: 2e6, restrict_end: 0 }] }])(
  'refuses %j, which is later than any week',
  async (restricted) => {
    const layer = { layer_start: 1, groups: [], restrict_mode: 1, ...restricted }
    const answer = await caller.post('/schedule/create', { schedule_name: 'Late', layers: [layer] })
    expect(answer).toMatchObject({ status: 400, code: 'InvalidParameter' })
  },
)
