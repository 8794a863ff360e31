import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Intake, startIntake } from '../../index.ts'

let intake: Intake
beforeAll(async () => {
  intake = await startIntake({
    stacks: { threads: 1, timeoutMs: 6000 },
    rateLimits: { perSecond: false, perMinute: false },
  })
  await upload('good', mapOf('AAAA'))
  // Metro's names of functions, fifteen million of them for one source.
  const functions = { x_facebook_sources: [[{ names: ['f'], mappings: 'AAA,'.repeat(15_000_000) }]] }
  await upload('endless', mapOf('AAAA', functions))
  await upload('outside', mapOf('ACAA'))
})
afterAll(() => intake.close())

const mapOf = (mappings: string, more = {}) =>
  JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings, ...more })

async function upload(version: string, map: string): Promise<void> {
  const form = new FormData()
  form.set('event', JSON.stringify({ type: 'js_sourcemap', service: 'shop', version, minified_url: '/a.js' }))
  form.set('source_map', new Blob([map]), 'a.js.map')
  const headers = { 'DD-API-KEY': 'dev-api-key' }
  const { status } = await fetch(`${intake.url}/sourcemap/upload`, { method: 'POST', headers, body: form })
  expect(status).toBe(200)
}

const PATH = '/sourcemap/stack/enrich?app_key=dev-app-key'
const HEADERS = { 'Content-Type': 'application/json' }
const bodyOf = (version: string) =>
  JSON.stringify({ service: 'shop', version, stack: '    at f (https://h/a.js:1:1)\n'.repeat(3) })

async function ask(version: string) {
  const response = await fetch(intake.url + PATH, { method: 'POST', headers: HEADERS, body: bodyOf(version) })
  // biome-ignore lint/suspicious/noExplicitAny: the answer's own type.
  return { status: response.status, json: (await response.json()) as any }
}

it('a stack that takes too long is a 503 that says so, the next one is answered, and health checks meanwhile', async () => {
  let isRunning = true
  let checks = 0
  const checking = (async () => {
    while (isRunning) {
      expect((await fetch(`${intake.url}/healthz`)).status).toBe(200)
      checks++
    }
  })()
  const { status, json } = await ask('endless')
  isRunning = false
  await checking
  expect(status).toBe(503)
  expect(json.error).toMatchObject({ code: 'ServiceUnavailable', reason: 'stack-too-expensive' })
  expect(json.error.message).toMatch(/^It took more than (?:6 s|2048 MB of memory) to resolve this stack\.$/)
  // One, when the stack has the event loop to itself.
  expect(checks).toBeGreaterThan(20)
  expect((await ask('good')).json.data.frames[0]).toMatchObject({ converted: true, file: 'a.ts' })
})

it('a map that leads outside of its lists is a reason, not a 500', async () => {
  const { status, json } = await ask('outside')
  expect(status).toBe(200)
  expect(json.data.frames[0].reason).toMatchObject({ code: 'map-unusable' })
})

it('who leaves does not keep the thread', async () => {
  const left = request(intake.url + PATH, { method: 'POST', headers: HEADERS })
  left.on('error', () => undefined)
  left.end(bodyOf('endless'))
  await expect.poll(stacksRunning, { timeout: 20_000 }).toBe(1)
  left.destroy()
  await expect.poll(stacksRunning, { timeout: 5000 }).toBe(0)
  expect((await ask('good')).json.data.frames[0]).toMatchObject({ converted: true })
})

async function stacksRunning(): Promise<number> {
  const text = await (await fetch(`${intake.url}/metrics`)).text()
  return Number(/^symup_stacks\{state="running"\} (\d+)/m.exec(text)?.[1])
}
