import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Intake, startIntake } from '../../index.ts'
import { post, upload } from '../../test-support/client.fixture.ts'

let intake: Intake
beforeAll(async () => {
  intake = await startIntake({
    stacks: { threads: 1, timeoutMs: 2000 },
    rateLimits: { perSecond: false, perMinute: false },
  })
  await uploadMap('good', BROWSER, mapOf('AAAA'))
  // The map of an ArkTS module with 800,000 files.
  const files = Array.from({ length: 800_000 }, (_, nth) => `"entry|${nth}":${mapOf('AAAA')}`)
  await uploadMap('endless', { type: 'harmony_sourcemap' }, `{${files}}`)
  await uploadMap('outside', BROWSER, mapOf('ACAA'))
}, 120_000)
afterAll(() => intake.close())

const BROWSER = { type: 'js_sourcemap', minified_url: '/a.js' }
const mapOf = (mappings: string) => JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings })

async function uploadMap(version: string, event: object, source_map: string): Promise<void> {
  expect((await upload(intake.url, { service: 'shop', version, ...event }, { source_map })).status).toBe(200)
}

const STACKS = {
  browser: '    at f (https://h/a.js:1:1)\n'.repeat(3),
  harmony: 'Error name:RangeError\nStacktrace:\n    at f (entry|entry|1.0.0|a.ts:1:1)',
}
const bodyOf = (version: string) => {
  const type = version === 'endless' ? 'harmony' : 'browser'
  return JSON.stringify({ service: 'shop', version, type, stack: STACKS[type] })
}

const ask = (version: string) => post(intake.url, '/sourcemap/stack/enrich', bodyOf(version))

it('answers 503 for a stack that takes too long, and answers the next stack and health checks meanwhile', async () => {
  let isRunning = true
  let checks = 0
  const checking = (async () => {
    while (isRunning) {
      expect((await fetch(`${intake.url}/healthz`)).status).toBe(200)
      checks++
    }
  })()
  const { status, code, text, message } = await ask('endless')
  isRunning = false
  await checking
  expect(status).toBe(503)
  expect([code, text]).toEqual(['ServiceUnavailable', expect.stringContaining('"reason":"stack-too-expensive"')])
  expect(message).toMatch(/^Resolving this stack took more than (?:2 s|2048 MB of memory)\.$/)
  // If the stack had the event loop to itself, only one check would run.
  expect(checks).toBeGreaterThan(20)
  expect((await ask('good')).data.frames[0]).toMatchObject({ converted: true, file: 'a.ts' })
})

it('gives a reason instead of a 500 for a map with indexes outside its lists', async () => {
  const { status, data } = await ask('outside')
  expect(status).toBe(200)
  expect(data.frames[0].reason).toMatchObject({ code: 'map-unusable' })
})

it('frees the thread when a client disconnects', async () => {
  const path = '/sourcemap/stack/enrich?app_key=dev-app-key'
  const headers = { 'Content-Type': 'application/json' }
  const left = request(intake.url + path, { method: 'POST', headers })
  left.on('error', () => undefined)
  left.end(bodyOf('endless'))
  await expect.poll(stacksRunning, { timeout: 20_000 }).toBe(1)
  left.destroy()
  await expect.poll(stacksRunning, { timeout: 5000 }).toBe(0)
  expect((await ask('good')).data.frames[0]).toMatchObject({ converted: true })
})

async function stacksRunning(): Promise<number> {
  const text = await (await fetch(`${intake.url}/metrics`)).text()
  return Number(/^symup_stacks\{state="running"\} (\d+)/m.exec(text)?.[1])
}
