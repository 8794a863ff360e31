import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OPERATIONS, TEST_OPERATIONS } from '../../rooms.ts'
import { callIntake } from '../../test-support/calling.fixture.ts'

const REQUESTS = 1000
const AT_ONCE = 16

const operations = [...OPERATIONS, ...TEST_OPERATIONS]
const paths = fc.constantFrom(...operations.map(({ path }) => path.replace(':trigger_id', 'atrig_x')))
const jsonOf = fc.jsonValue({ maxDepth: 6, noUnicodeString: false }).map((value) => JSON.stringify(value))
const brokenExample = fc
  .tuple(fc.constantFrom(...operations.map(({ example }) => JSON.stringify(example))), fc.nat(), fc.string())
  .map(([text, place, noise]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + noise + text.slice(at + (place % 7))
  })
const extremes = fc.constantFrom(
  '{"p":1e999}',
  '{"p":-0}',
  `{"limit":${'9'.repeat(5000)}}`,
  `{"channel_ids":[${'9'.repeat(19)},-${'9'.repeat(19)}]}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `${'['.repeat(20_000)}`,
  '{"__proto__":{"p":1},"constructor":{"prototype":{"x":1}}}',
  '{"__proto__":null,"n":12345678901234567890}',
  '{"rule_id":"\\u0000\\ud800"}',
  '{"query":"\\udfff%_\'\\"; drop table audit_record; --"}',
  '\ufeff{}',
  '{"start_time":0,"end_time":7776000,"search_after_ctx":"AAAA"}',
  '{"rule_id":"arule_7NnLzY2Qp8xS4kUaV3mR6b","timezone":"../../etc/passwd","cron_expr":"0 0 30 2 *"}',
)
const requests = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'),
  path: fc.oneof(
    { weight: 8, arbitrary: paths },
    { weight: 1, arbitrary: fc.webPath() },
    { weight: 1, arbitrary: fc.constant('/sourcemap/upload') },
  ),
  query: fc.oneof(
    { weight: 6, arbitrary: fc.constant('?app_key=dev-app-key') },
    { weight: 1, arbitrary: fc.webQueryParameters().map((text) => `?${text}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '?app_key=%00', '?app_key=a&app_key=b', '?app_key[]=x', '?%', '?app_key=%zz'),
    },
  ),
  type: fc.oneof(
    { weight: 6, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'application/json; charset=utf-16',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'a',
        '/',
        'application/vnd.api+json',
      ),
    },
  ),
  language: fc.constantFrom('en', 'zh', ';;q=,', 'zh;q=x', '*;q=0'),
  body: fc.oneof(
    jsonOf,
    brokenExample,
    extremes,
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  ),
})

it(`answers ${REQUESTS} malformed requests in the envelope, never with 500, and keeps running`, async () => {
  const { intake, post } = await callIntake()
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const statuses = new Map<number, number>()
  const samples = fc.sample(requests, { numRuns: REQUESTS, seed: 20260105 })
  const sendNext = async () => {
    for (let next = samples.pop(); next; next = samples.pop()) {
      const { method, path, query, type, language, body } = next
      const response = await send(`${intake.url}/${path.replace(/^\//, '')}${query}`, agent, method, body, {
        'content-type': type,
        'accept-language': language,
        authorization: 'Bearer x'.repeat(9),
      })
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      if (response.status >= 500)
        throw new Error(`${response.status} to ${JSON.stringify(next).slice(0, 500)}: ${response.text}`)
      // The inspector's page is not JSON, and a response to HEAD has no body.
      if (method === 'HEAD' || response.headers['content-type']?.startsWith('text/html')) continue
      expect(JSON.parse(response.text).request_id).toBe(response.headers['service-request-id'])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext))
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS)
  expect([...statuses.keys()].sort()).toEqual([200, 400, 401, 404, 405])

  const { port } = new URL(intake.url)
  for (const noise of fc.sample(fc.uint8Array({ minLength: 1, maxLength: 400 }), { numRuns: 200, seed: 7 })) {
    await new Promise<void>((done) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.end(Buffer.concat([Buffer.from('POST /'), noise, Buffer.from('\r\n\r\n')])),
      )
      socket.on('error', () => undefined)
      socket.on('close', () => done())
      socket.resume()
    })
  }
  expect((await post('/channel/list', {})).status).toBe(200)
  agent.destroy()
  await intake.close()
}, 60_000)

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

function send(url: string, agent: Agent, method: string, body: string | Uint8Array, headers: Record<string, string>) {
  return new Promise<Answer>((done, fail) => {
    const sent = request(url, { agent, method, headers }, (response) => {
      const { statusCode: status = 0, headers } = response
      readText(response).then((text) => done({ status, headers, text }), fail)
    })
    sent.on('error', fail)
    sent.end(method === 'GET' || method === 'HEAD' ? undefined : body)
  })
}
