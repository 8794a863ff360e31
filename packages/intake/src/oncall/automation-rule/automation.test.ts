import { beforeEach, describe, expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'
import { normalizeCron } from './cron.ts'

const RULE = 'arule_7NnLzY2Qp8xS4kUaV3mR6b'
const BOBS = 'arule_3bHn5tC9wQe7Zk1Rm4Xs8d'
const MONDAY = Date.UTC(2026, 0, 5)
const member = { key: 'dev-member-app-key' }

let time = MONDAY
beforeEach(() => {
  time = MONDAY
})
const caller = useCaller({ now: () => time })

const update = (changes: object, options = {}) =>
  caller.post('/safari/automation/rule/update', { rule_id: RULE, ...changes }, options)
const create = (rule: object, options = {}) =>
  caller.post(
    '/safari/automation/rule/create',
    { name: 'n', prompt: 'p', cron_expr: '* * * *', enabled: true, ...rule },
    options,
  )
const runs = async (body: object = {}) => (await caller.post('/safari/automation/run/list', body)).data.items
const fire = (url: string, token: string, body?: unknown) =>
  caller.post(url, body, { key: '', headers: { Authorization: `Bearer ${token}` } })

describe('a cron expression', () => {
  it.each([
    ['9 * * 1', '0 9 * * 1'],
    ['15 9 * * 1', '15 9 * * 1'],
    ['  5   */2 1 12 7 ', '5 */2 1 12 7'],
    ['59 23 31 12 0', '59 23 31 12 0'],
    ['07 09 * * *', '7 9 * * *'],
    ['* * * *', '0 * * * *'],
    ['*/23 * * *', '0 */23 * * *'],
    ['0 9 * * 1-5', '0 9 * * 1-5'],
    ['0 9-17 * * *', '0 9-17 * * *'],
    ['0 9 1,15 * *', '0 9 1,15 * *'],
    ['0 9 * jan-MAR MON,fri', '0 9 * JAN-MAR MON,FRI'],
    ['0 08-18/2 */10 * 5-7', '0 8-18/2 */10 * 5-7'],
    ['0 8/4 * * *', '0 8/4 * * *'],
  ])('normalizes %j to %j', (given, normalized) => expect(normalizeCron(given)).toBe(normalized))

  it('accepts every value for every field', async () => {
    const upTo = (least: number, most: number) =>
      Array.from({ length: most - least + 1 }, (_, nth) => String(least + nth).padStart(2, '0')).join()
    const months = 'JAN,FEB,MAR,APR,MAY,JUN,JUL,AUG,SEP,OCT,NOV,DEC'
    const cron_expr = `59 ${upTo(0, 23)} ${upTo(1, 31)} ${months} SUN,MON,TUE,WED,THU,FRI,SAT`
    const { data } = await update({ cron_expr })
    expect(data.cron_expr).toBe(normalizeCron(cron_expr))
  })

  it('refuses a cron expression with the name of the wrong field', async () => {
    const refused = [
      ['* * * * *', 'minute'],
      ['60 * * * *', 'minute'],
      ['0 24 * * *', 'hour'],
      ['0 */25 * * *', 'hour'],
      ['0 */0 * * *', 'hour'],
      ['0 5-1 * * *', 'hour'],
      ['0 1-24 * * *', 'hour'],
      ['0 1,,2 * * *', 'hour'],
      ['0 1-2-3 * * *', 'hour'],
      ['0 */1x * * *', 'hour'],
      ['0 0 0 * *', 'day'],
      ['0 0 32 * *', 'day'],
      ['0 0 * 13 *', 'month'],
      ['0 0 * JANUARY *', 'month'],
      ['0 0 * MON *', 'month'],
      ['0 0 * * 8', 'weekday'],
      ['0 0 * * 1#2', 'weekday'],
      ['0 0 ? * *', 'day'],
      ['0 0 0 * * *', '4 fields'],
      ['', '4 fields'],
    ] as const
    for (const [cron_expr, words] of refused) {
      const answer = await update({ cron_expr })
      expect([cron_expr, answer.status, answer.code]).toEqual([cron_expr, 400, 'InvalidParameter'])
      expect(answer.message).toContain('parameter cron_expr is not valid')
      expect(answer.message, cron_expr).toContain(words)
    }
  })

  it.each([
    ['Asia/Shanghai', '15 9 * * *', Date.UTC(2026, 0, 5, 1, 15)],
    ['UTC', '0 0 31 2 *', 0],
  ])('in %s, %j fires next at %s', async (timezone, cron_expr, next) => {
    expect((await update({ timezone, cron_expr })).data.schedule_next_fire_at_ms).toBe(next)
  })
})

describe('updating a rule', () => {
  it('does not change fields that are absent or null', async () => {
    const before = (await caller.post('/safari/automation/rule/get', { rule_id: RULE })).data
    time += 1000
    const nothing = { name: null, team_id: null, enabled: null, cron_expr: null, prompt: null, environment_kind: null }
    const more = { schedule_trigger_enabled: null, http_post_trigger_enabled: null, oncall_incident_channel_ids: null }
    expect((await update({ ...nothing, ...more, unknown: 'ignored' })).data).toEqual({ ...before, updated_at: time })
  })

  it('changes each field and returns the same values', async () => {
    const changes = { name: 'N', prompt: 'P', enabled: false, cron_expr: '8 * * 1', timezone: 'Asia/Tokyo' }
    const { data } = await update({ ...changes, environment_kind: 'byoc', environment_id: 'runner-1', team_id: 123 })
    expect(data).toMatchObject({ ...changes, cron_expr: '0 8 * * 1', environment_id: 'runner-1', run_scope: 'team' })
    expect(data.schedule_next_fire_at_ms).toBe(0)
    expect((await caller.post('/safari/automation/rule/get', { rule_id: RULE })).data).toEqual(data)
    expect((await update({ environment_kind: '' })).data).toMatchObject({ environment_kind: '', environment_id: '' })
  })

  it.each<[object, string]>([
    [{ team_id: 124 }, 'team_id'],
    [{ team_id: 0 }, 'team_id'],
    [{ timezone: 'Mars/Base' }, 'timezone'],
    [{ environment_kind: 'byoc' }, 'environment_id'],
    [{ environment_kind: 'cloud', environment_id: 'x' }, 'environment_id'],
    [{ oncall_incident_trigger_enabled: true }, 'oncall_incident_channel_ids'],
    [{ oncall_incident_trigger_enabled: true, oncall_incident_channel_ids: [456] }, 'oncall_incident_severities'],
    [{ oncall_incident_trigger_enabled: true, oncall_incident_severities: ['Info'] }, 'oncall_incident_channel_ids'],
    [
      {
        oncall_incident_trigger_enabled: true,
        oncall_incident_severities: ['Info'],
        oncall_incident_channel_ids: [7001],
      },
      'oncall_incident_channel_ids',
    ],
  ])('refuses %j with the name of the field %s', async (changes, field) => {
    const answer = await update(changes)
    expect(answer).toMatchObject({ status: 400, code: 'InvalidParameter' })
    expect(answer.message).toContain(`parameter ${field} is not valid.`)
  })

  it('enables the on-call trigger again with its previous settings', async () => {
    const watching = { oncall_incident_channel_ids: [456, 456], oncall_incident_severities: ['Critical', 'Warning'] }
    const { data } = await update({ oncall_incident_trigger_enabled: true, ...watching })
    expect(data.oncall_incident_channel_ids).toEqual([456])
    expect((await update({ oncall_incident_trigger_enabled: false })).data.oncall_incident_trigger_enabled).toBe(false)
    const again = (await update({ oncall_incident_trigger_enabled: true })).data
    expect(again.oncall_incident_trigger_id).toBe(data.oncall_incident_trigger_id)
    expect((await update({ oncall_incident_channel_ids: [] })).status).toBe(400)
  })

  it('does not enable the on-call trigger if all its channels were deleted', async () => {
    const made = await caller.post('/channel/create', { team_id: 123, channel_name: 'Short-lived' })
    const { channel_id } = made.data
    const watching = { oncall_incident_channel_ids: [channel_id], oncall_incident_severities: ['Critical'] }
    await update({ ...watching, oncall_incident_trigger_enabled: false })
    await caller.post('/channel/delete', { channel_id })
    const refused = await update({ oncall_incident_trigger_enabled: true })
    expect(refused.message).toContain('parameter oncall_incident_channel_ids is not valid.')
    expect((await update({ prompt: 'Anything else may change.' })).status).toBe(200)
  })
})

describe('permissions for automation rules', () => {
  it('lets only the owner manage a personal rule, not even an admin', async () => {
    expect((await update({ rule_id: BOBS, name: 'mine' }, member)).data).toMatchObject({ name: 'mine', can_edit: true })
    expect(await update({ rule_id: BOBS, name: 'not mine' })).toMatchObject({ status: 403, code: 'AccessDenied' })
    const { data } = await caller.post('/safari/automation/rule/get', { rule_id: BOBS })
    expect(data).toMatchObject({ name: 'mine', can_edit: false })
  })

  it('lets the team and admins manage a team rule', async () => {
    expect(await update({ name: 'x' }, member)).toMatchObject({ status: 403, code: 'AccessDenied' })
    const ofBobsTeam = (await create({ team_id: 124 })).data
    expect(ofBobsTeam).toMatchObject({ can_edit: true, run_scope: 'team', owner_id: 80011 })
    expect((await update({ rule_id: ofBobsTeam.rule_id, name: 'y' }, member)).data.name).toBe('y')
    expect((await update({ rule_id: ofBobsTeam.rule_id, name: 'z' })).data.name).toBe('z')
    const deleted = await caller.post('/safari/automation/rule/delete', { rule_id: RULE }, member)
    expect(deleted).toMatchObject({ status: 403, code: 'AccessDenied' })
  })

  it("lets admins see all rules, and others see their own and their teams' rules", async () => {
    const ofBobsTeam = (await create({ team_id: 124 })).data.rule_id
    const list = async (options: object) =>
      (await caller.post('/safari/automation/rule/list', {}, options)).data.items.map(
        (rule: { rule_id: string }) => rule.rule_id,
      )
    expect((await list({})).sort()).toEqual([RULE, BOBS, ofBobsTeam].sort())
    expect((await list(member)).sort()).toEqual([BOBS, ofBobsTeam].sort())
    expect((await caller.post('/safari/automation/rule/get', { rule_id: RULE }, member)).code).toBe('AccessDenied')
    expect((await caller.post('/safari/automation/run/list', { rule_id: RULE }, member)).code).toBe('AccessDenied')
  })
})

describe('the HTTP POST trigger', () => {
  it('shows the token of a trigger once, and revokes the old one with a new token', async () => {
    const made = (await update({ http_post_trigger_enabled: true })).data
    expect(made.http_post_trigger_url).toBe(`/safari/automation/triggers/${made.http_post_trigger_id}/fire`)
    expect(made.http_post_token).toMatch(/^sat_\w{43}$/)
    const again = await update({ http_post_trigger_enabled: true })
    const read = await caller.post('/safari/automation/rule/get', { rule_id: RULE })
    const list = await caller.post('/safari/automation/rule/list', {})
    for (const { text } of [again, read, list]) expect(text).not.toMatch(/http_post_token|sat_|sha256/)

    expect((await fire(made.http_post_trigger_url, made.http_post_token, { n: 1 })).status).toBe(200)
    const rotated = (await update({ rotate_http_post_trigger_token: true })).data
    expect(rotated.http_post_trigger_id).toBe(made.http_post_trigger_id)
    expect(await fire(made.http_post_trigger_url, made.http_post_token)).toMatchObject({
      status: 401,
      code: 'Unauthorized',
    })
    expect((await fire(made.http_post_trigger_url, rotated.http_post_token)).status).toBe(200)
    const kinds = (await runs({ rule_id: RULE })).map((run: { trigger_kind: string }) => run.trigger_kind)
    expect(kinds).toEqual(['http_post', 'http_post'])
    expect((await runs()).at(-1)).toMatchObject({ input: '{"n":1}', trigger_id: made.http_post_trigger_id })
  })

  it('truncates a long text and includes its original length', async () => {
    const made = (await update({ http_post_trigger_enabled: true })).data
    const sent = { text: 'x'.repeat(200_000) }
    expect((await fire(made.http_post_trigger_url, made.http_post_token, sent)).status).toBe(200)
    const [{ input }] = await runs()
    expect(input).toBe(`${JSON.stringify(sent).slice(0, 100_000)}… (200011 characters)`)
  })

  it('does nothing without the token, if the trigger is off, or if the rule was deleted', async () => {
    const { http_post_trigger_url: url, http_post_token: token } = (await update({ http_post_trigger_enabled: true }))
      .data
    for (const wrong of ['', 'x', `${token}x`, 'dev-app-key']) expect((await fire(url, wrong)).status).toBe(401)
    expect((await caller.post(url, {})).status).toBe(401)
    expect((await fire('/safari/automation/triggers/atrig_unknown/fire', token)).status).toBe(401)
    await update({ http_post_trigger_enabled: false })
    expect(await fire(url, token)).toMatchObject({ status: 403, code: 'AccessDenied' })
    await update({ http_post_trigger_enabled: true, enabled: false })
    expect((await fire(url, token)).status).toBe(403)
    expect(await runs()).toEqual([])
    await caller.post('/safari/automation/rule/delete', { rule_id: RULE })
    expect((await fire(url, token)).status).toBe(401)
    expect(await caller.post('/safari/automation/rule/get', { rule_id: RULE })).toMatchObject({
      code: 'ResourceNotFound',
    })
  })
})

describe('runs of an automation rule', () => {
  it('starts a run once each time a schedule is due', async () => {
    const next = (await update({ cron_expr: '0 9 * * *', timezone: 'UTC' })).data.schedule_next_fire_at_ms
    await caller.intake.fireDue()
    expect(await runs()).toEqual([])
    time = next + 10
    await caller.intake.fireDue()
    await caller.intake.fireDue()
    expect(await runs({ rule_id: RULE })).toMatchObject([{ trigger_kind: 'schedule', rule_id: RULE, created_at: time }])
    expect((await caller.post('/safari/automation/rule/get', { rule_id: RULE })).data.schedule_next_fire_at_ms).toBe(
      next + 86_400_000,
    )
    await update({ schedule_trigger_enabled: false })
    time += 86_400_000
    await caller.intake.fireDue()
    expect(await runs()).toHaveLength(1)
  })

  it('follows the current clock after it is set back', async () => {
    const { data: rule } = await create({ cron_expr: '0 9 * * *' })
    const { rule_id } = rule
    const made = async () =>
      (await runs({ rule_id })).map(({ created_at }: { created_at: number }) => created_at - MONDAY)
    time += 400 * 86_400_000
    await caller.intake.fireDue()
    time = MONDAY + 1000
    await caller.intake.fireDue()
    expect(await made()).toEqual([400 * 86_400_000])
    time = rule.schedule_next_fire_at_ms
    await caller.intake.fireDue()
    expect(await made()).toEqual([400 * 86_400_000, time - MONDAY])
    // A small correction of the clock does not fire the schedule again.
    time -= 30_000
    await caller.intake.fireDue()
    time += 30_000
    await caller.intake.fireDue()
    expect(await made()).toHaveLength(2)
  })

  it('starts a run for an incident with a watched channel and severity', async () => {
    const watch = { oncall_incident_channel_ids: [456], oncall_incident_severities: ['Critical'] }
    const { data } = await update({ oncall_incident_trigger_enabled: true, ...watch })
    const report = async (incident: object) => (await caller.post('/__test/incident', incident)).data.run_ids
    expect(await report({ channel_id: 1001, severity: 'Critical' })).toEqual([])
    expect(await report({ channel_id: 456, severity: 'Info' })).toEqual([])
    const [id] = await report({ channel_id: 456, severity: 'Critical', title: 'down' })
    expect(await runs()).toMatchObject([
      { run_id: id, trigger_kind: 'oncall_incident', trigger_id: data.oncall_incident_trigger_id },
    ])
  })
})

describe('automation rules for API clients', () => {
  it('creates rules disabled unless requested otherwise', async () => {
    expect((await create({ enabled: null })).data).toMatchObject({ enabled: false, schedule_trigger_enabled: true })
  })

  it('lists rules under both names, by scope, team and keyword', async () => {
    const { data: mine } = await create({ name: 'Nightly noise' })
    const list = async (filter: object) => {
      const { rules, items, total } = (await caller.post('/safari/automation/rule/list', filter)).data
      expect([items, total]).toEqual([rules, rules.length])
      return rules.map(({ rule_id }: { rule_id: string }) => rule_id).sort()
    }
    expect(await list({ scope: 'all' })).toEqual([RULE, BOBS, mine.rule_id].sort())
    expect(await list({ scope: 'personal' })).toEqual([BOBS, mine.rule_id].sort())
    expect(await list({ scope: 'team' })).toEqual([RULE])
    expect(await list({ include_person: false })).toEqual([RULE])
    expect(await list({ team_ids: [123, 124] })).toEqual([RULE])
    expect(await list({ team_ids: [124] })).toEqual([])
    expect(await list({ keyword: 'NOISE' })).toEqual([mine.rule_id])
    expect((await caller.post('/safari/automation/rule/list', { scope: 'mine' })).message).toContain('scope')
  })

  it('starts a session when a rule is fired, and the run succeeds', async () => {
    const { http_post_trigger_url: url, http_post_token: token } = (await update({ http_post_trigger_enabled: true }))
      .data
    const { data } = await fire(url, token, { text: 'deployed' })
    expect(data).toEqual({
      type: 'routine_fire',
      session_id: expect.stringMatching(/^sess_\w{26}$/),
      session_url: `/safari/session/${data.session_id}`,
      run_id: expect.stringMatching(/^trun_\w{26}$/),
    })
    const found = (await caller.post('/safari/automation/run/list', { rule_id: RULE })).data
    expect(found.runs).toEqual(found.items)
    expect(found.runs).toMatchObject([
      { run_id: data.run_id, status: 'succeeded', trigger_kind: 'http_post', started_at: time, attempts: 1 },
    ])
  })

  it('finds runs by kind, status and time', async () => {
    const { data } = await caller.post('/safari/automation/rule/run', { rule_id: RULE })
    expect(data).toMatchObject({
      rule_id: RULE,
      trigger_kind: 'debug',
      preflight: { ok: true, scope: 'team', team_id: 123 },
    })
    const ids = async (filter: object) => (await runs(filter)).map(({ run_id }: { run_id: string }) => run_id)
    expect(await ids({ trigger_kind: 'debug' })).toEqual([data.run.run_id])
    expect(await ids({ trigger_kind: 'schedule' })).toEqual([])
    expect(await ids({ status: 'succeeded', started_after_ms: time, started_before_ms: time })).toEqual([
      data.run.run_id,
    ])
    expect(await ids({ status: 'failed' })).toEqual([])
    expect(await ids({ started_after_ms: time + 1 })).toEqual([])
    expect(await ids({ started_before_ms: time - 1 })).toEqual([])
    expect(await caller.post('/safari/automation/rule/run', { rule_id: RULE }, member)).toMatchObject({ status: 403 })
  })
})

describe('creating a rule', () => {
  it('works for personal and team rules, and requires a cron expression', async () => {
    expect((await create({}, member)).data).toMatchObject({
      team_id: 0,
      owner_id: 80012,
      run_scope: 'person',
      enabled: true,
    })
    expect((await create({ team_id: 123 }, member)).data).toMatchObject({ team_id: 123, can_edit: false })
    expect((await create({ team_id: 999 })).message).toContain('team_id')
    expect((await create({ cron_expr: null })).message).toContain('cron_expr')
    const posted = await create({ schedule_trigger_enabled: false, http_post_trigger_enabled: true })
    expect(posted.data).toMatchObject({ schedule_next_fire_at_ms: 0, http_post_trigger_enabled: true })
    expect((await fire(posted.data.http_post_trigger_url, posted.data.http_post_token)).status).toBe(200)
  })
})
