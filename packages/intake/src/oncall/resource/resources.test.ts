import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestIntake, type TestIntake, useIntake } from '../../testing.ts'

const intake = useIntake({ listen: false }, { beforeAll, beforeEach, afterAll })
const TEMPLATE = '6621b23f4a2c5e0012ab34d1'
const TARGET = { person_ids: [80011], by: { follow_preference: true } }

async function data(path: string, body: object = {}) {
  const { data, error } = await intake.call(path, body)
  if (error) throw new Error(`${path}: ${error.message}`)
  return data
}
const codeOf = async (path: string, body: object, key?: string) =>
  (await intake.call(path, body, key === undefined ? {} : { key })).error?.code

describe('teams', () => {
  it('creates, finds, changes and deletes teams', async () => {
    const { team_id } = await data('/team/upsert', { team_name: 'Search', ref_id: 'hr-7', person_ids: [80011, 80012] })
    expect(await data('/team/info', { ref_id: 'hr-7' })).toMatchObject({
      team_id,
      person_ids: [80011, 80012],
      creator_name: 'Alice',
    })
    await data('/team/upsert', { team_id, team_name: 'Finding', emails: ['carol@example.com'] })
    expect(await data('/team/info', { team_name: 'Finding' })).toMatchObject({ person_ids: [80013], ref_id: 'hr-7' })
    expect((await data('/team/list', { query: 'find' })).items).toHaveLength(1)
    expect((await data('/team/list', { person_id: 80012 })).items).toMatchObject([{ team_name: 'Payments' }])
    expect((await data('/team/infos', { team_ids: [team_id, 9] })).items).toMatchObject([{ team_name: 'Finding' }])
    await data('/team/delete', { team_id })
    expect(await codeOf('/team/info', { team_id })).toBe('ResourceNotFound')
  })

  it('refuses impossible changes to teams', async () => {
    expect(await codeOf('/team/upsert', { team_name: 'Platform' })).toBe('InvalidParameter')
    expect(await data('/team/upsert', { team_name: 'Platform', reset_if_name_exist: true })).toMatchObject({
      team_id: 123,
    })
    expect(await codeOf('/team/upsert', { team_name: 'X', person_ids: [1] })).toBe('InvalidParameter')
    expect(await codeOf('/team/delete', { team_id: 123 })).toBe('ReferenceExist')
    const { team_id } = await data('/team/upsert', { team_name: 'Nightly' })
    const managed = { team_id: 123, channel_name: 'Managed', managing_team_ids: [team_id] }
    const { channel_id } = await data('/channel/create', managed)
    expect(await codeOf('/team/delete', { team_id })).toBe('ReferenceExist')
    await data('/channel/update', { channel_id, managing_team_ids: [] })
    const rule = { name: 'Nightly', prompt: 'What broke?', cron_expr: '0 1 * * *', team_id }
    const { rule_id } = await data('/safari/automation/rule/create', rule)
    expect(await codeOf('/team/delete', { team_id })).toBe('ReferenceExist')
    await data('/safari/automation/rule/delete', { rule_id })
    await data('/team/delete', { team_id })
    expect(await codeOf('/team/info', {})).toBe('InvalidParameter')
    expect(await codeOf('/team/upsert', { team_name: 'X' }, 'dev-member-app-key')).toBe('AccessDenied')
  })

  it('changes the permissions of team members at once', async () => {
    const mine = async () =>
      (await intake.call('/channel/list', { is_my_team: true }, { key: 'dev-member-app-key' })).data.total
    expect(await mine()).toBe(2)
    await data('/team/upsert', { team_id: 123, team_name: 'Platform', person_ids: [80011, 80012] })
    expect(await mine()).toBe(5)
  })
})

describe('members and the account', () => {
  it('lists members and the account, and looks them up', async () => {
    expect(await data('/member/list', { query: 'alice@' })).toMatchObject({
      total: 1,
      items: [{ member_id: 80011, member_name: 'Alice', account_role_ids: [2], time_zone: 'UTC' }],
    })
    expect((await data('/person/infos', { person_ids: [80012, 1] })).items).toMatchObject([{ person_name: 'Bob' }])
    expect(await data('/account/info')).toMatchObject({ account_id: 10023, account_name: 'Example' })
  })
})

describe('channels', () => {
  it('creates channels with a first rule, changes, enables and disables them, and deletes them with their rules', async () => {
    const { channel_id } = await data('/channel/create', {
      team_id: 123,
      channel_name: 'Search',
      group: { method: 'p', time_window: 10 },
      escalate_rule: { template_id: TEMPLATE, target: TARGET },
    })
    expect(await data('/channel/info', { channel_id })).toMatchObject({
      creator_id: 80011,
      status: 'enabled',
      group: { method: 'p', time_window: 10 },
      last_incident_at: 0,
    })
    expect((await data('/channel/escalate/rule/list', { channel_id })).items).toMatchObject([{ rule_name: 'Default' }])
    await data('/channel/update', { channel_id, description: 'Of search' })
    await data('/channel/disable', { channel_id })
    expect((await data('/channel/infos', { channel_ids: [channel_id, 7001] })).items).toMatchObject([
      { channel_name: 'Search', description: 'Of search', status: 'disabled' },
    ])
    await data('/channel/enable', { channel_id })
    expect((await data('/channel/list', { query: 'of search' })).items).toMatchObject([{ status: 'enabled' }])
    await data('/channel/delete', { channel_id })
    expect(await codeOf('/channel/info', { channel_id })).toBe('ResourceNotFound')
    expect(await codeOf('/channel/escalate/rule/list', { channel_id })).toBe('ResourceNotFound')
  })

  it('requires existing teams for channels, and lets only their managers use private ones', async () => {
    expect(await codeOf('/channel/create', { team_id: 9, channel_name: 'X' })).toBe('InvalidParameter')
    expect(await codeOf('/channel/info', { channel_id: 1001 }, 'other-app-key')).toBe('ResourceNotFound')
    const { channel_id } = await data('/channel/create', { team_id: 123, channel_name: 'Secret', is_private: true })
    expect(await codeOf('/channel/info', { channel_id }, 'dev-member-app-key')).toBe('ResourceNotFound')
    const rule = { channel_id, template_id: TEMPLATE, rule_name: 'Who is woken', layers: [{ target: TARGET }] }
    const { rule_id } = await data('/channel/escalate/rule/create', rule)
    for (const [action, body] of [
      ['list', { channel_id }],
      ['info', { channel_id, rule_id }],
    ] as const) {
      expect(await codeOf(`/channel/escalate/rule/${action}`, body)).toBeUndefined()
      expect(await codeOf(`/channel/escalate/rule/${action}`, body, 'dev-member-app-key')).toBe('ResourceNotFound')
    }
  })
})

describe('escalation rules', () => {
  it('creates, enables, disables and deletes escalation rules', async () => {
    const rule = { channel_id: 1001, template_id: TEMPLATE, rule_name: 'At night', layers: [{ target: TARGET }] }
    const { rule_id } = await data('/channel/escalate/rule/create', rule)
    await data('/channel/escalate/rule/disable', { channel_id: 1001, rule_id })
    const info = () => data('/channel/escalate/rule/info', { channel_id: 1001, rule_id })
    expect(await info()).toMatchObject({ rule_name: 'At night', status: 'disabled', channel_name: 'Production Alerts' })
    await data('/channel/escalate/rule/enable', { channel_id: 1001, rule_id })
    expect((await info()).status).toBe('enabled')
    await data('/channel/escalate/rule/delete', { channel_id: 1001, rule_id })
    expect(await codeOf('/channel/escalate/rule/delete', { channel_id: 1001, rule_id })).toBe('ResourceNotFound')
    expect(await codeOf('/channel/escalate/rule/create', { ...rule, layers: [{ target: {} }] })).toBe(
      'InvalidParameter',
    )
  })
})

describe('schedules', () => {
  it('creates schedules, computes them for a time span, changes and deletes them', async () => {
    const start = 1_767_603_600
    const layers = [
      {
        layer_name: 'Primary',
        mode: 0,
        layer_start: start,
        rotation_unit: 'day',
        rotation_value: 1,
        groups: [{ group_name: 'A', members: [{ role_id: 0, person_ids: [80011] }] }],
      },
    ]
    const notify = { webhooks: [{ type: 'slack', settings: { token: 'xoxb-secret', alias: 'team' } }] }
    const { schedule_id } = await data('/schedule/create', { schedule_name: 'Days', team_id: 123, layers, notify })
    const info = await data('/schedule/info', { schedule_id, start, end: start + 2 * 86_400 })
    expect(info).toMatchObject({ schedule_name: 'Days', start, end: start + 2 * 86_400, create_by: 80011 })
    expect(info.final_schedule.schedules.length).toBeGreaterThan(0)
    expect(info.cur_oncall.group.members).toEqual([{ role_id: 0, person_ids: [80011] }])
    expect(info.notify.webhooks[0].settings).toMatchObject({ token: '', alias: 'team' })
    await data('/schedule/update', { schedule_id, name: 'Nights' })
    expect((await data('/schedule/list', { query: 'night' })).items).toMatchObject([{ schedule_id, team_id: 123 }])
    expect(await codeOf('/schedule/update', { schedule_id, schedule_name: '' })).toBe('InvalidParameter')
    expect(await codeOf('/schedule/create', { name: '' })).toBe('InvalidParameter')
    await data('/schedule/update', { schedule_id, schedule_name: '', name: 'Evenings' })
    expect((await data('/schedule/info', { schedule_id })).name).toBe('Evenings')
    await data('/schedule/delete', { schedule_ids: [schedule_id] })
    expect(await codeOf('/schedule/info', { schedule_id })).toBe('ResourceNotFound')
    expect(await codeOf('/schedule/info', { schedule_id: 2001, start, end: start + 46 * 86_400 })).toBe(
      'InvalidParameter',
    )
  })

  it('does not delete a schedule that an escalation rule notifies', async () => {
    const [used, free] = await Promise.all(['used', 'free'].map((name) => data('/schedule/create', { name })))
    const target = { schedule_to_role_ids: { [used.schedule_id]: [1] }, by: { follow_preference: true } }
    const rule = { channel_id: 1001, template_id: TEMPLATE, rule_name: 'By schedule', layers: [{ target }] }
    const { rule_id } = await data('/channel/escalate/rule/create', rule)
    const both = { schedule_ids: [free.schedule_id, used.schedule_id] }
    expect(await codeOf('/schedule/delete', both)).toBe('ReferenceExist')
    expect((await data('/schedule/infos', both)).items).toHaveLength(2)
    await data('/channel/escalate/rule/delete', { channel_id: 1001, rule_id })
    await data('/schedule/delete', both)
  })
})

it('ignores fields that the service does not support', async () => {
  const later = { later: 'unknown' }
  const { channel_id } = await data('/channel/create', { team_id: 123, channel_name: 'Search', ...later })
  const rule = { channel_id, template_id: TEMPLATE, rule_name: 'Search', layers: [{ target: { ...TARGET, ...later } }] }
  await data('/channel/escalate/rule/create', { ...rule, ...later })
  const { schedule_id } = await data('/schedule/create', { name: 'Search', notify: later, ...later })
  const { incident_id } = await data('/incident/create', { incident_severity: 'Info', assigned_to: later })
  await data('/incident/reset', { incident_id, title: 'Search', ...later })
  const answers = [
    await data('/channel/info', { channel_id }),
    await data('/channel/escalate/rule/list', { channel_id }),
    await data('/schedule/info', { schedule_id }),
    await data('/incident/info', { incident_id }),
  ]
  expect(JSON.stringify(answers)).not.toContain('unknown')
})

it('leaves no visible effect of a refused change', async () => {
  const before = await intake.call('/team/list', {})
  const { error } = await intake.call('/team/upsert', { team_name: 'Half', person_ids: [80011, 1] })
  expect(error?.code).toBe('InvalidParameter')
  expect((await intake.call('/team/list', {})).data).toEqual(before.data)
})

it('shares changes between two intakes in one directory', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'symup-resources-'))
  const intakes = [await openTestIntake({ listen: false, dataDir }), await openTestIntake({ listen: false, dataDir })]
  const [one, other] = intakes as [TestIntake, TestIntake]
  for (const [writer, reader] of [
    [one, other],
    [other, one],
  ] as const) {
    const { data: made } = await writer.call('/channel/create', { team_id: 123, channel_name: 'Search' })
    await reader.call('/channel/update', { channel_id: made.channel_id, description: 'of search' })
    for (const intake of intakes) {
      const { data } = await intake.call('/channel/info', { channel_id: made.channel_id })
      expect(data).toMatchObject({ channel_name: 'Search', description: 'of search' })
    }
  }
  for (const intake of intakes) await intake.close()
  rmSync(dataDir, { recursive: true })
})

it('keeps changes until the next start, in addition to the seed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'symup-resources-'))
  const first = await openTestIntake({ listen: false, dataDir })
  const { data: team } = await first.call('/team/upsert', { team_name: 'Search', person_ids: [80012] })
  await first.call('/channel/delete', { channel_id: 1003 })
  await first.call('/incident/create', { incident_severity: 'Info', title: 'Kept', channel_id: 456 })
  await first.close()
  const second = await openTestIntake({ listen: false, dataDir })
  expect((await second.call('/team/info', { team_id: team.team_id })).data.person_ids).toEqual([80012])
  expect((await second.call('/channel/info', { channel_id: 1003 })).error?.code).toBe('ResourceNotFound')
  const range = { start_time: 0, end_time: 4_000_000_000 }
  expect((await second.call('/incident/list', { ...range, query: 'Kept' })).data.total).toBe(1)
  await second.close()
  rmSync(dataDir, { recursive: true })
})
