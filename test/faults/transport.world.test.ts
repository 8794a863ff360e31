import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import type { Report } from '@symup/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { symup } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { isKeyCheck } from '../support/key-check.ts'
import { freePort, useServer } from '../support/server.ts'

/** The command with a real transport: a TLS server with a private authority, and Debian's tinyproxy. */
const KEY = 'transport-suite-key-9f2c'
const hasTinyproxy = spawnSync('tinyproxy', ['-v']).status === 0
if (!hasTinyproxy && process.env.CI) throw new Error('tinyproxy is missing: apt-get install tinyproxy')

const root = useDirectory()
const plain = useServer(take)
const redirecting = useServer((_request, response) =>
  response.writeHead(308, { Location: `${plain.url}/sourcemap/upload` }).end(),
)
let secure: Server
/** The URL of the secure server. */
let address: string
let proxy: { child: ChildProcess; port: number } | undefined
let arrived: IncomingHttpHeaders[]

beforeAll(async () => {
  mkdirSync(join(root, 'dist'))
  for (const name of ['a', 'b', 'c']) {
    writeFileSync(join(root, `dist/${name}.js`), `//${name}`)
    writeFileSync(join(root, `dist/${name}.js.map`), '{"version":3,"sources":[],"names":[],"mappings":""}')
  }
  makeCertificates()
  const pem = (name: string) => readFileSync(join(root, name))
  secure = createServer({ key: pem('tls.key'), cert: pem('tls.pem') }, (request, response) => {
    request.resume().on('end', () => take(request, response))
  })
  await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
  address = `localhost:${(secure.address() as AddressInfo).port}`
  if (hasTinyproxy) proxy = await startTinyproxy()
})
afterAll(() => {
  proxy?.child.kill()
  secure.close()
})
beforeEach(() => {
  arrived = []
})

function makeCertificates(): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: root, stdio: 'ignore' })
  const subject = (name: string) => ['-nodes', '-newkey', 'rsa:2048', '-subj', `/CN=${name}`]
  openssl('req', '-x509', ...subject('private authority'), '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2')
  openssl('req', ...subject('localhost'), '-keyout', 'tls.key', '-out', 'tls.csr')
  writeFileSync(join(root, 'san'), 'subjectAltName=IP:127.0.0.1,DNS:localhost')
  openssl(
    ...['x509', '-req', '-in', 'tls.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-out', 'tls.pem', '-days', '2', '-extfile', 'san'],
  )
}

function take(request: IncomingMessage, response: ServerResponse) {
  if (!isKeyCheck(request)) arrived.push(request.headers)
  response.end('{"request_id":"r","data":{}}')
}

async function startTinyproxy(): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort()
  const config = `Port ${port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nLogFile "${root}/proxy.log"\nLogLevel Info\nAllow 127.0.0.1\n`
  writeFileSync(join(root, 'proxy.conf'), config)
  const child = spawn('tinyproxy', ['-d', '-c', join(root, 'proxy.conf')], { stdio: 'ignore' })
  await vi.waitUntil(() => isListening(port), { timeout: 30_000 })
  return { child, port }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true))
    socket.on('error', () => done(false)).on('connect', () => socket.destroy())
  })
}

async function run(endpoint: string, more: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const result = await symup(
    [
      ...['web', 'upload', 'dist', '--service', 's', '--release-version', '1', '--minified-path-prefix', '/'],
      ...['--endpoint', endpoint, '--attempts', '1', '--no-config-file', '--json', ...more],
    ],
    { cwd: root, env: { SYMUP_API_KEY: KEY, ...env } },
  )
  expect(result.stdout + result.stderr).not.toContain(KEY)
  const report = JSON.parse(result.stdout) as Report
  return {
    ...result,
    accepted: report.totals.accepted,
    problems: [...report.problems, ...report.outcomes.flatMap(({ problem }) => problem ?? [])].filter(
      ({ severity }) => severity === 'error',
    ),
  }
}

describe('a server with a certificate from a private authority', () => {
  it.each<[string, string[], () => NodeJS.ProcessEnv]>([
    ['--ca', ['--ca', 'ca.pem'], () => ({})],
    ['NODE_EXTRA_CA_CERTS', [], () => ({ NODE_EXTRA_CA_CERTS: join(root, 'ca.pem') })],
  ])('trusts the server with %s', async (_, flags, env) => {
    const { exitCode, accepted } = await run(`https://${address}`, flags, env())
    expect({ exitCode, accepted }).toEqual({ exitCode: 0, accepted: 3 })
    expect(arrived.map((headers) => headers['dd-api-key'])).toEqual([KEY, KEY, KEY])
  })
})

describe.skipIf(!hasTinyproxy)('tinyproxy', () => {
  const url = () => `http://127.0.0.1:${proxy?.port}`
  // tinyproxy's log contains every connection to another server.
  const log = () => readFileSync(join(root, 'proxy.log'), 'utf8')

  it.each<[string, string[], () => NodeJS.ProcessEnv]>([
    ['HTTPS_PROXY', [], () => ({ HTTPS_PROXY: url() })],
    ['https_proxy', [], () => ({ https_proxy: url() })],
    ['--proxy', ['--proxy'], () => ({})],
  ])('opens a tunnel to an HTTPS server because of %s, and does not see the key', async (_, flags, env) => {
    const before = log().length
    const more = flags.length > 0 ? [...flags, url()] : []
    const { exitCode, accepted } = await run(`https://${address}`, ['--ca', 'ca.pem', ...more], env())
    expect({ exitCode, accepted }).toEqual({ exitCode: 0, accepted: 3 })
    expect(log().slice(before)).toContain(`CONNECT ${address}`)
    expect(log()).not.toContain(KEY)
  })

  it('forwards requests to a plain server, but is not used for hosts in NO_PROXY', async () => {
    const endpoint = plain.url.replace('127.0.0.1', 'localhost')
    const before = log().length
    expect((await run(endpoint, [], { http_proxy: url() })).accepted).toBe(3)
    expect(log().slice(before)).toContain(`POST ${endpoint}/sourcemap/upload`)
    const after = log().length
    expect((await run(endpoint, [], { http_proxy: url(), NO_PROXY: 'localhost' })).accepted).toBe(3)
    expect(log().slice(after)).not.toContain('POST')
  })
})

it.each<[string, string[], NodeJS.ProcessEnv]>([
  ['a proxy that is not a URL', ['--proxy', 'http://['], {}],
  ['an unsupported type of proxy', ['--proxy', 'socks5://127.0.0.1:1'], {}],
  ['a proxy variable that is not a URL', [], { http_proxy: 'http://user:hunter2@[' }],
  ['a missing certificate file', ['--ca', 'nowhere.pem'], {}],
  ['an invalid certificate file', ['--ca', 'san'], {}],
])('exits with 2 before anything is sent: %s', async (_, flags, env) => {
  const endpoint = flags[0] === '--ca' ? `https://${address}` : plain.url
  const { exitCode, problems, stdout, stderr } = await run(endpoint, flags, env)
  expect(exitCode).toBe(2)
  expect(problems.map(({ code }) => code)).toEqual(['proxy-or-ca-unusable'])
  expect(stdout + stderr).not.toContain('hunter2')
  expect(arrived).toEqual([])
})

it('does not follow a redirect, so that the key is not sent elsewhere', async () => {
  const { exitCode, problems } = await run(redirecting.url)
  expect(exitCode).toBe(1)
  expect(problems[0]?.code).toBe('endpoint-wrong')
  expect(arrived).toEqual([])
})
