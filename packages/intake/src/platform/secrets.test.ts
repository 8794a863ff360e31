import { describe, expect, it } from 'vitest'
import { OPERATIONS, TEST_OPERATIONS } from '../rooms.ts'
import { useCaller } from '../test-support/calling.fixture.ts'
import { maskAddresses, withoutSecrets } from './secrets.ts'
import { stringifyJson } from './wire/int64.ts'

const MARK = 'S3CRETMARK'

/** A secret in every form that symup can hide. */
const MARKED = {
  token: MARK,
  sign_secret: MARK,
  verify_token: MARK,
  password: 1234500054321,
  options: { db_password: MARK, deeper: [{ tls_key_pwd: MARK, headers: [`Authorization: Bearer ${MARK}`] }] },
  headers: [
    { name: 'X-Auth-Token', value: MARK },
    { key: 'Cookie', value: MARK },
  ],
  url: `https://robot:${MARK}@chat.example.com/send?access_token=${MARK}&key=${MARK}`,
  address: `reader:${MARK}@tcp(db.example.com:3306)/orders`,
  credentials: { user: MARK },
}
const webhooks = [{ type: 'feishu_app', settings: MARKED }]
const settings = { token: MARK, sign_secret: MARK, verify_token: MARK, alias: 'team' }

const SEED = {
  accounts: [
    {
      account_id: 1,
      name: 'a',
      members: [{ person_id: 100, name: 'Ann', role: 'admin' as const }],
      app_keys: [
        {
          key: 'dev-app-key',
          person_id: 100,
          permissions: [
            'Audit Read' as const,
            'Schedules Read' as const,
            'Datasources Read' as const,
            'Channels Manage' as const,
          ],
        },
      ],
      upload_keys: ['dev-api-key'],
      channels: [{ channel_id: 1001, channel_name: 'c', group: { method: 'p' as const, cases: [MARKED] } }],
      schedules: [{ schedule_id: 2001, schedule_name: 's', notify: { webhooks: [{ type: 'x', settings }] } }],
      datasources: [
        { id: 10, type_ident: 'prometheus', name: 'p', address: `http://u:${MARK}@prom:9090`, payload: MARKED },
      ],
      escalation_rules: [
        {
          channel_id: 1001,
          rule_id: '6621b23f4a2c5e0012ab34d0',
          template_id: '6621b23f4a2c5e0012ab34d1',
          rule_name: 'r',
          layers: [{ target: { person_ids: [100], webhooks } }],
        },
      ],
      automation_rules: [
        {
          rule_id: 'arule_7NnLzY2Qp8xS4kUaV3mR6b',
          owner_id: 100,
          name: 'n',
          prompt: 'p',
          cron_expr: '* * * *',
          enabled: true,
          http_post_trigger_enabled: true,
          http_post_token: MARK,
        },
      ],
    },
  ],
}

const caller = useCaller({ seed: SEED })

describe('a marked secret', () => {
  it('returns a secret in no response from any operation, and not in the audit log', async () => {
    const { data } = await caller.post('/safari/automation/rule/get', { rule_id: 'arule_7NnLzY2Qp8xS4kUaV3mR6b' })
    const called: string[] = []
    // A deleted rule cannot be fired, so deletions come last.
    const isLast = ({ path }: { path: string }) => Number(path.endsWith('/delete'))
    // The excluded operations would remove the keys of the other calls, the log, or the times for which the log is searched.
    const tests = TEST_OPERATIONS.filter(
      ({ path }) => !['/__test/seed', '/__test/reset', '/__test/clock'].includes(path),
    )
    const operations = [...OPERATIONS, ...tests].sort((a, b) => isLast(a) - isLast(b))
    for (const { path, example } of operations) {
      const body = { ...example, ...MARKED, layers: [{ target: { person_ids: [100], webhooks } }] }
      const isFire = path.includes(':trigger_id')
      const options = isFire ? { key: '', headers: { Authorization: `Bearer ${MARK}` } } : {}
      const answer = await caller.post(isFire ? data.http_post_trigger_url : path, stringifyJson(body), options)
      // Successful responses contain the most data, so most requests should succeed.
      if (answer.status === 200) called.push(path)
      expect([path, answer.text]).toEqual([path, expect.not.stringContaining(MARK)])
      expect([path, answer.text]).toEqual([path, expect.not.stringContaining('1234500054321')])
    }
    expect(called).toEqual(
      expect.arrayContaining([
        '/channel/list',
        '/channel/escalate/rule/update',
        '/channel/escalate/rule/info',
        '/schedule/infos',
        '/monit/datasource/info',
        '/safari/automation/run/list',
        '/safari/automation/triggers/:trigger_id/fire',
      ]),
    )
    const now = Math.floor(Date.now() / 1000)
    const log = await caller.post('/audit/search', { start_time: now - 60, end_time: now + 60, limit: 99 })
    expect(log.data.docs.length).toBeGreaterThan(called.length)
    expect(log.text).not.toContain(MARK)
    expect(log.text).not.toContain('1234500054321')
    for (const path of ['/channel/escalate/rule/list', '/safari/automation/run/list', '/safari/automation/rule/list'])
      expect((await caller.post(path, { channel_id: 1001 })).text).not.toContain(MARK)
  })

  it('does not store secrets from an upload, although repository URLs often contain one', async () => {
    const release = { type: 'js_sourcemap', service: 's', version: '1', minified_url: '/a.js' }
    const event = { ...release, ...MARKED, git_repository_url: `https://ci:${MARK}@git.example.com/a.git` }
    const source_map = '{"version":3,"sources":[],"names":[],"mappings":""}'
    expect((await caller.upload(event, { source_map })).status).toBe(200)
    expect(stringifyJson(await caller.intake.uploads())).not.toContain(MARK)
    const list = await caller.post('/sourcemap/list', {
      start_time: Date.now() - 60_000,
      end_time: Date.now() + 60_000,
    })
    expect(list.data.items[0].git_repository_url).toBe('https://ci:***@git.example.com/a.git')
    expect(list.text).not.toContain(MARK)
  })
})

it.each([
  ['Authorization: Bearer x', 'Authorization:'],
  ['X-Scope: y', 'X-Scope: y'],
  ['token=x', 'token='],
])('shows the line %s in a list as %s', (line, shown) => {
  expect(withoutSecrets([line])).toEqual([shown])
})

it('does not hide text that only resembles a secret', () => {
  const value = { basic_auth_enabled: true, password_enabled: false, name: 'token-service', key: 'env', vals: ['a=b'] }
  expect(withoutSecrets({ ...value, id: 9007199254740993n })).toEqual({ ...value, id: 9007199254740993n })
  for (const text of ['http://host:80/a', 'git@github.com:a/b.git', 'https://a.example.com/?q=1', 'a@b.c'])
    expect(maskAddresses(text)).toBe(text)
})
