import { gzipSync } from 'node:zlib'
import type { Random } from '../support/random.ts'
import type { Sample } from './corpus.ts'
import { mutateBytes, mutateJson, pick } from './mutate.ts'

/** A request in the form of a crasher's file. */
export interface Request {
  path: string
  headers: Record<string, string>
  /** Base64. */
  body: string
  /** Sent by another site's page, so the intake must refuse it. */
  isForeign?: boolean
}

/** A test case: requests, one after another, or a config file for a client. */
export interface Case {
  target: string
  requests?: Request[]
  /** Text of a `symup.json`. */
  config?: string
}

/** A JSON operation with a valid body. */
export interface Operation {
  path: string
  example: unknown
}

const UPLOAD = '/sourcemap/upload'
const BOUNDARY = 'boundary'

/** The next case; the same for the same random numbers. */
export function nextCase(random: Random, samples: readonly Sample[], operations: readonly Operation[]): Case {
  const sample = pick(random, samples)
  switch (random(10)) {
    case 0:
      return {
        target: 'event',
        requests: [upload({ ...sample, event: mutateJson(random, sample.event) }), ask(sample)],
      }
    case 1: {
      const { headers, body } = upload(sample)
      const mutated = mutateBytes(random, Buffer.from(body, 'base64'))
      return { target: 'upload body', requests: [{ path: UPLOAD, headers, body: mutated.toString('base64') }] }
    }
    case 2: {
      const question = { ...sample.question, stack: mutateBytes(random, Buffer.from(sample.question.stack)).toString() }
      return { target: 'stack', requests: [upload(sample), ask({ ...sample, question })] }
    }
    case 3: {
      const { path, example } = pick(random, operations)
      return { target: 'operation', requests: [json(path, mutateJson(random, example))] }
    }
    case 4: {
      const config = { endpoint: 'https://h', service: 's', include: ['*.js'], concurrency: 3, policy: 'ci' }
      const text = JSON.stringify(random(2) === 0 ? mutateJson(random, config) : config)
      return { target: 'config', config: mutateBytes(random, Buffer.from(text)).toString() }
    }
    case 5: {
      const { path, example } = pick(random, [...operations, ...PAGE_ROUTES])
      return { target: 'foreign page', requests: [foreign(random, json(path, example))] }
    }
    case 6: {
      const long = pick(random, UNITS).repeat((random(LONGEST) + 1000) / 4)
      const body = pick(random, [
        { ...sample.question, stack: long },
        { ...sample.question, stack: 'x', [long.slice(0, 100_000)]: 1 },
        { ...sample.question, stack: 'x', debug_ids: Object.fromEntries([...long.slice(0, 5000)].entries()) },
      ])
      return {
        target: 'long text',
        requests: [json('/sourcemap/stack/enrich', { service: 's', version: '1', ...body })],
      }
    }
    default: {
      const name = pick(random, Object.keys(sample.parts))
      const parts = { ...sample.parts, [name]: mutateBytes(random, sample.parts[name] as Buffer) }
      return { target: sample.name, requests: [upload({ ...sample, parts }, random(2) === 0), ask(sample)] }
    }
  }
}

/** Routes outside the operations that change data or are expensive. */
const PAGE_ROUTES: readonly Operation[] = [
  '/__test/reset',
  '/__test/seed',
  '/__test/clock',
  '/__test/faults',
  '/__test/fire-due',
  '/__test/uploads',
  '/__test/app-key',
  '/inspector/api/guess',
  '/inspector/api/explain',
  '/inspector/api/fault',
  '/sourcemap/missing',
  UPLOAD,
].map((path) => ({ path, example: {} }))

/** The request as another site's page would send it. Browsers send plain text without a preflight request. */
function foreign(random: Random, { path, headers }: Request): Request {
  const origin = pick(random, ['https://evil.example', 'null', 'http://localhost:1', 'http://127.0.0.1.evil.example'])
  const site = pick(random, [undefined, 'cross-site', 'same-site'])
  const from = { Origin: origin, ...(site && { 'Sec-Fetch-Site': site }) }
  return random(2) === 0
    ? { path, headers: { ...headers, ...from }, isForeign: true, body: Buffer.from('{}').toString('base64') }
    : { path, headers: { ...from, 'Content-Type': 'text/plain' }, isForeign: true, body: '' }
}

/** Units that are repeated to make long lines. */
const UNITS = [
  'xxxx',
  'at a',
  'a@b ',
  '    ',
  '9999',
  '\\"\\"',
  ':1:2',
  '/a/b',
  '((((',
  '#00 ',
  'at (',
  '\n\n\n\n',
  '字字字字',
]
const LONGEST = 4 * 1024 * 1024 - 2000

/** An unchanged sample, and its stack. */
export const unchanged = (sample: Sample): Request[] => [upload(sample), ask(sample)]

function upload({ event, parts }: { event: unknown; parts: Record<string, Buffer> }, zipped = false): Request {
  const head = (name: string, rest: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`
  const pieces = [
    Buffer.from(`${head('event', '; filename="blob"\r\nContent-Type: application/json')}${JSON.stringify(event)}\r\n`),
    ...Object.entries(parts).flatMap(([name, content]) => [
      Buffer.from(head(name, `; filename="${name}"\r\nContent-Type: application/octet-stream`)),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]
  const body = Buffer.concat(pieces)
  return {
    path: UPLOAD,
    headers: {
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'DD-API-KEY': 'dev-api-key',
      ...(zipped && { 'Content-Encoding': 'gzip' }),
    },
    body: (zipped ? gzipSync(body) : body).toString('base64'),
  }
}

function ask({ question, event }: { question: object; event: unknown }): Request {
  const { service = 'fuzz', version = '1' } = event as { service?: unknown; version?: unknown }
  return json('/sourcemap/stack/enrich', { service, version, ...question })
}

function json(path: string, document: unknown): Request {
  const body = Buffer.from(JSON.stringify(document) ?? 'null').toString('base64')
  return { path: `${path}?app_key=dev-app-key`, headers: { 'Content-Type': 'application/json' }, body }
}

export const isUpload = ({ path }: Request) => path === UPLOAD
