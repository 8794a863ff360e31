import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_SEED, type Intake, type IntakeOptions, startIntake } from '../index.ts'

let intake: Intake | undefined
afterEach(async () => {
  await intake?.close()
  intake = undefined
})

const EVERYWHERE: IntakeOptions = { host: '0.0.0.0', seed: DEFAULT_SEED }

async function statusOf(path: string, { host = '127.0.0.1', name = '', method = 'GET', headers = {} } = {}) {
  const { port } = new URL(intake?.url ?? '')
  return new Promise((done, fail) => {
    request(
      { hostname: host, port, path, method, headers: { Host: `${name || host}:${port}`, ...headers } },
      (response) => {
        response.resume()
        done(response.statusCode)
      },
    )
      .on('error', fail)
      .end()
  })
}

describe('an intake that other machines can reach', () => {
  it('accepts no well-known keys, and requires a seed', async () => {
    await expect(startIntake({ host: '0.0.0.0' })).rejects.toThrow(/seed/)
  })

  it('does not inject faults', async () => {
    await expect(startIntake({ ...EVERYWHERE, fault: '503' })).rejects.toThrow(/fault/)
    intake = await startIntake(EVERYWHERE)
    const headers = { 'X-Symup-Fault': '503' }
    expect(await statusOf('/sourcemap/upload', { method: 'POST', headers })).toBe(401)
  })

  it('serves no test routes', async () => {
    intake = await startIntake(EVERYWHERE)
    expect(await statusOf('/__test/incident?app_key=dev-app-key', { method: 'POST' })).toBe(404)
  })

  it('serves no inspector unless requested, and then not under the address it listens on', async () => {
    intake = await startIntake({ ...EVERYWHERE, allowedHosts: ['intake.example'] })
    expect(intake.inspector).toBe(false)
    for (const name of ['0.0.0.0', 'localhost', 'intake.example'])
      expect(await statusOf('/inspector/api/uploads', { name })).toBe(404)
    expect(await statusOf('/')).toBe(404)
    await intake.close()
    intake = await startIntake({ ...EVERYWHERE, inspector: true, allowedHosts: ['intake.example'] })
    expect(await statusOf('/inspector/api/uploads', { name: '0.0.0.0' })).toBe(403)
    expect(await statusOf('/inspector/api/uploads', { name: 'intake.example' })).toBe(200)
  })
})

describe('an intake that only this machine can reach', () => {
  it.each(['127.0.0.1', 'localhost', '127.0.0.2'])(
    'serves an inspector and test routes, and accepts well-known keys: %s',
    async (host) => {
      intake = await startIntake({ host })
      expect(intake.inspector).toBe(true)
      expect(await statusOf('/inspector/api/uploads', { host })).toBe(200)
      expect(await statusOf('/__test/incident', { host, method: 'POST' })).toBe(401)
      expect(await statusOf('/sourcemap/upload', { host, method: 'POST', headers: { 'X-Symup-Fault': '503' } })).toBe(
        503,
      )
    },
  )

  it('serves no web page under another host name, because the page contains the keys', async () => {
    intake = await startIntake({ allowedHosts: ['shop.test'] })
    const statusFor = (name: string, headers = {}, path = '/channel/list') =>
      statusOf(`${path}?app_key=dev-app-key`, { name, method: 'POST', headers })
    for (const path of ['/channel/list', '/sourcemap/list', '/__test/uploads'])
      expect(await statusFor('evil.example', { 'Sec-Fetch-Site': 'same-origin' }, path)).toBe(403)
    // These requests pass the host check. They return 400 because they have no body.
    for (const name of ['127.0.0.1', 'localhost', 'intake', 'shop.test'])
      expect(await statusFor(name, { 'Sec-Fetch-Site': 'same-origin' }), name).toBe(400)
    expect(await statusFor('tunnel.example'), 'no page').toBe(400)
  })

  it('runs without an inspector on request', async () => {
    intake = await startIntake({ inspector: false })
    expect(await statusOf('/inspector/api/uploads')).toBe(404)
  })
})
