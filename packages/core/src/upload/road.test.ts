import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../plan.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { type UploadOptions, upload } from './upload.ts'

const KEY = 'secret-key-1234'
let root: string
let servers: Server[]
let arrived: { url: string; headers: IncomingMessage['headers'] }[]

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-road-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: root, stdio: 'ignore' })
  const subject = (name: string) => ['-nodes', '-newkey', 'rsa:2048', '-subj', `/CN=${name}`]
  openssl('req', '-x509', ...subject('symup test authority'), '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2')
  openssl('req', ...subject('127.0.0.1'), '-keyout', 'tls.key', '-out', 'tls.csr')
  writeFileSync(join(root, 'san'), 'subjectAltName=IP:127.0.0.1')
  openssl(
    ...['x509', '-req', '-in', 'tls.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-out', 'tls.pem', '-days', '2', '-extfile', 'san'],
  )
})
afterAll(() => rmSync(root, { recursive: true }))
beforeEach(() => {
  servers = []
  arrived = []
})
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, host, done))
  return (server.address() as AddressInfo).port
}

function take(request: IncomingMessage, response: import('node:http').ServerResponse) {
  request.resume().on('end', () => {
    arrived.push({ url: request.url ?? '', headers: request.headers })
    response.end('{"request_id":"r","data":{}}')
  })
}

const tlsServer = () => {
  const pem = (name: string) => readFileSync(join(root, name))
  return createHttpsServer({ key: pem('tls.key'), cert: pem('tls.pem') }, take) as unknown as Server
}

/** A proxy that counts its tunnels, and forwards plain requests by answering them itself. */
async function startProxy(password?: string) {
  const seen: { method: string; target: string; headers: IncomingMessage['headers'] }[] = []
  const server = createHttpServer((request, response) => {
    seen.push({ method: 'POST', target: request.url ?? '', headers: request.headers })
    take(request, response)
  })
  server.on('connect', (request, socket, head) => {
    seen.push({ method: 'CONNECT', target: request.url ?? '', headers: request.headers })
    const wanted = password && `Basic ${Buffer.from(`user:${password}`).toString('base64')}`
    if (wanted && request.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const [host = '', port] = (request.url ?? '').split(':')
    const onward = connectSocket(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [onward, socket]) end.on('error', () => undefined)
  })
  return { port: await listen(server), seen }
}

function send(endpoint: string, options: Partial<UploadOptions> = {}, count = 1) {
  const resolution = resolveSettings({
    options: { apiKey: KEY, endpoint, service: 's', version: '1', minifiedPathPrefix: '/' },
    env: {},
    ignoreConfigFile: true,
  })
  if (!resolution.ok) throw new Error(JSON.stringify(resolution.problems))
  const uploads = Array.from({ length: count }, (_, index) => ({
    event: {
      type: 'js_sourcemap' as const,
      cli_version: '0',
      service: 's',
      version: '1',
      minified_url: `/${index}.js`,
      project_path: '',
    },
    parts: [{ name: 'source_map', filename: 'source_map', path: '/x', bytes: 2, content: Buffer.from('{}') }],
  }))
  const plan: Plan = { uploads, problems: [] }
  return upload(plan, resolution.settings, { adapter: { name: 't', version: '0' }, attempts: 1, ...options })
}

const messageOf = (report: Awaited<ReturnType<typeof send>>) => report.outcomes[0]?.problem?.message ?? ''

describe('TLS', () => {
  it('trusts the authority that it is given, besides the usual ones', async () => {
    const report = await send(`https://127.0.0.1:${await listen(tlsServer())}`, { ca: join(root, 'ca.pem') })
    expect(report.totals.accepted).toBe(1)
  })

  it('refuses an unknown authority, and says so in a sentence', async () => {
    const report = await send(`https://127.0.0.1:${await listen(tlsServer())}`)
    expect(report.totals.failed).toBe(1)
    expect(messageOf(report)).toContain('authority')
    expect(arrived).toEqual([])
  })

  it('says so when the server speaks plain http', async () => {
    const report = await send(`https://127.0.0.1:${await listen(createHttpServer(take))}`)
    expect(messageOf(report)).toContain('is it http?')
  })
})

describe('a proxy', () => {
  it('opens one tunnel a connection for https, and sees no key', async () => {
    const proxy = await startProxy()
    const port = await listen(tlsServer())
    const options = { proxy: `http://127.0.0.1:${proxy.port}`, ca: join(root, 'ca.pem'), concurrency: 2 }
    const report = await send(`https://127.0.0.1:${port}`, options, 10)
    expect(report.totals.accepted).toBe(10)
    expect(proxy.seen.length).toBeLessThanOrEqual(2)
    expect(proxy.seen[0]).toMatchObject({ method: 'CONNECT', target: `127.0.0.1:${port}` })
    expect(JSON.stringify(proxy.seen)).not.toContain(KEY)
    expect(arrived[0]?.headers['dd-api-key']).toBe(KEY)
    expect(arrived[0]?.headers['proxy-authorization']).toBeUndefined()
  })

  it('is sent the whole address for plain http', async () => {
    const proxy = await startProxy()
    const report = await send('http://intake.invalid/base', { proxy: `http://user:pw@127.0.0.1:${proxy.port}` })
    expect(report.totals.accepted).toBe(1)
    expect(proxy.seen[0]?.target).toBe('http://intake.invalid/base/sourcemap/upload')
    expect(proxy.seen[0]?.headers).toMatchObject({
      host: 'intake.invalid',
      'proxy-authorization': `Basic ${Buffer.from('user:pw').toString('base64')}`,
    })
  })

  it.each([
    ['http://user:right@', 1, ''],
    ['http://user:wrong@', 0, 'the proxy wants a user name and password'],
  ])('is told who asks: %s', async (start, accepted, said) => {
    const proxy = await startProxy('right')
    const options = { proxy: `${start}127.0.0.1:${proxy.port}`, ca: join(root, 'ca.pem') }
    const report = await send(`https://127.0.0.1:${await listen(tlsServer())}`, options)
    expect(report.totals.accepted).toBe(accepted)
    expect(messageOf(report)).toContain(said)
    expect(messageOf(report)).not.toContain('wrong')
  })

  it('that is away is reported like an intake that is away', async () => {
    const report = await send('https://intake.invalid', { proxy: 'http://127.0.0.1:1' })
    expect(messageOf(report)).toContain('ECONNREFUSED')
  })
})

describe('other roads', () => {
  it('go to IPv6 addresses', async () => {
    const report = await send(`http://[::1]:${await listen(createHttpServer(take), '::1')}`)
    expect(report.totals.accepted).toBe(1)
  })

  it('do not follow a redirect, which could carry the key elsewhere', async () => {
    const elsewhere = await listen(createHttpServer(take))
    const redirecting = createHttpServer((request, response) => {
      request.resume()
      response.writeHead(307, { Location: `http://127.0.0.1:${elsewhere}/sourcemap/upload` }).end()
    })
    const report = await send(`http://127.0.0.1:${await listen(redirecting)}`)
    expect(report.outcomes[0]?.problem?.code).toBe('endpoint-wrong')
    expect(arrived).toEqual([])
  })
})
