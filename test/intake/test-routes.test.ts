import { startIntake } from '@symup/intake'
import { useIntake } from '@symup/intake/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

const intake = useIntake({ listen: false }, { beforeAll, beforeEach, afterAll })
const DAY_MS = 86_400_000

async function upload() {
  const form = new FormData()
  form.set('event', '{"type":"js_sourcemap","service":"shop","version":"1","minified_url":"/a.js"}')
  form.set('source_map', new Blob(['{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}']), 'a.js.map')
  const body = new Response(form)
  const headers = { 'dd-api-key': 'dev-api-key', 'content-type': body.headers.get('content-type') ?? '' }
  await intake.inject({
    method: 'POST',
    url: '/sourcemap/upload',
    headers,
    payload: Buffer.from(await body.arrayBuffer()),
  })
}

describe('the test routes below /__test', () => {
  it('returns uploads with their hashes and contents, and waits for uploads', async () => {
    const waiting = intake.call('/__test/uploads', { filter: { service: 'shop' }, wait_ms: 10_000, content: true })
    await upload()
    const { data } = await waiting
    expect(data).toMatchObject({ total: 1, is_cut: false, items: [{ event: { version: '1' } }] })
    const part = data.items[0].parts.find(({ name }: { name: string }) => name === 'source_map')
    expect(part).toMatchObject({ filename: 'a.js.map', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(Buffer.from(part.content_base64, 'base64').toString()).toContain('"a.ts"')
    expect((await intake.call('/__test/uploads', { filter: { service: 'x' } })).data.items).toEqual([])
  })

  it('sets and advances the clock, and fires due schedules', async () => {
    const time = Date.UTC(2030, 0, 4, 12)
    expect((await intake.call('/__test/clock', { time })).data).toEqual({ now: time, is_set: true, runs: 0 })
    // One run was due in the years until that time.
    expect((await intake.call('/__test/fire-due')).data.runs).toBe(1)
    const { data } = await intake.call('/__test/clock', { advance: 8 * DAY_MS })
    expect(data).toMatchObject({ now: time + 8 * DAY_MS, runs: 1 })
    expect((await intake.call('/__test/fire-due')).data.runs).toBe(0)
    expect((await intake.call('/__test/clock', { real: true })).data.is_set).toBe(false)
    expect((await intake.call('/__test/clock', { real: true, time })).error?.message).toContain('real')
  })

  it('refuses times after the year 9999', async () => {
    const last = Date.UTC(10_000, 0) - 1
    expect((await intake.call('/__test/clock', { time: last })).status).toBe(200)
    expect((await intake.call('/channel/list')).status).toBe(200)
    for (const body of [{ time: last + 1 }, { advance: 1 }, { time: last, advance: 1 }])
      expect((await intake.call('/__test/clock', body)).status).toBe(400)
    await intake.call('/__test/clock', { real: true })
  })

  it('makes the operations of a route fail', async () => {
    const faults = ['429;route=/channel/list;times=1', '503;route=/team/*']
    expect((await intake.call('/__test/faults', { faults })).data.faults).toHaveLength(2)
    expect((await intake.call('/channel/list')).error?.code).toBe('RequestTooFrequently')
    expect((await intake.call('/channel/list')).status).toBe(200)
    expect((await intake.call('/team/list')).status).toBe(503)
    expect((await intake.call('/__test/faults')).data.faults).toEqual([])
    expect((await intake.call('/team/list')).status).toBe(200)
    expect((await intake.call('/__test/faults', { faults: ['500', '418'] })).error?.message).toContain('faults[1]')
    expect((await intake.call('/__test/faults', { faults: ['500;route=/no'] })).error?.message).toContain('/no.')
  })

  it('creates datasources, members and app keys, and deletes them in a reset', async () => {
    await intake.call('/__test/datasource', { id: 77, type_ident: 'loki', name: 'Logs', address: 'http://u:pw@logs' })
    expect((await intake.call('/monit/datasource/info', { id: 77 })).data.address).toBe('http://u:***@logs')
    await intake.call('/__test/member', { person_id: 99, name: 'Dave', role: 'member', team_ids: [124] })
    const { data } = await intake.call('/__test/app-key', { person_id: 99, permissions: ['Incidents Read'] })
    const asDave = (path: string, body = {}) => intake.call(path, body, { key: data.key })
    expect((await asDave('/channel/list', { is_my_team: true })).data.total).toBe(2)
    expect((await asDave('/audit/operation/list')).error?.code).toBe('AccessDenied')
    expect((await asDave('/__test/reset')).error?.code).toBe('AccessDenied')
    const short = await intake.call('/__test/app-key', { key: 'short', person_id: 99 })
    expect(short.error?.message).toBe('The specified parameter key is not valid. A key must have 8 to 200 characters.')
    await intake.call('/__test/app-key', { key: data.key, person_id: 99, permissions: ['Audit Read'] })
    expect((await asDave('/audit/operation/list')).status).toBe(200)
    await intake.call('/__test/member/delete', { person_id: 99 })
    expect((await asDave('/channel/list')).status).toBe(401)
    await intake.call('/__test/reset')
    expect((await intake.call('/monit/datasource/info', { id: 77 })).error?.code).toBe('ResourceNotFound')
  })

  it('resets to the seed or to another one', async () => {
    await upload()
    await intake.call('/channel/delete', { channel_id: 1003 })
    await intake.call('/__test/reset')
    expect(await intake.uploads()).toEqual([])
    expect((await intake.call('/channel/list')).data.total).toBe(5)
    const app_keys = [{ key: 'ann-app-key', person_id: 1, permissions: [] }]
    const account = { account_id: 1, name: 'Shop', members: [{ person_id: 1, name: 'Ann', role: 'owner' }], app_keys }
    expect(
      (await intake.call('/__test/seed', { seed: { accounts: [{ ...account, colour: 1 }] } })).error?.message,
    ).toContain('colour')
    expect((await intake.call('/__test/seed', { seed: { accounts: [account] } })).status).toBe(200)
    expect((await intake.call('/account/info')).status).toBe(401)
    expect((await intake.call('/account/info', {}, { key: 'ann-app-key' })).data.account_name).toBe('Shop')
    await intake.call('/__test/seed', { seed: (await import('@symup/intake')).DEFAULT_SEED }, { key: 'ann-app-key' })
    expect((await intake.call('/channel/list')).data.total).toBe(5)
  })

  it('describes test routes apart from the service, and does not audit them', async () => {
    const paths = async (url: string) => Object.keys(JSON.parse((await intake.inject({ url })).payload).paths)
    expect((await paths('/__test/openapi.json')).every((path) => path.startsWith('/__test/'))).toBe(true)
    expect((await paths('/openapi.json')).filter((path) => path.startsWith('/__test/'))).toEqual([])
    await intake.call('/__test/fire-due')
    expect(await intake.audit()).toEqual([])
  })

  it('serves test routes on request, and refuses them if others can reach the intake', async () => {
    const { DEFAULT_SEED } = await import('@symup/intake')
    const exposed = { host: '0.0.0.0', seed: DEFAULT_SEED }
    await expect(startIntake({ ...exposed, testRoutes: true })).rejects.toThrow(/loopback/)
    const without = await startIntake({ testRoutes: false })
    const answer = await fetch(`${without.url}/__test/reset?app_key=dev-app-key`, { method: 'POST' })
    await without.close()
    expect(answer.status).toBe(404)
  })
})

it('keeps running if a request made in process stops arriving', async () => {
  const { openTestIntake } = await import('@symup/intake/testing')
  const short = await openTestIntake({ listen: false, idleMs: 20 })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await short.call('/channel/list')
  vi.advanceTimersByTime(1000)
  vi.useRealTimers()
  expect((await short.call('/channel/list')).status).toBe(200)
  await short.close()
})

it('uses real time for rate limits while the clock stands still', async () => {
  let time = Date.UTC(2026, 0, 1)
  const limited = await startIntake({ now: () => time, rateLimits: { perSecond: 3, perMinute: 1000 } })
  const ask = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const url = `${limited.url}${path}?app_key=dev-app-key`
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  expect(await ask('/__test/clock', { time: Date.UTC(2030, 0, 4) })).toBe(200)
  const statuses = []
  for (let nth = 0; nth < 4; nth++) statuses.push(await ask('/channel/list', {}))
  expect(statuses).toEqual([200, 200, 200, 429])
  time += 1000
  expect(await ask('/channel/list', {})).toBe(200)
  await limited.close()
})
