import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Intake, startIntake } from '../../index.ts'

let intake: Intake
beforeAll(async () => {
  intake = await startIntake({ rateLimits: { perSecond: 3, perMinute: false } })
})
afterAll(() => intake.close())

function send(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = new FormData()
  body.set('event', '{}')
  return fetch(`${intake.url}${path}`, { method: 'POST', body, headers })
}

async function messageOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { message: string } }).error.message
}

it.each([
  ['/upload', {}, 404, 'Upload symbol files to POST /sourcemap/upload.'],
  ['/api/0/organizations/o/chunk-upload/', {}, 400, 'does not support the sentry-cli protocol'],
  ['/x', { 'User-Agent': 'sentry-cli/2.50.0' }, 400, 'does not support the sentry-cli protocol'],
  ['/react-native-source-map', {}, 404, 'does not support the Bugsnag protocol'],
  ['/faro/api/v1/app/12/sourcemaps/abc', {}, 404, 'does not support the Faro protocol'],
])('tells a client of another service at %s %j where to upload', async (path, headers, status, words) => {
  const response = await send(path, headers as Record<string, string>)
  expect(response.status).toBe(status)
  const message = await messageOf(response)
  expect(message).toContain(words)
  expect(message).toContain('POST /sourcemap/upload')
})

it('answers a wrong key with 401, but with 403 on the datadog-ci path, whose users would miss a 401', async () => {
  expect((await send('/sourcemap/upload', { 'DD-API-KEY': 'wrong-key' })).status).toBe(401)
  for (const path of ['/api/v2/srcmap', '/base/api/v2/srcmap/']) {
    const response = await send(path, { 'DD-API-KEY': 'wrong-key' })
    expect(response.status).toBe(403)
    expect(await messageOf(response)).toBe('The API key is missing or invalid.')
  }
})

it('returns the request id under both names in every response', async () => {
  for (const path of ['/healthz', '/nothing', '/openapi.json']) {
    const { headers } = await fetch(`${intake.url}${path}`)
    expect(headers.get('flashcat-request-id')).toMatch(/^\w{26}$/)
    expect(headers.get('flashcat-request-id')).toBe(headers.get('service-request-id'))
  }
})
