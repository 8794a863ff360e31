import { describe, expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const RULE = {
  channel_id: 1001,
  rule_id: '6621b23f4a2c5e0012ab34d0',
  template_id: '6621B23F4A2C5E0012AB34D1',
  rule_name: 'Default',
  layers: [{ target: { person_ids: [80011], by: { critical: ['voice'] } } }],
}

const caller = useCaller({}, { keeps: true })

const update = (changes: object) => caller.post('/channel/escalate/rule/update', { ...RULE, ...changes })
const read = async () =>
  (await caller.post('/channel/escalate/rule/info', { channel_id: 1001, rule_id: RULE.rule_id })).data
const layer = (target: object) => ({ layers: [{ target }] })
const by = { follow_preference: true }

it('returns times in seconds', async () => {
  await update({})
  const seconds = Date.now() / 1000
  const { created_at, updated_at } = await read()
  for (const time of [created_at, updated_at]) expect(Math.abs(time - seconds)).toBeLessThan(3600)
})

it('lists rules by priority, the lowest number first', async () => {
  await update({ priority: 5 })
  const { rule_id: _, ...rule } = RULE
  const others: { rule_id: string }[] = []
  for (const priority of [9, 1])
    others.push((await caller.post('/channel/escalate/rule/create', { ...rule, priority })).data)
  const { items } = (await caller.post('/channel/escalate/rule/list', { channel_id: 1001 })).data
  expect(items.map((item: { priority: number }) => item.priority)).toEqual([1, 5, 9])
  for (const { rule_id } of others) await caller.post('/channel/escalate/rule/delete', { channel_id: 1001, rule_id })
})

describe('an accepted escalation rule', () => {
  it.each<[string, object]>([
    ['the minimal fields', {}],
    ['a name of 39 characters from any Unicode plane', { rule_name: '😀'.repeat(39) }],
    ['a description of 500 characters', { description: '字'.repeat(500) }],
    ['teams with webhooks', layer({ team_ids: [1], webhooks: [{ type: 'feishu_app', settings: { url: 'x' } }] })],
    ['schedules', layer({ schedule_to_role_ids: { '2001': [1] }, by })],
    ['e-mail', layer({ emails: ['a@example.com'], by })],
    ['windows', { time_filters: [{ start: '22:00', end: '06:30', repeat: [0, 6], is_off: false }] }],
    [
      'conditions',
      {
        filters: [
          [{ key: 'env', oper: 'IN', vals: ['prod', '/^pay-[a-z]+$/'] }],
          [{ key: 'a', oper: 'NOTIN', vals: [] }],
        ],
      },
    ],
    [
      'a pattern that backtracks exponentially in other engines',
      { filters: [[{ key: 'k', oper: 'IN', vals: ['/(a+)+$/'] }]] },
    ],
  ])('accepts %s', async (_, changes) => {
    const answer = await update(changes)
    expect([answer.status, answer.data]).toEqual([200, {}])
    expect(await read()).toMatchObject({ ...RULE, ...changes })
  })
})

describe('an escalation rule update', () => {
  it.each<[object, string]>([
    [layer({ by }), 'layers[0].target'],
    [layer({ person_ids: [], by }), 'layers[0].target'],
    [layer({ person_ids: [1] }), 'layers[0].target'],
    [layer({ person_ids: [1], by: {} }), 'layers[0].target'],
    [layer({ person_ids: [1], by: { follow_preference: false } }), 'layers[0].target'],
    [layer({ person_ids: [1], webhooks: [] }), 'layers[0].target'],
    [layer({ schedule_to_role_ids: { x: [1] }, by }), 'layers[0].target.schedule_to_role_ids'],
    [{ layers: [...RULE.layers, { ...RULE.layers[0], max_times: 7 }] }, 'layers[1].max_times'],
    [{ time_filters: [{ start: '24:00' }] }, 'time_filters[0].start'],
    [{ filters: [[], [{ key: 'k', oper: 'IN', vals: ['ok', '/(/'] }]] }, 'filters[1][0].vals[1]'],
    [{ filters: [[{ key: 'k', oper: 'IN', vals: [`/${'a'.repeat(10_001)}/`] }]] }, 'filters[0][0].vals[0]'],
    [{ filters: [[{ key: 'k', oper: 'IN', vals: ['/(?<=a)b/'] }]] }, 'filters[0][0].vals[0]'],
    [{ filters: [[{ key: 'k', oper: 'IN', vals: Array(11).fill('/(a{999})/') }]] }, 'filters[0][0].vals[9]'],
  ])('refuses %j with the name of the field %s, and changes nothing', async (changes, field) => {
    const before = await read()
    const answer = await update(changes)
    expect(answer).toMatchObject({ status: 400, code: 'InvalidParameter' })
    expect(answer.message).toContain(`parameter ${field} is not valid.`)
    expect(await read()).toEqual(before)
  })

  it('refuses unknown rules', async () => {
    expect(await update({ channel_id: 9 })).toMatchObject({ status: 400, code: 'ResourceNotFound' })
    expect(await update({ channel_id: 1002 })).toMatchObject({ code: 'ResourceNotFound' })
    expect(await update({ rule_id: 'f'.repeat(24) })).toMatchObject({ code: 'ResourceNotFound' })
  })
})

it('replaces the whole rule, and absent fields return to their defaults', async () => {
  await update({ priority: 7, aggr_window: 60, description: 'd', time_filters: [{ start: '01:00' }] })
  expect(await read()).toMatchObject({
    priority: 7,
    aggr_window: 60,
    description: 'd',
    channel_name: 'Production Alerts',
  })
  await update({ rule_id: RULE.rule_id.toUpperCase() })
  const defaults = { priority: 0, aggr_window: 0, description: '', time_filters: [], filters: [] }
  const rule = await read()
  expect(rule).toMatchObject({ ...RULE, ...defaults, status: 'enabled', updated_by: 80011, account_id: 10023 })
  expect((await caller.post('/channel/escalate/rule/list', { channel_id: 1001 })).data.items).toEqual([rule])
  expect((await caller.post('/channel/escalate/rule/list', { channel_id: 1002 })).data.items).toEqual([])
})

it('keeps every digit of 64-bit ids', async () => {
  const body = JSON.stringify(RULE).replace('[80011]', '[9007199254740993]')
  expect((await caller.post('/channel/escalate/rule/update', body)).status).toBe(200)
  const { text } = await caller.post('/channel/escalate/rule/list', { channel_id: 1001 })
  expect(text).toContain('"person_ids":[9007199254740993]')
})
