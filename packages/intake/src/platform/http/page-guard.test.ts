import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { internalsOf } from '../../internals.ts'
import { type Caller, callIntake } from '../../test-support/calling.fixture.ts'
import { postRoutesOf } from '../../test-support/post-routes.fixture.ts'

let caller: Caller
beforeAll(async () => {
  caller = await callIntake({ rum: true, allowedHosts: ['shop.test'] })
})
afterAll(() => caller.intake.close())

const OWN = 'localhost:8642'
const send = (url: string, headers: Record<string, string>) =>
  internalsOf(caller.intake).app.inject({ method: 'POST', url, headers: { host: OWN, ...headers } })
const isRefused = async (url: string, headers: Record<string, string>) => {
  const answer = await send(url, headers)
  return answer.statusCode === 403 && /page|browser/i.test(answer.json().error.message)
}

describe('requests from web pages', () => {
  it.each<[string, Record<string, string>]>([
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['another port on this machine', { origin: 'http://localhost:5173' }],
    ['a page without an origin', { origin: 'null' }],
    ['a request that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a request from the same site but another origin', { 'sec-fetch-site': 'same-site', origin: `http://${OWN}` }],
    ['a foreign host name that resolves to this machine', { host: 'evil.example', origin: 'http://evil.example' }],
    ['a foreign host name in a same-origin request', { host: 'evil.example', 'sec-fetch-site': 'same-origin' }],
  ])('%s is refused on every route except those for the browser SDK', async (_name, headers) => {
    const all = postRoutesOf(caller.intake)
    expect(all.length).toBeGreaterThan(60)
    const taken: string[] = []
    for (const path of all) if (!(await isRefused(`${path}?app_key=dev-app-key`, headers))) taken.push(path)
    const sdk = ['/rum', '/api/v2/rum', '/api/v2/logs', '/api/v2/replay', '/api/v2/profile']
    // Under a foreign host name, the inspector's own check also refuses these requests.
    expect(taken.filter((path) => !sdk.includes(path))).toEqual([])
  })

  it.each([
    ['the page of this intake', { origin: `http://${OWN}` }],
    ['the page of this intake in a current browser', { origin: `http://${OWN}`, 'sec-fetch-site': 'same-origin' }],
    [
      'a page behind a proxy that changes the host',
      { host: 'intake', origin: 'https://shop.test', 'sec-fetch-site': 'same-origin' },
    ],
    ['a page under an allowed name', { host: 'shop.test', origin: 'http://shop.test' }],
    ['a program other than a browser', {}],
  ])('%s may call operations', async (_name, headers: Record<string, string>) => {
    const answer = await send('/sourcemap/list?app_key=dev-app-key', { 'content-type': 'application/json', ...headers })
    expect(answer.statusCode).toBe(400)
  })

  it('requires a custom header from a browser on test routes', async () => {
    const own = { origin: `http://${OWN}` }
    expect(await isRefused('/__test/fire-due?app_key=dev-app-key', own)).toBe(true)
    expect((await send('/__test/fire-due?app_key=dev-app-key', { ...own, 'x-symup-test': '1' })).statusCode).toBe(200)
    expect((await send('/__test/fire-due?app_key=dev-app-key', {})).statusCode).toBe(200)
  })

  it('changes nothing for a refused request', async () => {
    const { status } = await caller.post('/__test/app-key', { person_id: 80011, permissions: [], key: 'kept-app-key' })
    expect(status).toBe(200)
    expect(await isRefused('/__test/reset?app_key=dev-app-key', { origin: 'http://localhost:5173' })).toBe(true)
    const answer = await caller.post('/channel/list', {}, { key: 'kept-app-key' })
    expect(answer.status).toBe(200)
  })
})
