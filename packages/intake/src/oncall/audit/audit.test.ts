import { beforeEach, describe, expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const DAY = 86_400
const START = Date.UTC(2026, 5, 1)
let time = START
beforeEach(() => {
  time = START
})
const caller = useCaller({ now: () => time++ })

interface Doc {
  request_id: string
  operation: string
  [field: string]: unknown
}
const range = () => ({ start_time: Math.floor(time / 1000) - DAY, end_time: Math.floor(time / 1000) + 1 })
const search = (more: object = {}, options = {}) => caller.post('/audit/search', { ...range(), ...more }, options)
const operationsOf = (docs: Doc[]) => docs.map(({ operation }) => operation)

describe('the audit log', () => {
  it('records every authenticated operation with its details', async () => {
    const listed = await caller.post('/channel/list?trace=7&token=hidden', { query: 'x' }, { key: '' })
    expect(listed.status).toBe(401)
    const url = `/channel/list?trace=7&token=hidden&app_key=dev-member-app-key`
    const response = await fetch(caller.intake.url + url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"query":"x"}',
    })
    const { request_id } = (await response.json()) as { request_id: string }
    const { data } = await search()
    expect(data.docs).toEqual([
      {
        created_at: expect.any(Number),
        account_id: 10023,
        member_id: 80012,
        member_name: 'Bob',
        request_id,
        ip: '127.0.0.1',
        operation: 'channel:read:list',
        operation_name: 'List channels',
        body: '{"query":"x"}',
        params: [
          { Key: 'trace', Value: '7' },
          { Key: 'token', Value: '***' },
        ],
        is_dangerous: false,
        is_write: false,
      },
    ])
    expect((await search({}, { headers: { 'Accept-Language': 'zh' } })).data.docs[1].operation_name).toBe(
      '查看协作空间列表',
    )
  })

  it('records refused operations, and lists those of a trigger under its owner', async () => {
    await caller.post('/monit/datasource/info', { id: 10 }, { key: 'dev-member-app-key' })
    await caller.post('/channel/list', { p: 0 })
    await caller.post('/channel/list', '{')
    const rule_id = 'arule_7NnLzY2Qp8xS4kUaV3mR6b'
    const { data } = await caller.post('/safari/automation/rule/update', { rule_id, http_post_trigger_enabled: true })
    const headers = { Authorization: `Bearer ${data.http_post_token}` }
    await caller.post(data.http_post_trigger_url, { why: 'test' }, { key: '', headers })
    const found = await search()
    expect(operationsOf(found.data.docs)).toEqual([
      'automation-trigger:write:fire',
      'automation-rule:write:update',
      'channel:read:list',
      'channel:read:list',
      'monit-datasource:read:info',
    ])
    expect(found.data.docs[4]).toMatchObject({ member_id: 80012, body: '{"id":10}' })
    expect(found.data.docs[0]).toMatchObject({
      member_id: 80011,
      params: [{ Key: 'trigger_id', Value: data.http_post_trigger_id }],
    })
    expect(found.text).not.toContain(data.http_post_token)
  })

  it('masks secrets and cuts bodies at 10 KB', async () => {
    const secrets = { password: 'p-1', nested: [{ api_key: 'p-2', access_token: { x: 'p-3' } }], ok: 'shown' }
    await caller.post('/channel/list', secrets)
    await caller.post('/channel/list', { query: '字'.repeat(10_000) })
    const [long, masked] = (await search()).data.docs
    expect(masked.body).toBe('{"password":"***","nested":[{"api_key":"***","access_token":"***"}],"ok":"shown"}')
    expect(Buffer.byteLength(long.body)).toBeGreaterThan(10_230)
    expect(Buffer.byteLength(long.body)).toBeLessThanOrEqual(10_240)
    expect(long.body).not.toContain('\ufffd')
  })
})

describe('pages of the audit log', () => {
  it('lists each record once while others arrive', async () => {
    const made: string[] = []
    for (let nth = 0; nth < 47; nth++) made.push(JSON.parse((await caller.post('/channel/list', {})).text).request_id)
    const seen: string[] = []
    let search_after_ctx = ''
    let pages = 0
    do {
      const { data } = await search({ limit: 10, search_after_ctx, operations: ['channel:read:list'] })
      seen.push(...data.docs.map((doc: Doc) => doc.request_id))
      search_after_ctx = data.search_after_ctx
      pages++
      for (let nth = 0; nth < 3; nth++) await caller.post('/channel/list', {})
    } while (search_after_ctx !== '')
    expect(pages).toBe(5)
    expect(seen).toEqual(made.reverse())
  })

  it('refuse a cursor that no search returns, and show one account its own records only', async () => {
    for (let nth = 0; nth < 5; nth++) await caller.post('/channel/list', {})
    const { search_after_ctx: cursor } = (await search({ limit: 2 })).data
    expect(cursor).not.toBe('')
    for (const forged of ['x', '1.5', '-1', 'A'.repeat(9999)])
      expect(await search({ search_after_ctx: forged })).toMatchObject({ status: 400, code: 'InvalidParameter' })
    const { data } = await search({ search_after_ctx: cursor }, { key: 'other-app-key' })
    expect(data.docs.every((doc: Doc) => doc.account_id !== 10023)).toBe(true)
    expect((await search({ search_after_ctx: cursor })).status).toBe(200)
  })

  it('allows a full last page', async () => {
    for (let nth = 0; nth < 4; nth++) await caller.post('/channel/list', {})
    const page = (search_after_ctx = '') => search({ limit: 2, search_after_ctx, operations: ['channel:read:list'] })
    const { data: first } = await page()
    const { data: last } = await page(first.search_after_ctx)
    expect([first.docs.length, last.docs.length, last.search_after_ctx]).toEqual([2, 2, ''])
  })

  it('lists 20 records by default, and for a limit of 0', async () => {
    for (let nth = 0; nth < 25; nth++) await caller.post('/channel/list', {})
    for (const limit of [undefined, null, 0]) expect((await search({ limit })).data.docs).toHaveLength(20)
    const all = (await search({ limit: 99 })).data
    expect([all.total, all.docs.length, all.search_after_ctx]).toEqual([28, 28, ''])
  })
})

describe('filters for the audit log', () => {
  it('filters by request, operation, person, danger and kind', async () => {
    const { text } = await caller.post('/channel/list', {}, { key: 'dev-member-app-key' })
    await caller.post('/safari/automation/rule/delete', { rule_id: 'arule_7NnLzY2Qp8xS4kUaV3mR6b' })
    const found = async (filter: object) =>
      operationsOf((await search(filter)).data.docs).filter((one) => !one.startsWith('audit'))
    expect(await found({ request_id: JSON.parse(text).request_id })).toEqual(['channel:read:list'])
    expect(await found({ operations: ['channel:read:list', 'x:read:y'] })).toEqual(['channel:read:list'])
    expect(await found({ operations: ['template:write:create'] })).toEqual([])
    expect(await found({ person_id: 80012 })).toEqual(['channel:read:list'])
    expect(await found({ person_id: 0 })).toEqual([])
    expect(await found({ is_dangerous: true })).toEqual(['automation-rule:write:delete'])
    expect((await found({ is_dangerous: false })).length).toBeGreaterThan(1)
    expect(await found({ is_dangerous: false })).toContain('automation-rule:write:delete')
    expect(await found({ is_write: true })).toEqual(['automation-rule:write:delete'])
    expect(await found({ is_write: false })).toEqual(['channel:read:list'])
  })

  it.each<[string, (now: number) => object, string]>([
    ['an end before the start', (now) => ({ start_time: now, end_time: now - 1 }), 'end_time'],
    ['an end at the start', (now) => ({ start_time: now, end_time: now }), 'end_time'],
    ['over 90 days', (now) => ({ start_time: now - 90 * DAY - 1, end_time: now }), 'end_time'],
  ])('refuses %s', async (_, body, field) => {
    const answer = await caller.post('/audit/search', body(Math.floor(time / 1000)))
    expect(answer).toMatchObject({ status: 400, code: 'InvalidParameter' })
    expect(answer.message).toContain(`parameter ${field} is not valid`)
  })

  it('accepts exactly 90 days, and finds nothing before the retention period, without an error', async () => {
    const now = Math.floor(time / 1000)
    await caller.post('/channel/list', {})
    expect((await caller.post('/audit/search', { start_time: now - 90 * DAY, end_time: now })).data.total).toBe(1)
    time += 91 * DAY * 1000
    const old = await caller.post('/audit/search', { start_time: now - DAY, end_time: now + DAY })
    expect(old).toMatchObject({ status: 200, data: { total: 0, docs: [], search_after_ctx: '' } })
  })
})

it('lists the searchable operations even without a body', async () => {
  for (const body of [undefined, {}, '']) {
    const { data } = await caller.post('/audit/operation/list', body)
    expect(data.items).toContainEqual(expect.objectContaining({ name: 'audit:read:search', name_cn: '搜索审计日志' }))
    for (const { name } of data.items) expect(name).toMatch(/^[\w-]+:(read|write):[\w-]+$/)
  }
})
