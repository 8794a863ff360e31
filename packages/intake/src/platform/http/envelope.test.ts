import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { DEFAULT_SEED } from '../../oncall/seed/default-seed.ts'
import { callIntake, useCaller } from '../../test-support/calling.fixture.ts'
import { createDirectory } from '../accounts/directory.ts'
import { ERRORS } from '../errors.ts'
import { operationsWith } from '../operation.ts'
import { createRateLimiter, NO_RATE_LIMITS } from '../rate-limit/rate-limiter.ts'
import { contracted } from '../wire/contract.ts'
import { Type } from '../wire/schema.ts'
import { createEvents } from './events.ts'
import { routeOperations } from './operation-routes.ts'
import { createServer } from './server.ts'

const caller = useCaller({}, { keeps: true })

/** The response to this text, sent on a raw socket. */
function answerTo(text: string): Promise<string> {
  return new Promise((done) => {
    const socket = connect(Number(new URL(caller.intake.url).port), '127.0.0.1', () => socket.write(text))
    let output = ''
    socket.on('data', (chunk) => (output += chunk))
    socket.on('close', () => done(output))
  })
}

describe('the response envelope', () => {
  it('returns a ULID in the body and the header, and data only on success', async () => {
    const good = await caller.post('/channel/list', {})
    expect(good.headers.get('service-request-id')).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect([good.status, Object.keys(JSON.parse(good.text))]).toEqual([200, ['request_id', 'data']])
    const bad = await caller.post('/channel/list', { p: 0 })
    expect([bad.status, Object.keys(JSON.parse(bad.text))]).toEqual([400, ['request_id', 'error']])
  })

  it.each([
    ['a request that is not HTTP', 'nonsense\r\n\r\n'],
    ['a request without a host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('answers %s with the envelope', async (_, text) => {
    expect(await answerTo(text)).toMatch(
      /^HTTP\/1\.1 400 .*Service-Request-Id: (\w{26})\r\n.*"request_id":"\1".*"BadRequest"/is,
    )
  })

  it.each([
    ['headers that do not end', ''],
    ['an incomplete body', 'Content-Length: 9999\r\n\r\n'],
  ])('answers a client with %s only once, however long it sends', async (_, rest) => {
    const { intake } = await callIntake({ idleMs: 300 })
    const socket = connect({ port: Number(new URL(intake.url).port), host: '127.0.0.1', allowHalfOpen: true })
    socket.write(
      `POST /channel/list?app_key=dev-app-key HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`,
    )
    let output = ''
    socket.on('data', (chunk) => (output += chunk))
    // Sends a byte again and again, but never completes the headers.
    const sending = setInterval(() => socket.writable && (rest === '' || output !== '') && socket.write('a'), 20)
    socket.on('error', () => undefined)
    await new Promise((done) => socket.on('close', done))
    clearInterval(sending)
    expect(output).toMatch(/^HTTP\/1\.1 400 /)
    await intake.close()
  })

  it('answers an unsupported Expect header with the envelope', async () => {
    const headers = 'Host: x\r\nExpect: a-miracle\r\nContent-Length: 0\r\nConnection: close'
    const answer = await answerTo(`POST /channel/list HTTP/1.1\r\n${headers}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 401 .*"Unauthorized"/s)
  })

  it('answers a request for a file that the inspector does not have with the envelope', async () => {
    const response = await fetch(`${caller.intake.url}/inspector/assets/gone.js`)
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'RouteNotFound' } }])
  })

  it('answers an old client that sends no Host header with the envelope', async () => {
    expect(await answerTo('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

it.each([
  ['/channel/list?app_key=dev-app-key', 413, 'EntityTooLarge'],
  ['/channel/list?app_key=wrong', 401, 'Unauthorized'],
  ['/channel/lists', 404, 'RouteNotFound'],
])('answers a client that writes a large body to %s before it reads', async (path, status, code) => {
  const body = `{"query":"${'x'.repeat(12_000_000)}"}`
  const answer = await new Promise<string>((done, fail) => {
    const socket = connect(Number(new URL(caller.intake.url).port), '127.0.0.1')
    socket.on('error', fail)
    socket.pause()
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n`
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`)
    socket.write(body, () => {
      let output = ''
      socket.on('data', (chunk) => (output += chunk))
      socket.on('close', () => done(output))
      socket.resume()
    })
  })
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*"${code}"`, 's'))
})

it('answers a client that waits for a response before it sends its body', async () => {
  const head = 'POST /channel/list?app_key=wrong HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const socket = connect(Number(new URL(caller.intake.url).port), '127.0.0.1')
  socket.write(`${head}Content-Length: 1000\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
})

describe('error codes in the envelope', () => {
  it('returns only error codes that the contract defines', () => {
    const { enum: codes } = contracted('ErrorCode') as { enum: string[] }
    expect(Object.keys(ERRORS).sort()).toEqual([...codes].sort())
  })

  it.each<[string, string, unknown, number, string, string]>([
    ['malformed JSON', '/channel/list', '{"p":', 400, 'BadRequest', 'not valid JSON'],
    ['JSON with too many digits', '/channel/list', '{"p":1234567890123456789,}', 400, 'BadRequest', 'not valid JSON'],
    ['JSON that is not an object', '/channel/list', '[]', 400, 'BadRequest', 'object'],
    ['no body', '/channel/list', undefined, 400, 'BadRequest', 'object'],
    [
      'a deeply nested body',
      '/channel/list',
      `{"x":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      400,
      'BadRequest',
      'deep',
    ],
    [
      'too many values',
      '/channel/list',
      `{"x":[${'1,'.repeat(10_000)}1]}`,
      413,
      'EntityTooLarge',
      'more than 10000 values',
    ],
    [
      'many empty lists',
      '/channel/list',
      `[${'[],'.repeat(10_000)}{}]`,
      413,
      'EntityTooLarge',
      'more than 10000 values',
    ],
    ['an unknown path', '/channel/lists', {}, 404, 'RouteNotFound', 'route'],
    ['malformed JSON sent to an unknown path', '/channel/lists', '{', 404, 'RouteNotFound', 'route'],
    ['a body other than JSON sent to an unknown path', '/channel/lists', '', 404, 'RouteNotFound', 'route'],
    ['a large body', '/channel/list', `{"query":"${'x'.repeat(5_000_000)}"}`, 413, 'EntityTooLarge', 'large'],
    ['a wrong field', '/channel/list', { p: 'x' }, 400, 'InvalidParameter', 'The specified parameter p is not valid.'],
    ['a missing field', '/audit/search', { start_time: 1 }, 400, 'InvalidParameter', 'parameter end_time is not'],
  ])('returns the right error code for %s', async (_, path, body, status, code, words) => {
    const answer = await caller.post(path, body)
    expect(answer).toMatchObject({ status, code })
    expect(answer.message).toContain(words)
    expect(answer.text).not.toMatch(/\bat \/|\.ts:|node_modules/)
  })

  it('returns an error code that does not depend on the content of a long text', async () => {
    const { status, data } = await caller.post('/channel/list', {
      query: ',"[{\\'.repeat(100_000),
      x: Array(9_000).fill(1),
    })
    expect([status, data.total]).toEqual([200, 0])
  })

  it('returns an error code that does not depend on a question mark within the query', async () => {
    const response = await fetch(`${caller.intake.url}/channel/list?from=a?b&app_key=dev-app-key`, { method: 'POST' })
    expect(await response.json()).toMatchObject({ error: { code: 'BadRequest' } })
  })

  it('returns an error code for a wrong content type or method', async () => {
    const typed = await caller.post('/channel/list', '{}', { headers: { 'Content-Type': 'text/plain' } })
    expect(typed).toMatchObject({ status: 400, code: 'InvalidContentType' })
    const fire = '/safari/automation/triggers/x/fire'
    for (const path of ['/channel/list', '/safari/automation/rule/update', fire]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const response = await fetch(`${caller.intake.url}${path}?app_key=dev-app-key`, { method })
        expect(await response.json()).toMatchObject({ error: { code: 'MethodNotAllowed' } })
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
      }
    }
    const other = await fetch(`${caller.intake.url}/openapi.json`, { method: 'POST' })
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    for (const path of ['/channel/list', '/sourcemap/upload']) {
      for (const body of ['', '{', `"${'x'.repeat(5_000_000)}"`]) {
        const headers = { 'Content-Type': 'application/json' }
        const response = await fetch(`${caller.intake.url}${path}`, { method: 'PUT', headers, body })
        expect(await response.json()).toMatchObject({ error: { code: 'MethodNotAllowed' } })
      }
    }
    const undecodable = await fetch(`${caller.intake.url}/%zz`)
    expect(await undecodable.json()).toMatchObject({ error: { code: 'BadRequest' } })
    expect(undecodable.headers.has('service-request-id')).toBe(true)
  })
})

it.each<[string | undefined, string]>([
  [undefined, 'You are unauthorized.'],
  ['', 'You are unauthorized.'],
  ['*', 'You are unauthorized.'],
  ['en-US,zh;q=0.9', 'You are unauthorized.'],
  ['de, fr;q=0.9', 'You are unauthorized.'],
  ['zh', '您未通过身份验证。'],
  ['zh-CN,zh;q=0.9,en;q=0.8', '您未通过身份验证。'],
  ['fr, zh-Hans;q=0.3, en;q=0.2', '您未通过身份验证。'],
  ['en;q=0, zh;q=0.1', '您未通过身份验证。'],
  ['zh;q=0', 'You are unauthorized.'],
  [`zh,${'x,'.repeat(1000)}`, 'You are unauthorized.'],
])('answers Accept-Language %j in %s', async (language, message) => {
  const headers: Record<string, string> = language === undefined ? {} : { 'Accept-Language': language }
  expect((await caller.post('/channel/list', {}, { key: 'wrong', headers })).message).toBe(message)
})

it('names fields in every language', async () => {
  const headers = { 'Accept-Language': 'zh' }
  const { message } = await caller.post('/channel/list', { is_my_team: true, is_my_starred: true }, { headers })
  expect(message).toBe('指定的参数 is_my_starred, is_my_team 无效。两者互斥。')
})

it('reports internal errors only on standard error', async () => {
  const broken = operationsWith()({
    path: '/broken',
    name: 'broken:read:it',
    title: { en: 'Breaks', zh: '出错' },
    body: Type.Object({}),
    data: Type.Object({}),
    example: {},
    run: () => {
      throw new TypeError('a secret of the inside')
    },
  })
  const app = createServer({ events: createEvents(), idleMs: 30_000 })
  const services = { directory: createDirectory(DEFAULT_SEED), titles: new Map(), now: Date.now }
  const limiter = createRateLimiter(NO_RATE_LIMITS, Date.now)
  app.register(async (scope) => routeOperations(scope, [broken], services, { limiter, record: () => undefined }))
  const output = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const headers = { 'accept-language': 'zh' }
  const answer = await app.inject({ method: 'POST', url: '/broken?app_key=dev-app-key', payload: {}, headers })
  const written = output.mock.calls.join()
  output.mockRestore()
  const { request_id, error } = answer.json()
  expect([answer.statusCode, error]).toEqual([500, { code: 'InternalError', message: '服务内部错误，请稍后重试。' }])
  expect(answer.headers['service-request-id']).toBe(request_id)
  expect(written).toContain(`${request_id}: TypeError: a secret of the inside`)
  expect(written).not.toContain('dev-app-key')
  await app.close()
})
