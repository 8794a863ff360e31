import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useSink, writtenItem } from '../send/sink.fixture.ts'
import { PROBE_BOUNDARY } from '../transport/probe.ts'
import { deliver } from './deliver.ts'
import type { DeliveryInput } from './delivery.ts'
import { POLICIES, type Policy } from './policy.ts'
import { presentLines } from './present.ts'

const sink = useSink()

const LENIENT: Policy = { ...POLICIES.ci, auth: 'warn' }

const inputOf = (more: Partial<DeliveryInput> = {}): DeliveryInput => ({
  adapter: { name: 'test', version: '1' },
  settings: {
    options: {
      ...{ apiKey: 'k', endpoint: `http://127.0.0.1:${sink.port}`, service: 's', version: '1' },
      minifiedPathPrefix: '/',
    },
    ...{ cwd: sink.root, env: {}, ignoreConfigFile: true },
    dryRun: more.settings?.dryRun ?? false,
  },
  present: presentLines(() => undefined),
  ...(more.policy && { policy: more.policy }),
  ...(more.send && { send: more.send }),
})

const run = (more: Partial<DeliveryInput> = {}) =>
  deliver(inputOf(more), () => ({
    uploads: ['a.js.map', 'b.js.map'].map((name) => writtenItem(sink.root, name)),
    problems: [],
  }))

/** The kind of each request that the server received. */
const asked = () =>
  sink.requests.map(({ headers }) =>
    headers['content-type']?.endsWith(`boundary=${PROBE_BOUNDARY}`) ? 'key' : 'artifact',
  )

it.each([
  [401, {}, 'unauthorized'],
  [403, {}, 'forbidden'],
  [307, { Location: 'https://other.example/sourcemap/upload' }, 'endpoint-wrong'],
])('ends the run before anything is sent if the key check returns %i', async (status, headers, code) => {
  sink.respond = (response) => response.writeHead(status, headers).end()
  const { exitCode, problems, report } = await run()
  expect(asked()).toEqual(['key'])
  expect(exitCode).toBe(1)
  expect(problems[0]).toMatchObject({ code, file: 'a.js.map' })
  expect(report?.outcomes.map(({ status }) => status)).toEqual(['refused', 'not-tried'])
})

it.each([200, 400, 404, 405, 429, 500])('continues the run if the key check returns %i', async (status) => {
  sink.respond = (response, nth) => response.writeHead(nth === 1 ? status : 200).end()
  const { exitCode } = await run()
  expect(asked()).toEqual(['key', 'artifact', 'artifact'])
  expect(exitCode).toBe(0)
})

it("continues the run if the key check returns a firewall's web page", async () => {
  sink.respond = (response, nth) =>
    nth === 1 ? response.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>No</h1>') : response.end()
  expect((await run()).exitCode).toBe(0)
})

it('sends the artifacts if the intake does not answer the key check', async () => {
  sink.respond = (response, nth, request) => (nth === 1 ? request.socket.destroy() : response.end())
  expect((await run()).exitCode).toBe(0)
})

it('continues after a refused key check if the policy permits it', async () => {
  sink.respond = (response) => response.writeHead(401).end()
  expect((await run({ policy: LENIENT })).exitCode).toBe(0)
  expect(asked()).toEqual(['key'])
})

it('sends no key check in a dry run, or if the ledger may already list every artifact', async () => {
  await run({ settings: { dryRun: true } as DeliveryInput['settings'] })
  expect(asked()).toEqual([])
  const ledger = join(sink.root, 'ledger.jsonl')
  await run({ send: { ledger } })
  sink.requests.length = 0
  sink.respond = (response) => response.writeHead(401).end()
  expect((await run({ send: { ledger, resume: true } })).exitCode).toBe(0)
  expect(asked()).toEqual([])
})
