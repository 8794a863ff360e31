import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import createClient, { type Client } from 'openapi-fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { paths } from '../../fixtures/contract/client.d.ts'
import { type Intake, startIntake } from '../../packages/intake/src/index.ts'
import { OPERATIONS } from '../../packages/intake/src/rooms.ts'
import { upload } from '../../packages/intake/src/test-support/client.fixture.ts'
import { startProxy, type ValidationProxy } from './prism.ts'

const CLIENT = resolve(import.meta.dirname, '../../fixtures/contract')
const CONTRACT = resolve(import.meta.dirname, '../../packages/intake/src/contract/operations.json')
const TEAM_RULE = 'arule_7NnLzY2Qp8xS4kUaV3mR6b'
const ESCALATION = { channel_id: 1001, rule_id: '6621b23f4a2c5e0012ab34d0' }
const LISTED_FROM = Date.now() - 86_400_000

const directory = mkdtempSync(join(tmpdir(), 'symup-contract-'))
let intake: Intake
beforeAll(async () => {
  intake = await startIntake({ rateLimits: { perSecond: false, perMinute: false } })
  await uploadMap()
})
afterAll(async () => {
  await intake.close()
  rmSync(directory, { recursive: true })
})

describe("a client generated from the service's contract, tested through Prism", () => {
  let proxy: ValidationProxy
  let client: Client<paths>
  beforeAll(async () => {
    proxy = await startProxy(CONTRACT, intake.url)
    // The contract specifies the key in its security scheme, which the client ignores.
    const withKey: typeof fetch = async (input) => {
      const request = input as Request
      const { url, method, headers } = request
      return proxy.fetch(`${url}?app_key=dev-app-key`, { method, headers, body: await request.text() })
    }
    client = createClient<paths>({ baseUrl: proxy.url, fetch: withKey })
  })
  afterAll(() => proxy.stop())

  it('equals the current output of the generator', () => {
    const made = join(directory, 'client.d.ts')
    const generator = join(CLIENT, 'node_modules/openapi-typescript/bin/cli.js')
    const args = [generator, CONTRACT, '--default-non-nullable=false', '--output', made]
    execFileSync(process.execPath, args, { cwd: CLIENT })
    expect(readFileSync(join(CLIENT, 'client.d.ts'), 'utf8')).toBe(readFileSync(made, 'utf8'))
  })

  it('updates an automation rule', async () => {
    const { data } = await client.POST('/safari/automation/rule/update', {
      body: {
        rule_id: TEAM_RULE,
        cron_expr: '15 9 * * 1',
        rotate_http_post_trigger_token: true,
        oncall_incident_trigger_enabled: true,
        oncall_incident_severities: ['Critical', 'Warning'],
        oncall_incident_channel_ids: [456],
      },
    })
    expect(data?.data).toMatchObject({
      rule_id: TEAM_RULE,
      cron_expr: '15 9 * * 1',
      http_post_token: expect.any(String),
    })
  })

  it('reads the audit log', async () => {
    const { data: names } = await client.POST('/audit/operation/list', { body: {} })
    expect(names?.data?.items.length).toBe(OPERATIONS.length)
    const now = Math.floor(Date.now() / 1000)
    const { data } = await client.POST('/audit/search', { body: { start_time: now - 60, end_time: now + 1, limit: 5 } })
    expect(data?.data?.docs?.[0]).toMatchObject({ operation: 'audit:read:operation-list', member_name: 'Alice' })
  })

  it('reads schedules and datasources', async () => {
    const { data: schedules } = await client.POST('/schedule/infos', { body: { schedule_ids: [2001, 2002, 2003] } })
    expect(schedules?.data?.items.map(({ schedule_id }) => schedule_id)).toEqual([2001, 2002, 2003])
    const { data: source } = await client.POST('/monit/datasource/info', { body: { id: 10 } })
    expect(source?.data?.payload?.prometheus?.basic_auth_password).toBe('')
  })

  it('lists channels', async () => {
    const { data } = await client.POST('/channel/list', { body: { p: 1, limit: 2, orderby: 'created_at', asc: true } })
    expect(data?.data).toMatchObject({
      total: 5,
      has_next_page: true,
      items: [{ channel_id: 456 }, { channel_id: 1001 }],
    })
    await client.POST('/channel/list', { body: { is_brief: true } })
  })

  it('updates an escalation rule and reads it back', async () => {
    const rule = {
      ...ESCALATION,
      template_id: '6621b23f4a2c5e0012ab34d1',
      rule_name: 'Through Prism',
      layers: [{ target: { person_ids: [42], by: { critical: ['voice'], warning: ['sms'] }, webhooks: null } }],
      filters: [[{ key: 'env', oper: 'IN' as const, vals: ['/^prod/'] }]],
      time_filters: [{ start: '09:00', end: '18:00', repeat: [1, 2] }],
    }
    const { data } = await client.POST('/channel/escalate/rule/update', { body: rule })
    expect(data?.data).toEqual({})
    const { data: info } = await client.POST('/channel/escalate/rule/info', { body: ESCALATION })
    expect(info?.data).toMatchObject({ rule_name: 'Through Prism', filters: rule.filters })
    const { data: list } = await client.POST('/channel/escalate/rule/list', { body: { channel_id: 1001 } })
    expect(list?.data?.items).toHaveLength(1)
  })

  it('lists symbol files and resolves a stack', async () => {
    const range = { start_time: LISTED_FROM, end_time: Date.now() + 1000 }
    const { data: list } = await client.POST('/sourcemap/list', {
      body: { ...range, type: 'browser', services: ['shop'] },
    })
    expect(list?.data).toMatchObject({ total: 1, items: [{ service: 'shop', version: '1' }] })
    const { data } = await client.POST('/sourcemap/stack/enrich', {
      body: {
        service: 'shop',
        version: '1',
        type: 'browser',
        near: 3,
        stack: 'Error: x\n    at f (https://h/a.js:1:1)',
      },
    })
    expect(data?.data?.frames[0]).toMatchObject({ converted: true, file: 'a.ts', line: 1 })
  })

  it('receives errors in the form that the contract defines', async () => {
    const { error, response } = await client.POST('/monit/datasource/info', { body: { id: 404 } })
    expect([response.status, error?.error.code]).toEqual([400, 'ResourceNotFound'])
    const url = `${proxy.url}/audit/search?app_key`
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"start_time":1,"end_time":2}',
    }
    expect((await proxy.fetch(`${url}=wrong`, init)).status).toBe(401)
    expect((await proxy.fetch(`${url}=dev-member-app-key`, init)).status).toBe(403)
  })

  it('follows the contract in every request and response', () => {
    expect(proxy.violations).toEqual([])
  })

  it('reports a wrong request as a violation of the contract', async () => {
    const wrong = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"limit":"ten"}' }
    await proxy.fetch(`${proxy.url}/channel/list?app_key=dev-app-key`, wrong)
    expect(proxy.violations.join()).toContain('limit')
  })
})

it('follows /openapi.json in the example for every operation', async () => {
  const document = join(directory, 'openapi.json')
  writeFileSync(document, await (await fetch(`${intake.url}/openapi.json`)).text())
  const proxy = await startProxy(document, intake.url)
  const post = async (path: string, body: object, headers = {}) => {
    const response = await proxy.fetch(`${proxy.url}${path}?app_key=dev-app-key`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    expect([path, response.status]).toEqual([path, 200])
    return (await response.json()) as { data: Record<string, string> }
  }
  // Deletions come last, because the other operations use the same rule.
  const byPath = OPERATIONS.filter(({ authenticate }) => !authenticate).sort((a, b) => order(a.path) - order(b.path))
  for (const { path, example } of byPath) {
    const { data } = await post(path, example)
    if (data.http_post_token === undefined) continue
    await post(data.http_post_trigger_url ?? '', { why: 'test' }, { Authorization: `Bearer ${data.http_post_token}` })
  }
  await proxy.stop()
  expect(proxy.violations).toEqual([])
}, 60_000)

function order(path: string): number {
  return path.endsWith('/delete') ? 1 : 0
}

async function uploadMap(): Promise<void> {
  const event = { type: 'js_sourcemap', service: 'shop', version: '1', minified_url: '/a.js' }
  const source_map = '{"version":3,"sources":["a.ts"],"sourcesContent":["f()"],"names":[],"mappings":"AAAA"}'
  expect((await upload(intake.url, event, { source_map })).status).toBe(200)
}
