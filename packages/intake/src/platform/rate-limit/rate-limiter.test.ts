import { afterEach, describe, expect, it } from 'vitest'
import { type Caller, callIntake } from '../../test-support/calling.fixture.ts'
import { createRateLimiter, DEFAULT_RATE_LIMITS } from './rate-limiter.ts'

const START = Date.UTC(2026, 0, 1)
let time = START
const now = () => time

describe('the rate limiter', () => {
  const takeMany = async (limiter: ReturnType<typeof createRateLimiter>, times: number, account = 1) => {
    let refused = 0
    for (let nth = 0; nth < times; nth++) await limiter.take(account).catch(() => refused++)
    return times - refused
  }

  it('allows 50 requests per second and 1,000 per minute for each account', async () => {
    time = START
    const limiter = createRateLimiter(DEFAULT_RATE_LIMITS, now)
    expect(await takeMany(limiter, 60)).toBe(50)
    expect(await takeMany(limiter, 60, 2)).toBe(50)
    let taken = 50
    for (let second = 1; second < 60; second++) {
      time = START + second * 1000
      taken += await takeMany(limiter, 50)
    }
    expect(taken).toBe(1000)
    time = START + 60_000
    expect(await takeMany(limiter, 60)).toBe(50)
  })
})

describe('rate limits in an intake', () => {
  let caller: Caller
  afterEach(() => caller.intake.close())

  it('answers 429 with the wait for all operations of the account, until the time has passed', async () => {
    time = START + 400
    caller = await callIntake({ now, rateLimits: { perSecond: 3, perMinute: 5 } })
    const first = await caller.post('/channel/list', {})
    expect(first.headers.get('x-ratelimit-remaining')).toBe('2')
    await caller.post('/audit/operation/list')
    await caller.post('/channel/list', {}, { key: 'dev-member-app-key' })
    const refused = await caller.post('/audit/operation/list')
    expect(refused).toMatchObject({ status: 429, code: 'RequestTooFrequently', message: 'Request too frequently.' })
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(START / 1000 + 1),
    })
    expect((await caller.post('/channel/list', {}, { key: 'other-app-key' })).status).toBe(200)
    time = START + 1000
    for (let nth = 0; nth < 2; nth++) expect((await caller.post('/channel/list', {})).status).toBe(200)
    const minute = await caller.post('/channel/list', {})
    expect([minute.status, minute.headers.get('retry-after')]).toEqual([429, '59'])
  })

  it('applies the limits from the specification unless changed', async () => {
    time = START
    caller = await callIntake({ now, rateLimits: {} })
    const answers = await Promise.all(Array.from({ length: 51 }, () => caller.post('/channel/list', {})))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
  })

  it('does not limit uploads unless requested', async () => {
    caller = await callIntake({ now, rateLimits: { perSecond: 1 }, uploadRateLimits: { perSecond: 2 } })
    const upload = () =>
      fetch(`${caller.intake.url}/sourcemap/upload`, { method: 'POST', headers: { 'DD-API-KEY': 'dev-api-key' } })
    const statuses = [await upload(), await upload(), await upload()].map(({ status }) => status)
    expect(statuses).toEqual([400, 400, 429])
    await caller.intake.close()
    caller = await callIntake({ now, rateLimits: { perSecond: 1 } })
    for (let nth = 0; nth < 60; nth++) expect((await upload()).status).toBe(400)
  })

  it('limits calls with invalid keys by client address, without affecting other calls', async () => {
    time = START
    caller = await callIntake({ now, rateLimits: { perSecond: 3 } })
    const tries = []
    for (let nth = 0; nth < 5; nth++)
      tries.push((await caller.post('/channel/list', {}, { key: `wrong-${nth}` })).status)
    expect(tries).toEqual([401, 401, 401, 429, 429])
    const fire = await caller.post('/safari/automation/triggers/none/fire', {}, { key: '' })
    expect(fire.status).toBe(429)
    expect((await caller.post('/channel/list', {})).status).toBe(200)
  })

  it('applies no rate limits with false', async () => {
    time = START
    caller = await callIntake({ now, rateLimits: false, uploadRateLimits: false })
    for (let nth = 0; nth < 60; nth++) expect((await caller.post('/channel/list', {})).status).toBe(200)
  })
})
