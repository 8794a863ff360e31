import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Secret } from '../model/secret.ts'
import { probeEndpoint } from './probe.ts'

let server: Server
let answer: [number, string] = [200, '']
/** Target of a redirect, depending on the key in the request. */
let location: ((key: unknown) => string) | undefined

beforeAll(async () => {
  server = createServer((request, response) => {
    const to = location && { Location: location(request.headers['dd-api-key']) }
    const headers = { 'Service-Request-Id': 'x', ...to }
    request.resume().on('end', () => response.writeHead(answer[0], headers).end(answer[1]))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const failed = (code: string) => JSON.stringify({ request_id: 'x', error: { code, message: 'no' } })

it.each<[number, string, string]>([
  [401, '', 'refused'],
  [403, '', 'refused'],
  [400, '', 'accepted'],
  [422, '', 'accepted'],
  [200, '', 'unknown'],
  [500, '', 'unknown'],
  [200, failed('Unauthorized'), 'refused'],
  [200, failed('AccessDenied'), 'refused'],
  [200, failed('InvalidParameter'), 'accepted'],
  [200, failed('InternalError'), 'unknown'],
])('interprets HTTP %i %s: the key is %s', async (status, body, key) => {
  answer = [status, body]
  const { port } = server.address() as AddressInfo
  const probe = await probeEndpoint({ endpoint: new URL(`http://127.0.0.1:${port}/`), apiKey: new Secret('a-key') })
  expect(probe).toMatchObject({ status, isIntake: true, key })
})

it('does not show the key in the target of a redirect', async () => {
  answer = [302, '']
  location = (key) => `/${'x'.repeat(190)}?key=${key}`
  const { port } = server.address() as AddressInfo
  const apiKey = new Secret('a-key-of-some-length')
  const probe = await probeEndpoint({ endpoint: new URL(`http://127.0.0.1:${port}/`), apiKey })
  location = undefined
  expect(probe.location).toBe(`/${'x'.repeat(190)}?key=***`)
})

it('names a proxy that does not answer', async () => {
  const endpoint = new URL('http://intake.invalid/sourcemap/upload')
  expect(await probeEndpoint({ endpoint, proxy: 'http://ann:secret@127.0.0.1:1' })).toMatchObject({
    failure: 'The connection was refused (ECONNREFUSED). The proxy is http://127.0.0.1:1.',
  })
})

it.each<[string, number, Record<string, string>, string | undefined]>([
  [
    'a proxy that requires a password',
    407,
    {},
    'The proxy address must contain a valid user name and password (PROXY_AUTH)',
  ],
  [
    'one that takes another one',
    401,
    { 'Proxy-Authenticate': 'Basic realm="p"' },
    'The proxy address must contain a valid',
  ],
  ['one that says 401 and who it is', 401, { Server: 'tinyproxy/1.11.1' }, 'The proxy address must contain a valid'],
  [
    'a proxy that requires another password',
    401,
    { 'Proxy-Authenticate': 'Basic realm="p"' },
    'The proxy address must contain a valid',
  ],
  [
    'a proxy that identifies itself in a 401 response',
    401,
    { Server: 'tinyproxy/1.11.1' },
    'The proxy address must contain a valid',
  ],
  [
    'a proxy that cannot reach the host',
    500,
    { Server: 'tinyproxy/1.11.1' },
    'The proxy returned HTTP 500 (PROXY_REFUSED)',
  ],
  ['one with a filter', 403, { Server: 'squid/5.7', Via: '1.1 p (squid/5.7)' }, 'The proxy returned HTTP 403'],
  ['an intake behind one', 401, { Server: 'nginx', Via: '1.1 p (squid/5.7)' }, undefined],
])('recognizes who answered: %s', async (_, status, headers, failure) => {
  const proxy = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status, headers).end('<html>no</html>'))
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const endpoint = new URL('http://intake.invalid/sourcemap/upload')
  const through = await probeEndpoint({ endpoint, proxy: address, apiKey: new Secret('a-key') })
  // Without a proxy, every response comes from the intake.
  const directly = await probeEndpoint({ endpoint: new URL(address), apiKey: new Secret('a-key') })
  proxy.closeAllConnections()
  proxy.close()
  expect(directly).toMatchObject({ status })
  if (failure === undefined) expect(through).toMatchObject({ status, key: 'refused' })
  else {
    expect(through.failure).toContain(failure)
    expect(through.failure).toContain(` The proxy is ${address}.`)
    expect(through).toMatchObject({ isIntake: false, key: 'unknown' })
  }
})
