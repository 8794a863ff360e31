import { useIntake } from '@symup/intake/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

// Bodies as the service's Terraform provider and Go SDK send them (with the same fields omitted), and the response fields that they read.

const intake = useIntake({ listen: false }, { beforeAll, beforeEach, afterAll })

async function send(path: string, body: object) {
  const { data, error } = await intake.call(path, body, { headers: { accept: 'application/json' } })
  if (error) throw new Error(`${path}: ${error.message}`)
  return data
}

describe('requests from the Terraform provider', () => {
  const team = async () =>
    (await send('/team/upsert', { team_name: 'TF', description: '', person_ids: [80011] })).team_id

  it('creates, reads, updates and deletes a team', async () => {
    const team_id = await team()
    expect(await send('/team/info', { team_name: 'TF' })).toMatchObject({
      team_id,
      person_ids: [80011],
      creator_id: 80011,
    })
    await send('/team/upsert', { team_id, team_name: 'TF2', description: 'd' })
    const { items, p, limit, total } = await send('/team/list', { p: 1, limit: 100, query: 'TF2' })
    expect([p, limit, total, items[0]]).toMatchObject([
      1,
      100,
      1,
      { team_id, description: 'd', updated_by_name: 'Alice' },
    ])
    await send('/team/delete', { team_id })
    await expect(send('/team/info', { team_id })).rejects.toThrow('not found')
  })

  it('creates, reads, updates and deletes a channel and its escalation rule', async () => {
    const group = {
      method: 'p',
      cases: [{ if: [{ key: 'env', oper: 'IN', vals: ['prod'] }], equals: ['labels.service'] }],
      equals: [['labels.host']],
      time_window: 5,
      storm_thresholds: [10],
    }
    const flapping = { is_disabled: false, max_changes: 4, in_mins: 60, mute_mins: 120 }
    const channel = {
      team_id: await team(),
      auto_resolve_timeout: 3600,
      auto_resolve_mode: 'trigger',
      is_private: false,
    }
    const { channel_id } = await send('/channel/create', { channel_name: 'tf', ...channel, group, flapping })
    await send('/channel/update', { channel_id, channel_name: 'tf 2', disable_auto_close: true })
    await send('/channel/disable', { channel_id })
    expect(await send('/channel/info', { channel_id })).toMatchObject({
      ...channel,
      channel_name: 'tf 2',
      disable_auto_close: true,
      status: 'disabled',
      group,
      flapping,
    })

    const webhooks = [{ type: 'slack', settings: { token: 'xoxb-marked', alias: 'ops' } }]
    const target = { person_ids: [80011], schedule_to_role_ids: { 2001: [1] }, by: { follow_preference: true } }
    const layer = { max_times: 3, notify_step: 1.5, escalate_window: 30 }
    const rule = {
      channel_id,
      template_id: '6321aad26c12104586a88916',
      aggr_window: 0,
      layers: [{ ...layer, target: { ...target, webhooks } }],
      time_filters: [{ start: '09:00', end: '18:00', repeat: [1, 2] }],
      filters: [[{ key: 'severity', oper: 'IN', vals: ['Critical'] }]],
    }
    const { rule_id } = await send('/channel/escalate/rule/create', { rule_name: 'r', ...rule })
    await send('/channel/escalate/rule/update', { rule_id, rule_name: 'r 2', priority: 0, ...rule })
    await send('/channel/escalate/rule/disable', { channel_id, rule_id })
    const kept = await send('/channel/escalate/rule/info', { channel_id, rule_id })
    const { layers: _, ...flat } = rule
    expect(kept).toMatchObject({ ...flat, rule_name: 'r 2', status: 'disabled', layers: [{ ...layer, target }] })
    expect(JSON.stringify(kept)).not.toContain('xoxb-marked')
    expect((await send('/channel/escalate/rule/list', { channel_id })).items).toEqual([kept])
    await send('/channel/escalate/rule/delete', { channel_id, rule_id })
    await send('/channel/delete', { channel_id })
    await expect(send('/channel/info', { channel_id })).rejects.toThrow('not found')
  })

  it('creates, reads, updates and deletes a schedule', async () => {
    const layer = {
      layer_name: 'l',
      mode: 0,
      groups: [{ group_name: 'A', members: [{ role_id: 1, person_ids: [80011] }] }],
      fair_rotation: false,
      handoff_time: 32_400,
      layer_start: 1_767_603_600,
      restrict_mode: 1,
      restrict_periods: [{ restrict_start: 32_400, restrict_end: 64_800 }],
      day_mask: { repeat: [1, 2] },
      mask_continuous_enabled: false,
      rotation_unit: 'day',
      rotation_value: 1,
    }
    const notify = {
      advance_in_time: 300,
      fixed_time: { cycle: 'day', start: '09:00' },
      by: { follow_preference: true },
    }
    const schedule = { description: '', status: 0, team_id: await team(), layers: [layer], notify }
    const { schedule_id } = await send('/schedule/create', { schedule_name: 'tf', ...schedule })
    const week = { start: 1_767_603_600, end: 1_768_208_400 }
    const kept = await send('/schedule/info', { schedule_id, ...week })
    expect(kept).toMatchObject({ schedule_name: 'tf', ...schedule })
    // Clients send the received fields back when they update a schedule.
    await send('/schedule/update', { schedule_id, schedule_name: 'tf 2', layers: kept.layers, notify: kept.notify })
    expect(await send('/schedule/info', { schedule_id, ...week })).toMatchObject({
      schedule_name: 'tf 2',
      layers: [layer],
    })
    await send('/schedule/delete', { schedule_ids: [schedule_id] })
  })

  it('creates and reads an incident', async () => {
    const assigned_to = { type: 'assign', person_ids: [80011] }
    const opened = { title: 'TF', incident_severity: 'Critical', channel_id: 1001, assigned_to }
    const { incident_id } = await send('/incident/create', opened)
    const texts = { title: 'TF 2', impact: 'i', root_cause: 'r', resolution: 's', incident_severity: 'Warning' }
    await send('/incident/reset', { incident_id, ...texts })
    expect(await send('/incident/info', { incident_id })).toMatchObject({ ...texts, assigned_to, channel_id: 1001 })
    await send('/incident/remove', { incident_ids: [incident_id] })
    await expect(send('/incident/info', { incident_id })).rejects.toThrow('not found')
  })
})

it('takes an incident through its states with requests from the Go SDK', async () => {
  const { incident_id } = await send('/incident/create', {
    title: 'sdk',
    incident_severity: 'Critical',
    channel_id: 1001,
  })
  const incident_ids = [incident_id]
  await send('/incident/ack', { incident_ids })
  await send('/incident/unack', { incident_ids })
  await send('/incident/snooze', { incident_ids, minutes: 10 })
  await send('/incident/wake', { incident_ids })
  await send('/incident/comment', { incident_ids, comment: 'c', mute_reply: false })
  await send('/incident/responder/add', { incident_id, person_ids: [80012] })
  await send('/incident/assign', { incident_ids, assigned_to: { type: 'assign', person_ids: [80011] } })
  await send('/incident/field/reset', { incident_id, field_name: 'region', field_value: 'eu' })
  await send('/incident/resolve', { incident_ids })
  await send('/incident/reopen', { incident_ids })
  const { items } = await send('/incident/feed', { incident_id, limit: 20, p: 1, asc: true })
  const types = items.map(({ type }: { type: string }) => type)
  const life = 'i_new i_ack i_unack i_snooze i_wake i_comm i_a_rspd i_assign i_r_field i_rslv i_reopen'.split(' ')
  expect(types).toEqual(life)
  expect(await send('/incident/alert/list', { incident_id, limit: 10, p: 1 })).toMatchObject({ total: 0, items: [] })
  const [listed] = (await send('/incident/list-by-ids', { incident_ids })).items
  expect(listed).toMatchObject({ progress: 'Triggered', fields: { region: 'eu' } })
  const people = await send('/person/infos', { person_ids: [80011, 80012] })
  expect(people.items.map(({ person_name }: { person_name: string }) => person_name)).toEqual(['Alice', 'Bob'])
  expect((await send('/team/infos', { team_ids: [123] })).items[0].team_name).toBe('Platform')
  expect((await send('/account/info', {})).account_name).toBe('Example')
  expect((await send('/member/list', { p: 1, limit: 100 })).total).toBe(3)
})
