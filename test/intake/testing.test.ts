import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { intakeMatchers, openTestIntake, type TestIntake, useIntake } from '@symup/intake/testing'
import { artifactSourceOf, symbolicate } from '@symup/symbolicate'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { useDirectory } from '../support/directory.ts'
import { runSymup } from '../support/run-symup.ts'

expect.extend(intakeMatchers)

const RULE = 'arule_7NnLzY2Qp8xS4kUaV3mR6b'
const MAP = JSON.stringify({
  version: 3,
  sources: ['src/cart.ts'],
  sourcesContent: ['export const pay = () => {\n  throw new Error("no")\n}\n'],
  names: [],
  mappings: 'AACE',
})
const STACK = 'Error: no\n    at pay (https://cdn.example.com/a.js:1:1)'

const place = useDirectory()

/** Uploads in process, as a client would. */
async function upload(intake: TestIntake, event: object = {}) {
  const form = new FormData()
  const release = {
    type: 'js_sourcemap',
    service: 'shop',
    version: '1.2.3',
    minified_url: 'https://cdn.example.com/a.js',
  }
  form.set('event', JSON.stringify({ ...release, ...event }))
  form.set('source_map', new Blob([MAP]), 'a.js.map')
  const body = new Response(form)
  const headers = { 'dd-api-key': 'dev-api-key', 'content-type': body.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await body.arrayBuffer())
  return (await intake.inject({ method: 'POST', url: '/sourcemap/upload', headers, payload })).statusCode
}

describe('a test intake in process, without a socket', () => {
  const intake = useIntake({ listen: false }, { beforeAll, beforeEach, afterAll })

  it('keeps uploads with their hashes and contents, waits for them, and resolves stacks', async () => {
    expect(intake.url).toBe('')
    const waiting = intake.waitForUpload({ service: 'shop', version: '1.2.3' })
    expect(await upload(intake)).toBe(200)
    const [part] = (await waiting).parts
    expect([part?.sha256, (await part?.read())?.toString()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), MAP])
    await expect(intake).toHaveUploaded({ minified_url: 'https://cdn.example.com/a.js' })
    await expect(intake).not.toHaveUploaded({ service: 'other' })
    expect(await intake.resolve(STACK)).toResolveTo({ file: 'src/cart.ts', line: 2 })
    expect(await intake.resolve(STACK, { version: '9' })).toBeUnresolvedBecause('version-mismatch')
    expect(await intake.audit()).toEqual([])
  })

  it('resolves stacks like symbolicate() and explain --json', async () => {
    const stack = `${STACK}\n    at Array.map (<anonymous>)`
    const at = (name: string) => join(place, name)
    writeFileSync(at('a.js'), 'throw 1\n//# sourceMappingURL=a.js.map\n')
    writeFileSync(at('a.js.map'), MAP)
    writeFileSync(at('stack.txt'), stack)
    await upload(intake)
    const release = { service: 'shop', version: '1.2.3' }
    const event = { ...release, type: 'js_sourcemap', minified_url: 'https://cdn.example.com/a.js' }
    const parts = [{ name: 'source_map', filename: 'a.js.map', path: at('a.js.map') }]
    const source = artifactSourceOf([{ event, parts } as never])
    const resolved = await intake.resolve(stack)
    expect(await symbolicate({ ...release, stack, near: 3, platform: 'browser' }, source)).toEqual(resolved)
    const flags = ['--dir', '.', '--minified-path-prefix', 'https://cdn.example.com/', '--no-config-file', '--json']
    const { stdout } = await runSymup(['explain', 'stack.txt', ...flags], { cwd: place })
    expect(JSON.parse(stdout)).toEqual(resolved)
    expect(resolved.frames).toMatchObject([{ resolved: { line: 2 } }, { reason: { code: 'not-a-project-frame' } }])
  })

  it('waits for an upload in real time, whatever the test does to its own clock', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date'] })
    try {
      const waiting = intake.waitForUpload()
      expect(await upload(intake)).toBe(200)
      expect((await waiting).service).toBe('shop')
      await expect(intake.waitForUpload({ service: 'none' }, { timeout: 50 })).rejects.toThrow('within 50 ms')
    } finally {
      vi.useRealTimers()
    }
  })

  it('refuses an invalid time', async () => {
    for (const time of [new Date('tomorrow'), Number.NaN, -1, 8.64e15])
      expect(() => intake.setTime(time)).toThrow(RangeError)
    for (const milliseconds of [Number.NaN, -1]) await expect(intake.advance(milliseconds)).rejects.toThrow(RangeError)
  })

  it('reports where an await is missing', async () => {
    const resolving = intake.resolve(STACK)
    expect(() => expect(resolving).toResolveTo({ line: 1 })).toThrow('Is `await` missing?')
    await resolving
  })

  it('reports which uploads arrived instead of the expected one', async () => {
    await expect(intake.waitForUpload({ service: 'x' }, { timeout: 0 })).rejects.toThrow('Nothing was uploaded.')
    await upload(intake)
    await expect(intake.waitForUpload({ service: 'x' }, { timeout: 30 })).rejects.toThrow('"service":"shop"')
    await expect(expect(intake).toHaveUploaded({ service: 'x' })).rejects.toThrow('Uploaded artifacts:')
    const resolved = await intake.resolve(STACK)
    expect(() => expect(resolved).toResolveTo({ line: 7 })).toThrow('"line":2')
    expect(() => expect(resolved).toBeUnresolvedBecause('no-artifact')).toThrow('It is {')
  })

  it('resets to the seed', async () => {
    const rule = async () => (await intake.call('/safari/automation/rule/get', { rule_id: RULE })).data?.name
    await upload(intake)
    intake.setTime(0)
    intake.fault('500;route=*')
    expect((await intake.call('/channel/list')).error?.code).toBe('InternalError')
    await intake.reset()
    await intake.call('/safari/automation/rule/update', { rule_id: RULE, name: 'changed' })
    await intake.call('/safari/automation/rule/run', { rule_id: RULE })
    expect([await rule(), (await intake.runs()).length, (await intake.audit()).length]).toEqual(['changed', 1, 3])
    await intake.reset()
    expect(await intake.uploads()).toEqual([])
    expect(await intake.runs()).toEqual([])
    expect(await intake.audit()).toEqual([])
    expect(await rule()).toBe('Weekly on-call review')
    expect((await intake.audit())[0]?.created_at).toBeGreaterThan(Date.UTC(2026, 0, 1))
    // The intake accepts content again that it stored before.
    expect(await upload(intake)).toBe(200)
    expect(await intake.resolve(STACK)).toResolveTo({ file: 'src/cart.ts' })
  })

  it('advances the clock and fires each schedule at its own time', async () => {
    const monday = Date.UTC(2026, 0, 5)
    intake.setTime(monday)
    await intake.call('/safari/automation/rule/update', { rule_id: RULE, cron_expr: '0 9 * * 1-5', timezone: 'UTC' })
    await intake.advance(7 * 86_400_000)
    const hours = (await intake.runs()).map(({ created_at }) => (created_at - monday) / 3_600_000)
    expect(hours).toEqual([105, 81, 57, 33, 9])
  })

  it('fires a schedule again if the clock is set back before it', async () => {
    const rule = { name: 'Nightly', prompt: 'What broke?', cron_expr: '0 9 * * *', enabled: true }
    const { data } = await intake.call('/safari/automation/rule/create', rule)
    const { rule_id, schedule_next_fire_at_ms: next } = data
    intake.setTime(next + 30 * 86_400_000)
    await intake.advance(0)
    intake.setTime(next - 1000)
    await intake.advance(2000)
    const times = (await intake.runs()).filter((run) => run.rule_id === rule_id).map(({ created_at }) => created_at)
    expect(times).toEqual([next + 30 * 86_400_000, next])
  })

  it('reports incidents to the rules that watch them', async () => {
    const watch = { oncall_incident_channel_ids: [456], oncall_incident_severities: ['Critical'] }
    await intake.call('/safari/automation/rule/update', {
      rule_id: RULE,
      oncall_incident_trigger_enabled: true,
      ...watch,
    })
    expect(await intake.reportIncident({ channel_id: 456, severity: 'Info' })).toEqual([])
    const [id] = await intake.reportIncident({ channel_id: 456, severity: 'Critical', title: 'down' })
    expect(await intake.runs()).toMatchObject([{ run_id: id, trigger_kind: 'oncall_incident', status: 'succeeded' }])
  })

  it('makes the operations of a route fail a given number of times', async () => {
    intake.fault({ kind: '429', route: '/channel/*', times: 2, retryAfter: 7 })
    intake.fault('503;route=/audit/search;times=1')
    const list = async () => (await intake.call('/channel/list')).status
    const { status, headers } = await intake.call('/channel/list')
    expect([status, headers['retry-after']]).toEqual([429, '7'])
    expect([await list(), await list()]).toEqual([429, 200])
    expect((await intake.call('/audit/search', {})).status).toBe(503)
    expect((await intake.call('/audit/search', {})).status).toBe(400)
    const asked = await intake.call('/channel/list', {}, { headers: { 'x-symup-fault': '500' } })
    expect(asked.status).toBe(500)
    expect(await upload(intake)).toBe(200)
  })
})

it('works the same with a socket', async () => {
  const intake = await openTestIntake()
  const response = await fetch(`${intake.url}/channel/list?app_key=dev-app-key`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  })
  expect(response.status).toBe(200)
  expect((await intake.audit()).map(({ operation }) => operation)).toEqual(['channel:read:list'])
  await intake.close()
})

it('allows a second close', async () => {
  const intake = await openTestIntake()
  await Promise.all([intake.close(), intake.close()])
  await intake.close()
})

it('matches the example in the README', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../packages/intake/README.md'), 'utf8')
  const example = readFileSync(join(import.meta.dirname, 'readme-testing.test.ts'), 'utf8')
  expect(readme).toContain(example.trim())
})

it('answers for uploads that it has received, however soon it closes', async () => {
  const intake = await openTestIntake()
  const send = async (nth: number) => {
    const form = new FormData()
    form.set('event', JSON.stringify({ type: 'js_sourcemap', service: 's', version: `${nth}`, minified_url: '/a.js' }))
    form.set('source_map', new Blob([MAP]), 'a.js.map')
    const headers = { 'dd-api-key': 'dev-api-key' }
    return (await fetch(`${intake.url}/sourcemap/upload`, { method: 'POST', headers, body: form })).status
  }
  const sent = Array.from({ length: 20 }, (_, nth) => send(nth))
  await Promise.all(sent.map((_, nth) => intake.waitForUpload({ version: `${nth}` })))
  const closed = intake.close()
  expect(new Set(await Promise.all(sent))).toEqual(new Set([200]))
  await closed
})
