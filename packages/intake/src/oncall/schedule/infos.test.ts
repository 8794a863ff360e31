import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, callIntake } from '../../test-support/calling.fixture.ts'

let caller: Caller
beforeAll(async () => {
  // A Wednesday of an even week after the rotation began.
  caller = await callIntake({ now: () => Date.UTC(2026, 0, 21, 12) })
})
afterAll(() => caller.intake.close())

const infos = (body: unknown) => caller.post('/schedule/infos', body)

it('answers in the order asked for, each once, and passes over the unknown', async () => {
  const { data } = await infos({ schedule_ids: [2003, 9, 2001, 2003] })
  expect(Object.keys(data)).toEqual(['items'])
  expect(data.items.map((item: { id: number }) => item.id)).toEqual([2003, 2001])
  expect((await infos({ schedule_ids: [] })).data).toEqual({ items: [] })
})

it('has twin fields, the rotation, and no secret', async () => {
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

it('is null where it is empty', async () => {
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

it.each([[{}], [{ schedule_ids: null }], [{ schedule_ids: 2001 }], [{ schedule_ids: '2001' }]])(
  'needs schedule_ids: %j',
  async (body) => expect((await infos(body)).message).toBe('The specified parameter schedule_ids is not valid.'),
)

it.each([['["2001"]'], ['[2001.5]'], ['[null]'], ['[9223372036854775808]']])('refuses the id %s', async (ids) => {
  expect((await infos(`{"schedule_ids":${ids}}`)).message).toContain('schedule_ids[0]')
})

it('others are answered while many turns are calculated', async () => {
  const layer = {
    layer_name: 'L',
    layer_start: 1_767_225_600,
    rotation_unit: 'hour',
    groups: [{ group_name: 'G', members: [] }],
  }
  for (let nth = 0; nth < 20; nth++)
    await caller.post('/schedule/create', { schedule_name: `s${nth}`, layers: [layer, layer, layer] })
  const answered: string[] = []
  const note = (name: string) => (answer: { status: number }) => answered.push(`${name} ${answer.status}`)
  const start = layer.layer_start
  const list = caller.post('/schedule/list', { limit: 20, start, end: start + 45 * 86_400 }).then(note('list'))
  await new Promise((go) => setTimeout(go, 20))
  await Promise.all([list, caller.post('/channel/list', {}).then(note('other'))])
  expect(answered).toEqual(['other 200', 'list 200'])
})

describe('a year by the hour', () => {
  const yearly = (people: number, layers: number) => ({
    schedule_name: 'year',
    layers: [
      { layer_name: 'M', layer_start: 1_767_225_600, rotation_unit: 'month', rotation_value: 7, groups: [] },
      ...Array.from({ length: layers }, (_, nth) => ({
        layer_name: `H${nth}`,
        layer_start: 1_767_225_600,
        rotation_unit: 'hour',
        groups: ['A', 'B'].map((group_name) => ({
          group_name,
          members: [{ person_ids: Array.from({ length: people }, (_, nth) => nth + 1) }],
        })),
      })),
    ],
  })
  const ask = async (people: number, layers = 1) => {
    const { data } = await caller.post('/schedule/create', yearly(people, layers))
    return (span = {}) => caller.post('/schedule/info', { schedule_id: data.schedule_id, ...span })
  }

  it('lets others work while it is calculated and written', async () => {
    // Enough of it for more than eight pieces on any machine.
    const info = await ask(1, 4)
    await info()
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    count()
    const { data } = await info()
    isDone = true
    expect(data.schedule_layers[1].schedules.length).toBeGreaterThan(8000)
    expect(data.layer_schedules).toEqual(data.schedule_layers)
    expect(data.final_schedule.schedules.length).toBeGreaterThan(8000)
    expect(turns).toBeGreaterThan(8)
  })

  it('is sent piece by piece, and a short span in one', async () => {
    const call = async (body: object) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
      const response = await fetch(`${caller.intake.url}/schedule/list?app_key=dev-app-key`, init)
      const { request_id, data } = (await response.json()) as { request_id: string; data: { items: unknown[] } }
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(request_id).toBe(response.headers.get('service-request-id'))
      return [data.items.length, response.headers.has('content-length')]
    }
    await ask(1)
    expect(await call({ limit: 1 })).toEqual([1, false])
    expect(await call({ limit: 1, start: 1_767_225_600, end: 1_767_225_601 })).toEqual([1, true])
  })

  it('is refused where it is more than one answer may have', async () => {
    const info = await ask(2000)
    expect(await info()).toMatchObject({ status: 413, code: 'EntityTooLarge', message: /shorter time: start and end/ })
    const start = 1_767_225_600
    expect((await info({ start, end: start + 86_400 })).data.schedule_layers[1].schedules).toHaveLength(24)
  })
})

it('a span beyond the last year that a calendar has is refused', async () => {
  const end = 8_640_000_000_000
  const asked = { schedule_id: 2001, start: end - 86_400, end }
  expect(await caller.post('/schedule/info', asked)).toMatchObject({ status: 400, code: 'InvalidParameter' })
  expect((await caller.post('/schedule/list', { ...asked, p: 1, limit: 20 })).status).toBe(400)
})
