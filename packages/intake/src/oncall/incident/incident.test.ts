import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useIntake } from '../../testing.ts'

const intake = useIntake({ listen: false }, { beforeAll, beforeEach, afterAll })
const RANGE = { start_time: 0, end_time: 4_000_000_000 }
const SEEDED = '69da451ef77b1b51f40e83ee'

async function create(fields: object = {}): Promise<string> {
  const incident = { incident_severity: 'Warning', title: 'Checkout is slow', channel_id: 456, ...fields }
  return (await intake.call('/incident/create', incident)).data.incident_id
}

async function info(incident_id: string) {
  return (await intake.call('/incident/info', { incident_id })).data
}

async function channel(channel_id = 456) {
  return (await intake.call('/channel/info', { channel_id })).data
}

describe('an incident', () => {
  it('moves an incident from triggered to processing to closed and back, and shows it in the timeline', async () => {
    const id = await create({ assigned_to: { type: 'assign', person_ids: [80012] } })
    expect(await info(id)).toMatchObject({
      progress: 'Triggered',
      incident_status: 'Warning',
      channel_name: 'On-call',
      creator: { person_name: 'Alice' },
      responders: [{ person_id: 80012, person_name: 'Bob', acknowledged_at: 0 }],
      num: id.slice(-6).toUpperCase(),
    })
    await intake.call('/incident/ack', { incident_ids: [id] })
    expect(await info(id)).toMatchObject({
      progress: 'Processing',
      ack_time: expect.any(Number),
      responders: [{ person_id: 80012 }, { person_id: 80011, person_name: 'Alice' }],
    })
    await intake.call('/incident/unack', { incident_ids: [id] })
    expect(await info(id)).toMatchObject({ progress: 'Triggered', ack_time: 0 })
    await intake.call('/incident/snooze', { incident_ids: [id], minutes: 10 })
    expect((await info(id)).snoozed_before).toBeGreaterThan(Date.now() / 1000 + 500)
    await intake.call('/incident/wake', { incident_ids: [id] })
    await intake.call('/incident/resolve', { incident_ids: [id], root_cause: 'a full disk' })
    expect(await info(id)).toMatchObject({
      progress: 'Closed',
      incident_status: 'Ok',
      closer: { person_name: 'Alice' },
      root_cause: 'a full disk',
    })
    await intake.call('/incident/reopen', { incident_ids: [id], reason: 'it came back' })
    await intake.call('/incident/comment', { incident_ids: [id], comment: 'looking' })
    await intake.call('/incident/reset', { incident_id: id, title: 'Checkout is down', incident_severity: 'Critical' })
    await intake.call('/incident/field/reset', { incident_id: id, field_name: 'env', field_value: ['a', 'b'] })
    expect(await info(id)).toMatchObject({
      title: 'Checkout is down',
      progress: 'Triggered',
      fields: { env: ['a', 'b'] },
    })
    const { data } = await intake.call('/incident/feed', { incident_id: id, limit: 100, asc: true })
    expect(data.items.map(({ type }: { type: string }) => type)).toEqual([
      'i_new',
      'i_assign',
      'i_ack',
      'i_unack',
      'i_snooze',
      'i_wake',
      'i_rslv',
      'i_reopen',
      'i_comm',
      'i_r_title',
      'i_r_severity',
      'i_r_field',
    ])
    expect(data.items[9]).toMatchObject({
      detail: { from: 'Checkout is slow', to: 'Checkout is down' },
      creator_id: 80011,
    })
  })

  it('updates the counts, rank and date of the channel of an incident', async () => {
    const id = await create({ incident_severity: 'Critical' })
    const { start_time } = await info(id)
    expect(await channel()).toMatchObject({
      progress_to_incident_cnts: { Triggered: 1, Processing: 0 },
      active_incident_highest_severity: 'Critical',
      last_incident_at: start_time,
    })
    const ranked = await intake.call('/channel/list', { orderby: 'ranking', limit: 1 })
    expect(ranked.data.items[0].channel_id).toBe(456)
    await intake.call('/incident/ack', { incident_ids: [id] })
    expect((await channel()).progress_to_incident_cnts).toEqual({ Triggered: 0, Processing: 1 })
    await intake.call('/incident/resolve', { incident_ids: [id] })
    expect(await channel()).toMatchObject({ active_incident_highest_severity: '', last_incident_at: start_time })
    await create({ incident_severity: 'Info' })
    await intake.call('/incident/remove', { incident_ids: [id] })
    expect((await channel()).active_incident_highest_severity).toBe('Info')
    expect((await intake.call('/incident/info', { incident_id: id })).error?.code).toBe('ResourceNotFound')
  })

  it('starts the rules that watch the channel and severity of an incident', async () => {
    const watch = { oncall_incident_trigger_enabled: true, oncall_incident_channel_ids: [456] }
    const rule = {
      name: 'Triage',
      prompt: 'Look',
      cron_expr: '0 9 * * *',
      schedule_trigger_enabled: false,
      enabled: true,
    }
    await intake.call('/safari/automation/rule/create', { ...rule, ...watch, oncall_incident_severities: ['Critical'] })
    await create({ incident_severity: 'Warning' })
    await create({ incident_severity: 'Critical', channel_id: 1001 })
    expect(await intake.runs()).toEqual([])
    const id = await create({ incident_severity: 'Critical' })
    expect(await intake.runs()).toMatchObject([{ trigger_kind: 'oncall_incident', input: expect.stringContaining(id) }])
  })

  it('finds incidents by time, state, severity, words, people and page', async () => {
    const ids = [await create({ title: 'One' }), await create({ title: 'Two', incident_severity: 'Info' })]
    await intake.call('/incident/ack', { incident_ids: [ids[1]] })
    const titles = async (filter: object) =>
      (await intake.call('/incident/list', { ...RANGE, ...filter })).data.items.map(
        ({ title }: { title: string }) => title,
      )
    expect((await titles({})).sort()).toEqual(['One', 'Payments fail', 'Two'])
    expect(await titles({ progress: 'Processing,Closed' })).toEqual(['Two'])
    expect(await titles({ incident_severity: 'Critical' })).toEqual(['Payments fail'])
    expect(await titles({ query: 'on' })).toEqual(['One'])
    expect(await titles({ query: ids[0]?.slice(-6) })).toEqual(['One'])
    expect(await titles({ acker_ids: [80011] })).toEqual(['Two'])
    expect(await titles({ team_ids: [124] })).toEqual(['Payments fail'])
    expect(await titles({ channel_ids: [456], p: 0, limit: 0 })).toHaveLength(2)
    const first = (await intake.call('/incident/list', { ...RANGE, limit: 2 })).data
    expect(first).toMatchObject({ total: 3, has_next_page: true })
    expect(await titles({ search_after_ctx: first.search_after_ctx })).toEqual(['Payments fail'])
    expect((await intake.call('/incident/list', { ...RANGE, progress: 'Open' })).error?.message).toContain('Triggered')
    expect((await intake.call('/incident/list-by-ids', { incident_ids: [SEEDED, '0'.repeat(24)] })).data.total).toBe(1)
  })

  it.each([false, true])('lists an incident once, even if the previous page changes (asc: %s)', async (asc) => {
    const made = [await create(), await create(), await create({ title: 'Three' })]
    for (const done of ['ack', 'remove']) {
      const seen: string[] = []
      let search_after_ctx = ''
      do {
        const filter = { ...RANGE, asc, channel_ids: [456], limit: 1, search_after_ctx }
        const { data } = await intake.call('/incident/list', {
          ...filter,
          ...(done === 'ack' && { progress: 'Triggered' }),
        })
        const incident_ids = data.items.map(({ incident_id }: { incident_id: string }) => incident_id)
        await intake.call(`/incident/${done}`, { incident_ids })
        seen.push(...incident_ids)
        search_after_ctx = data.has_next_page ? data.search_after_ctx : ''
      } while (search_after_ctx !== '')
      expect(seen).toEqual(asc ? made : made.toReversed())
    }
    const wrong = await intake.call('/incident/list', { ...RANGE, search_after_ctx: 'nowhere' })
    expect(wrong.error?.message).toContain('search_after_ctx')
  })

  it('finds incidents among many, newest first', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const [at, count] of [
      [now - 90, 3],
      [now - 80, 410],
      [now - 70, 40],
    ] as const) {
      await intake.call('/__test/clock', { time: at * 1000 })
      await Promise.all(Array.from({ length: count }, () => create({ title: `At ${at}` })))
    }
    await intake.call('/__test/clock', { real: true })
    const starts: number[] = []
    const ids = new Set<string>()
    for (let p = 1; p <= 5; p++) {
      const page = { start_time: now - 100, end_time: now, title: 'At ', limit: 100, p }
      const { data } = await intake.call('/incident/list', page)
      expect(data.total).toBe(453)
      for (const { start_time, incident_id } of data.items) {
        starts.push(start_time)
        ids.add(incident_id)
      }
    }
    expect([starts.length, ids.size]).toEqual([453, 453])
    expect(starts).toEqual([...starts].sort((a, b) => b - a))
  })

  it('removes the acknowledgement when an incident is reopened', async () => {
    const incident_ids = [await create()]
    for (const step of ['ack', 'resolve', 'reopen']) await intake.call(`/incident/${step}`, { incident_ids })
    expect(await info(incident_ids[0] as string)).toMatchObject({ ack_time: 0, responders: [{ acknowledged_at: 0 }] })
    expect((await intake.call('/incident/list', { ...RANGE, acker_ids: [80011] })).data.total).toBe(0)
  })

  it('changes only if the caller may change every incident in the request', async () => {
    const id = await create()
    const keys = ['dev-member-app-key', 'other-app-key']
    const answers = await Promise.all(keys.map((key) => intake.call('/incident/ack', { incident_ids: [id] }, { key })))
    expect(answers.map(({ error }) => error?.code)).toEqual(['AccessDenied', 'ResourceNotFound'])
    const both = await intake.call('/incident/ack', { incident_ids: [id, '0'.repeat(24)] })
    expect(both.error?.message).toContain('0'.repeat(24))
    expect((await info(id)).progress).toBe('Triggered')
    expect((await intake.call('/incident/reset', { incident_id: id })).error?.code).toBe('InvalidParameter')
  })
})
