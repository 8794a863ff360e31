import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import {
  type AddressInfo,
  connect as connectSocket,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FilePart, Plan } from '../model/plan.ts'
import { type UploadOptions, upload } from '../pipeline/upload.ts'
import { resolveSettings } from '../settings/resolve.ts'

const KEY = 'secret-key-1234'
let root: string
let servers: Server[]
let tcpServers: TcpServer[]
let arrived: { url: string; headers: IncomingMessage['headers'] }[]

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-connection-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: root, stdio: 'ignore' })
  const subject = (name: string) => ['-nodes', '-newkey', 'rsa:2048', '-subj', `/CN=${name}`]
  openssl('req', '-x509', ...subject('symup test authority'), '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2')
  openssl('req', ...subject('127.0.0.1'), '-keyout', 'tls.key', '-out', 'tls.csr')
  for (const [name, address] of [
    ['tls', '127.0.0.1'],
    ['other', '127.0.0.2'],
  ]) {
    writeFileSync(join(root, 'san'), `subjectAltName=IP:${address}`)
    openssl(
      ...['x509', '-req', '-in', 'tls.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-out', `${name}.pem`, '-days', '2', '-extfile', 'san'],
    )
  }
})
afterAll(() => rmSync(root, { recursive: true }))
beforeEach(() => {
  servers = []
  tcpServers = []
  arrived = []
})
afterEach(async () => {
  for (const server of tcpServers) server.close()
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

/** A proxy that counts its tunnels and answers plain requests itself. */
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

interface SendOptions extends Partial<UploadOptions> {
  proxy?: string
  ca?: string
}

function send(endpoint: string, { proxy, ca, ...options }: SendOptions = {}, count = 1, part: Partial<FilePart> = {}) {
  const resolution = resolveSettings({
    options: { apiKey: KEY, endpoint, service: 's', version: '1', minifiedPathPrefix: '/', proxy, ca },
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
    parts: [{ name: 'source_map', filename: 'source_map', path: '/x', bytes: 2, content: Buffer.from('{}'), ...part }],
  }))
  const plan: Plan = { uploads, problems: [] }
  return upload(plan, resolution.settings, { adapter: { name: 't', version: '0' }, attempts: 1, ...options })
}

const messageOf = (report: Awaited<ReturnType<typeof send>>) => report.outcomes[0]?.problem?.message ?? ''

describe('a TLS connection', () => {
  it('trusts the configured certificate authority in addition to the default ones', async () => {
    const report = await send(`https://127.0.0.1:${await listen(tlsServer())}`, { ca: join(root, 'ca.pem') })
    expect(report.totals.accepted).toBe(1)
  })

  it('refuses an unknown authority and explains why in one sentence', async () => {
    const report = await send(`https://127.0.0.1:${await listen(tlsServer())}`)
    expect(report.totals.failed).toBe(1)
    expect(messageOf(report)).toContain('authority')
    expect(arrived).toEqual([])
  })

  it('reports a server that uses plain HTTP', async () => {
    const report = await send(`https://127.0.0.1:${await listen(createHttpServer(take))}`)
    expect(messageOf(report)).toContain('Check whether the address should start with http://.')
  })
})

describe('a proxy', () => {
  it('opens one tunnel per HTTPS connection, and never sees the key', async () => {
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

  it('receives the full URL for plain HTTP', async () => {
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
    ['http://user:wrong@', 0, 'The proxy address must contain a valid user name and password'],
  ])('receives the credentials: %s', async (start, accepted, output) => {
    const proxy = await startProxy('right')
    const options = { proxy: `${start}127.0.0.1:${proxy.port}`, ca: join(root, 'ca.pem') }
    const report = await send(`https://127.0.0.1:${await listen(tlsServer())}`, options)
    expect(report.totals.accepted).toBe(accepted)
    expect(messageOf(report)).toContain(output)
    expect(messageOf(report)).not.toContain('wrong')
  })

  it.each(['https://intake.invalid', 'http://intake.invalid'])(
    'names a proxy that is unreachable: %s',
    async (endpoint) => {
      const report = await send(endpoint, { proxy: 'http://ann:secret@127.0.0.1:1' })
      expect(messageOf(report)).toContain('The connection was refused (ECONNREFUSED). The proxy is http://127.0.0.1:1.')
    },
  )
})

describe('a proxy that does not work', () => {
  /** What a TCP server does with a connection after its first bytes arrive. */
  const rawServer = (act: (socket: Socket, head: string) => void) => {
    const seen: string[] = []
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (data) => {
        seen.push(data.toString('latin1'))
        act(socket, seen.at(-1) as string)
      })
    })
    tcpServers.push(server)
    return { server, seen }
  }
  const listenTcp = async ({ server }: { server: TcpServer }) => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return (server.address() as AddressInfo).port
  }

  it('reports a proxy that closes the connection at once without retries', async () => {
    const proxy = rawServer((socket) => socket.end())
    const report = await send('https://intake.invalid', { proxy: `http://127.0.0.1:${await listenTcp(proxy)}` })
    expect(messageOf(report)).toContain('CONNECTION_CLOSED')
    expect(proxy.seen).toHaveLength(1)
    expect(proxy.seen.join()).not.toContain(KEY)
  })

  it('gives up on a proxy that never answers after the connect timeout', async () => {
    const proxy = rawServer(() => undefined)
    const options = { proxy: `http://127.0.0.1:${await listenTcp(proxy)}`, timeouts: { connect: 100 } }
    expect(messageOf(await send('https://intake.invalid', options))).toContain('CONNECT_TIMEOUT')
    expect(proxy.seen.join()).not.toContain(KEY)
  })

  it('reports a proxy that requires a password for a plain request', async () => {
    const proxy = rawServer((socket) => socket.end('HTTP/1.1 407 Nobody\r\nContent-Length: 0\r\n\r\n'))
    const report = await send('http://intake.invalid', { proxy: `http://127.0.0.1:${await listenTcp(proxy)}` })
    expect(messageOf(report)).toContain('PROXY_AUTH')
  })

  it.each([
    ['403 Filtered', 'The proxy returned HTTP 403 (PROXY_REFUSED)'],
    ['502 Bad Gateway', 'The proxy returned HTTP 502 (PROXY_REFUSED)'],
    ['401 Unauthorized', 'The proxy address must contain a valid user name and password (PROXY_AUTH)'],
    ['407 Nobody', 'The proxy address must contain a valid user name and password (PROXY_AUTH)'],
  ])('reports a proxy that answers %s to a tunnel', async (status, sentence) => {
    const proxy = rawServer((socket) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`))
    const report = await send('https://intake.invalid', { proxy: `http://127.0.0.1:${await listenTcp(proxy)}` })
    expect(messageOf(report)).toContain(sentence)
  })

  it.each([
    ['403 Filtered', 1],
    ['407 Nobody', 1],
    ['429 Slowly', 2],
    ['502 Bad Gateway', 2],
  ])(
    'sends requests to a proxy that answers %s to a tunnel as often as attempts are allowed: %i',
    async (status, times) => {
      const proxy = rawServer((socket) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`))
      const options = { proxy: `http://127.0.0.1:${await listenTcp(proxy)}`, attempts: 2 }
      expect((await send('https://intake.invalid', options)).outcomes[0]?.attempts).toBe(times)
    },
  )

  it('sees only the host and port of an HTTPS upload in plain text', async () => {
    const bytes: Buffer[] = []
    const port = await listen(tlsServer())
    const proxy = rawServer((socket) => {
      const onward = connectSocket(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      socket.on('data', (data) => {
        bytes.push(data)
        onward.write(data)
      })
      onward.pipe(socket)
    })
    const options = { proxy: `http://127.0.0.1:${await listenTcp(proxy)}`, ca: join(root, 'ca.pem') }
    expect((await send(`https://127.0.0.1:${port}`, options)).totals.accepted).toBe(1)
    expect(proxy.seen[0]).toMatch(/^CONNECT 127\.0\.0\.1:\d+ HTTP\/1\.1\r\n/)
    expect(Buffer.concat(bytes).length).toBeGreaterThan(500)
    for (const text of [proxy.seen.join(), Buffer.concat(bytes).toString('latin1')]) expect(text).not.toContain(KEY)
    expect(arrived[0]?.headers['dd-api-key']).toBe(KEY)
  })
})

it('sends no server name to a TLS proxy at an IP address, but checks its certificate', async () => {
  const names: unknown[] = []
  const pem = (name: string) => readFileSync(join(root, name))
  const proxy = createHttpsServer({ key: pem('tls.key'), cert: pem('tls.pem') })
  proxy.on('secureConnection', ({ servername }) => names.push(servername))
  const port = await listen(tlsServer())
  proxy.on('connect', (_, socket) => {
    const onward = connectSocket(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [onward, socket]) end.on('error', () => undefined)
  })
  const options = { proxy: `https://127.0.0.1:${await listen(proxy as unknown as Server)}` }
  expect((await send(`https://127.0.0.1:${port}`, { ...options, ca: join(root, 'ca.pem') })).totals.accepted).toBe(1)
  expect((await send(`https://127.0.0.1:${port}`, options)).totals.failed).toBe(1)
  expect(names).toEqual([false])
  // A trusted authority signed this certificate, but for another address.
  proxy.setSecureContext({ key: pem('tls.key'), cert: pem('other.pem') })
  const report = await send(`https://127.0.0.1:${port}`, { ...options, ca: join(root, 'ca.pem') })
  expect(messageOf(report)).toContain('PROXY_CERTIFICATE')
})

it.each([
  ['from an unknown authority', () => ({}), 'tls.pem', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['for another host', () => ({ ca: join(root, 'ca.pem') }), 'other.pem', 'ERR_TLS_CERT_ALTNAME_INVALID'],
])('does not try later artifacts after a certificate %s', async (_, options, cert, code) => {
  const server = tlsServer()
  const { setSecureContext } = server as unknown as HttpsServer
  setSecureContext.call(server, {
    key: readFileSync(join(root, 'tls.key')),
    cert: readFileSync(join(root, cert)),
  })
  const report = await send(`https://127.0.0.1:${await listen(server)}`, { ...options(), concurrency: 1 }, 3)
  expect(report.outcomes.map(({ status, attempts }) => [status, attempts])).toEqual([
    ['failed', 1],
    ['not-tried', 0],
    ['not-tried', 0],
  ])
  expect(messageOf(report)).toContain(code)
})

describe('other connections', () => {
  it.each([
    ['a body that the server does not read', () => undefined],
    ['a response that never comes', (request: IncomingMessage) => void request.resume()],
  ])('ends a connection after the idle timeout: %s', async (_, act) => {
    const port = await listen(createHttpServer((request) => void act(request)))
    const large = { content: randomBytes(8_000_000) }
    const report = await send(`http://127.0.0.1:${port}`, { timeouts: { idle: 100 } }, 1, large)
    expect(messageOf(report)).toContain('IDLE_TIMEOUT')
  })

  it('reports connections that stop during the response', async () => {
    const port = await listen(
      createHttpServer((request, response) => {
        request.resume().on('end', () => {
          response.writeHead(200, { 'Content-Length': 100 })
          response.write('{"request_id":', () => response.socket?.destroy())
        })
      }),
    )
    expect(messageOf(await send(`http://127.0.0.1:${port}`))).toContain('ANSWER_TRUNCATED')
  })

  it('does not wait for connections that open while the run is aborted', async () => {
    const controller = new AbortController()
    const proxy = createTcpServer(() => controller.abort())
    tcpServers.push(proxy)
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    const options = { proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, signal: controller.signal }
    const report = await send('https://intake.invalid', options)
    expect(report.outcomes.map(({ status }) => status)).toEqual(['not-tried'])
  })

  it('connects to IPv6 addresses', async () => {
    const report = await send(`http://[::1]:${await listen(createHttpServer(take), '::1')}`)
    expect(report.totals.accepted).toBe(1)
  })

  it('does not follow a redirect, which could send the key to another host', async () => {
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
