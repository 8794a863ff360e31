import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_SEED } from '../../oncall/seed/default-seed.ts'
import { OPERATIONS, TEST_OPERATIONS } from '../../rooms.ts'
import { useCaller } from '../../test-support/calling.fixture.ts'
import { PERMISSIONS, type Permission } from './seeded-account.ts'

const WITH_APP_KEY = [...OPERATIONS, ...TEST_OPERATIONS].filter(({ authenticate }) => !authenticate)
const [first, ...others] = DEFAULT_SEED.accounts
const keyFor = (permission: Permission) => `only-${permission.replaceAll(' ', '-').toLowerCase()}-key`
const keyOfOthers = (path: string) => `others-of-${path}`
const keys = [
  ...PERMISSIONS.map((permission) => ({ key: keyFor(permission), permissions: [permission] })),
  // For each operation, a key that has every permission except those that the operation requires.
  ...WITH_APP_KEY.map(({ path, permissions = [] }) => {
    return { key: keyOfOthers(path), permissions: PERMISSIONS.filter((one) => !permissions.includes(one)) }
  }),
]
const seed = {
  accounts: [
    {
      ...(first as NonNullable<typeof first>),
      app_keys: [...(first?.app_keys ?? []), ...keys.map((key) => ({ ...key, person_id: 80011 }))],
    },
    ...others,
  ],
}

const caller = useCaller({ seed }, { keeps: true })
const { dataDir } = caller

describe.each(WITH_APP_KEY.map((operation) => [operation.path, operation] as const))(
  'access to %s',
  (path, operation) => {
    it('denies wrong keys with 401, and requires exactly the documented permissions', async () => {
      for (const key of ['', 'dev-api-key']) {
        const refused = { status: 401, code: 'Unauthorized', message: 'You are unauthorized.' }
        expect(await caller.post(path, operation.example, { key }), key).toMatchObject(refused)
      }
      for (const permission of operation.permissions ?? [])
        expect((await caller.post(path, {}, { key: keyFor(permission) })).status, permission).not.toBe(403)
      for (const body of [{}, '{']) {
        const others = await caller.post(path, body, { key: keyOfOthers(path) })
        if (operation.permissions === undefined) expect(others.status).not.toBe(403)
        else expect(others).toMatchObject({ status: 403, code: 'AccessDenied', message: 'Access Denied.' })
      }
      const none = await caller.post(path, {}, { key: 'dev-member-app-key' })
      // Test routes are for owners and admins, but only if the request is valid.
      if (path.startsWith('/__test/')) expect([400, 403]).toContain(none.status)
      else expect(none.status === 403).toBe(operation.permissions !== undefined)
    })
  },
)

it.each(['wrong', 'DEV-APP-KEY', 'dev-app-key '])('refuses the unknown key %j', async (key) => {
  expect(await caller.post('/channel/list', {}, { key })).toMatchObject({ status: 401, code: 'Unauthorized' })
})

it('documents the permissions from the specification', () => {
  const stated = Object.fromEntries(WITH_APP_KEY.map(({ path, permissions }) => [path, permissions]))
  expect(stated).toMatchObject({
    '/audit/search': ['Audit Read'],
    '/audit/operation/list': ['Audit Read'],
    '/schedule/infos': ['Schedules Read', 'Schedules Manage'],
    '/monit/datasource/info': ['Datasources Read'],
    '/channel/escalate/rule/update': ['Channels Manage'],
    '/channel/list': undefined,
    '/sourcemap/stack/enrich': undefined,
  })
})

describe("an account cannot see another account's data", () => {
  const rule_id = 'arule_7NnLzY2Qp8xS4kUaV3mR6b'
  const other = { key: 'other-app-key' }
  it.each<[string, object]>([
    ['/safari/automation/rule/update', { rule_id, name: 'taken' }],
    ['/safari/automation/rule/get', { rule_id }],
    ['/safari/automation/rule/delete', { rule_id }],
    ['/safari/automation/run/list', { rule_id }],
    ['/monit/datasource/info', { id: 10 }],
    ['/channel/escalate/rule/list', { channel_id: 1001 }],
    ['/channel/escalate/rule/info', { channel_id: 1001, rule_id: '6621b23f4a2c5e0012ab34d0' }],
    [
      '/channel/escalate/rule/update',
      OPERATIONS.find(({ path }) => path.endsWith('escalate/rule/update'))?.example ?? {},
    ],
    ['/__test/incident', { channel_id: 456, severity: 'Critical' }],
  ])('%s answers as if the object did not exist', async (path, body) => {
    expect(await caller.post(path, body, other)).toMatchObject({ status: 400, code: 'ResourceNotFound' })
  })

  it('lists omit the objects of other accounts', async () => {
    const channels = await caller.post('/channel/list', { channel_ids: [1001, 7001] }, other)
    expect(channels.data.items.map((item: { channel_id: number }) => item.channel_id)).toEqual([7001])
    expect((await caller.post('/schedule/infos', { schedule_ids: [2001, 2002] }, other)).data).toEqual({ items: [] })
    expect((await caller.post('/safari/automation/rule/list', {}, other)).data.total).toBe(0)
    expect((await caller.post('/safari/automation/run/list', {}, other)).data.total).toBe(0)
    const refused = { name: 'x', prompt: 'x', cron_expr: '* * * *', team_id: 123 }
    expect(await caller.post('/safari/automation/rule/create', refused, other)).toMatchObject({
      code: 'InvalidParameter',
    })
    const seconds = Math.floor(Date.now() / 1000)
    const range = { start_time: seconds - 3600, end_time: seconds + 60, limit: 99 }
    const { docs } = (await caller.post('/audit/search', range, other)).data
    expect(docs.length).toBeGreaterThan(5)
    expect(new Set(docs.map((doc: { account_id: number }) => doc.account_id))).toEqual(new Set([20046]))
  })

  it('uploads and stacks are separate for each account', async () => {
    const event = { type: 'js_sourcemap', service: 'shop', version: '1', minified_url: '/a.js' }
    const map = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}'
    expect((await caller.upload(event, { source_map: map })).status).toBe(200)
    const range = { start_time: Date.now() - 60_000, end_time: Date.now() + 60_000 }
    const stack = { service: 'shop', version: '1', stack: 'Error: x\n    at f (https://h/a.js:1:1)' }
    expect((await caller.post('/sourcemap/list', range)).data.total).toBe(1)
    expect((await caller.post('/sourcemap/list', range, other)).data.total).toBe(0)
    expect((await caller.post('/sourcemap/stack/enrich', stack)).data.frames[0].converted).toBe(true)
    const blind = (await caller.post('/sourcemap/stack/enrich', stack, other)).data.frames[0]
    expect(blind).toMatchObject({ converted: false, reason: { code: 'no-artifact' } })
    expect(JSON.stringify(blind)).not.toContain('a.ts')
  })
})

it('stores no key and no token', async () => {
  const { http_post_token: token } = (
    await caller.post('/safari/automation/rule/update', {
      rule_id: 'arule_7NnLzY2Qp8xS4kUaV3mR6b',
      http_post_trigger_enabled: true,
    })
  ).data
  expect(token).toMatch(/^sat_/)
  await caller.intake.close()
  const files = (await readdir(dataDir)).filter((name) => name.startsWith('intake.db'))
  const stored = files.map((name) => readFileSync(join(dataDir, name), 'latin1')).join()
  expect(stored).toContain('arule_7NnLzY2Qp8xS4kUaV3mR6b')
  for (const secret of [token, 'dev-app-key', 'dev-api-key', 'secret-password', 'secret-token']) {
    expect(stored.includes(secret)).toBe(false)
  }
})
