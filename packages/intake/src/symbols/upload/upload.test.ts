import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Intake, startIntake } from '../../index.ts'

const MAP = '{"version":3,"sources":["a.ts"],"sourcesContent":["throw 1\\n"],"names":[],"mappings":"AAAA"}'
const EVENT = { type: 'js_sourcemap', service: 's', version: '1', minified_url: 'https://cdn/x/a.js?v=1' }

let intake: Intake
let dataDir: string
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'symup-intake-test-'))
  intake = await startIntake({ dataDir, limits: { inflatedBytes: 4_000_000, textBytes: 10_000 } })
})
afterEach(async () => {
  await intake.close()
  rmSync(dataDir, { recursive: true })
})

interface Part {
  name: string
  content: string | Buffer
  filename?: string
  type?: string
}

const event = (extra: object = {}, filename?: string): Part => ({
  name: 'event',
  content: JSON.stringify({ ...EVENT, ...extra }),
  ...(filename !== undefined && { filename }),
})
const map: Part = { name: 'source_map', filename: '../../etc/passwd', content: MAP }
const script: Part = { name: 'minified_file', filename: 'minified_file', content: 'throw 1' }

function multipart(parts: Part[], boundary = 'xyz'): Buffer {
  const chunks: (string | Buffer)[] = []
  for (const { name, content, filename, type } of parts) {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    chunks.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n`)
    chunks.push(`${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`, content, '\r\n')
  }
  chunks.push(`--${boundary}--\r\n`)
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))
}

async function post(body: Buffer, headers: Record<string, string> = {}, path = '/sourcemap/upload') {
  const response = await fetch(intake.url + path, {
    method: 'POST',
    headers: { 'DD-API-KEY': 'dev-api-key', 'Content-Type': 'multipart/form-data; boundary=xyz', ...headers },
    body,
  })
  const answer = (await response.json()) as {
    request_id: string
    data?: object
    error?: { code: string; message: string }
  }
  expect(response.headers.get('service-request-id')).toBe(answer.request_id)
  return { status: response.status, code: answer.error?.code, message: answer.error?.message ?? '' }
}

const incoming = () => readdirSync(join(dataDir, 'incoming'))

async function expectNothingStored() {
  expect(await intake.uploads()).toEqual([])
  expect(incoming()).toEqual([])
  expect(readdirSync(dataDir)).not.toContain('blobs')
  expect((await post(multipart([event(), map, script]))).status).toBe(200)
}

async function operation(path: string, body: unknown, key = 'dev-app-key') {
  const response = await fetch(`${intake.url}${path}?app_key=${key}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into every corner of the answer.
  return { status: response.status, ...((await response.json()) as any) }
}

describe('accepts', () => {
  it.each<[string, Buffer, Record<string, string>, string]>([
    ['plain', multipart([event(), map, script]), {}, '/sourcemap/upload'],
    ['gzip', gzipSync(multipart([event(), map, script])), { 'Content-Encoding': 'gzip' }, '/sourcemap/upload'],
    ['event last, with a file name', multipart([map, script, event({}, 'event')]), {}, '/sourcemap/upload'],
    [
      'event with a charset',
      multipart([{ ...event(), type: 'application/json; charset=utf-8' }, map]),
      {},
      '/sourcemap/upload',
    ],
    [
      'quoted boundary',
      multipart([event(), map], "a b'()+_,-./:=?"),
      { 'Content-Type': `multipart/form-data; boundary="a b'()+_,-./:=?"` },
      '/sourcemap/upload',
    ],
    ['dialect path below a base', multipart([event(), map]), {}, '/base/x/api/v2/srcmap'],
    ['doubled path', multipart([event(), map]), {}, '/sourcemap/upload/sourcemap/upload/'],
    ['doubled dialect path with query', multipart([event(), map]), {}, '/sourcemap/upload/api/v2/srcmap?x=1'],
    [
      'separate git fields',
      multipart([event(), map, { name: 'git_commit_sha', content: 'abc' }]),
      {},
      '/sourcemap/upload',
    ],
    [
      'a repository part and unknown ones',
      multipart([event(), map, { name: 'repository', content: '{}' }, { name: 'other', filename: 'o', content: 'x' }]),
      {},
      '/sourcemap/upload',
    ],
    [
      'a kind without service and version',
      multipart([
        { name: 'wasm_symbol_file', filename: 'z', content: 'wasm' },
        { name: 'event', content: '{"type":"wasm_symbol_file"}' },
      ]),
      {},
      '/sourcemap/upload',
    ],
    [
      'a mapping with a number as version_code',
      multipart([
        event({ type: 'jvm_mapping_file', version_code: 3 }),
        { name: 'jvm_mapping_file', filename: 'f', content: 'a -> b:' },
      ]),
      {},
      '/sourcemap/upload',
    ],
  ])('%s', async (_, body, headers, path) => {
    expect(await post(body, headers, path)).toMatchObject({ status: 200 })
    expect(await intake.uploads()).toHaveLength(1)
    expect(readdirSync(join(dataDir, 'incoming'))).toEqual([])
  })

  it('stores the same artifact and the same bytes once, whoever sends them at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => post(multipart([event(), map, script]))))
    await post(multipart([event({ version: '2' }), map, script]))
    const uploads = await intake.uploads()
    expect(uploads.map(({ version }) => version)).toEqual(['1', '2'])
    expect(readdirSync(join(dataDir, 'blobs')).flatMap((dir) => readdirSync(join(dataDir, 'blobs', dir)))).toHaveLength(
      2,
    )
    expect((await uploads[0]?.parts.find(({ name }) => name === 'source_map')?.read())?.toString()).toBe(MAP)
  })

  it('keeps what it has over a restart', async () => {
    await post(multipart([event(), map, script]))
    await intake.close()
    intake = await startIntake({ dataDir })
    expect(await intake.uploads()).toHaveLength(1)
  })
})

describe('refuses, stores nothing and lives', () => {
  const bomb = gzipSync(multipart([event(), { ...map, content: Buffer.alloc(40_000_000, 32) }]))
  it.each<[string, number, string, string, Buffer, Record<string, string>]>([
    ['no key', 401, 'Unauthorized', 'You are unauthorized.', multipart([event(), map]), { 'DD-API-KEY': '' }],
    ['a wrong key', 401, 'Unauthorized', 'You are', multipart([event(), map]), { 'DD-API-KEY': 'dev-api-kez' }],
    ['an unknown type', 400, 'InvalidParameter', 'event.type', multipart([event({ type: 'x' }), map]), {}],
    [
      'an inherited name as type',
      400,
      'InvalidParameter',
      'event.type',
      multipart([event({ type: 'constructor' }), map]),
      {},
    ],
    [
      'a type that cannot be made a text',
      400,
      'InvalidParameter',
      'event.type',
      multipart([event({ type: { toString: 1 } }), map]),
      {},
    ],
    ['no event', 400, 'InvalidParameter', 'event', multipart([map]), {}],
    [
      'an event that is not JSON',
      400,
      'InvalidParameter',
      'event',
      multipart([{ name: 'event', content: '{' }, map]),
      {},
    ],
    ['a huge event', 413, 'EntityTooLarge', 'part event', multipart([event({ x: 'y'.repeat(20_000) }), map]), {}],
    [
      'a huge event with a file name',
      413,
      'EntityTooLarge',
      'part event',
      multipart([event({ x: 'y'.repeat(20_000) }, 'e'), map]),
      {},
    ],
    ['no service', 400, 'InvalidParameter', 'event.service', multipart([event({ service: '' }), map]), {}],
    [
      'no minified_url',
      400,
      'InvalidParameter',
      'event.minified_url',
      multipart([event({ minified_url: 3 }), map]),
      {},
    ],
    ['no map', 400, 'InvalidParameter', 'source_map', multipart([event(), script]), {}],
    ['an empty map', 400, 'InvalidParameter', 'source_map', multipart([event(), { ...map, content: '' }]), {}],
    [
      'a map that is not JSON',
      400,
      'InvalidParameter',
      'source_map',
      multipart([event(), { ...map, content: '<html>' }]),
      {},
    ],
    [
      'a map that is none',
      400,
      'InvalidParameter',
      'source_map',
      multipart([event(), { ...map, content: '{"version":3}' }]),
      {},
    ],
    ['a part named twice', 400, 'InvalidParameter', 'source_map', multipart([event(), map, map]), {}],
    ['an event named twice', 400, 'InvalidParameter', 'event', multipart([event(), map, event()]), {}],
    [
      'too many parts',
      413,
      'EntityTooLarge',
      'parts',
      multipart([
        event(),
        ...Array.from({ length: 30 }, (_, i) => ({ name: `p${i}`, filename: 'f', content: 'x' })),
        map,
      ]),
      {},
    ],
    ['a body that ends early', 400, 'InvalidParameter', 'body', multipart([event(), map]).subarray(0, 200), {}],
    ['no body', 400, 'InvalidParameter', 'body', Buffer.alloc(0), {}],
    [
      'no boundary',
      400,
      'InvalidParameter',
      'boundary',
      multipart([event()]),
      { 'Content-Type': 'multipart/form-data' },
    ],
    ['JSON', 400, 'InvalidContentType', 'multipart', Buffer.from('{}'), { 'Content-Type': 'application/json' }],
    [
      'an unknown encoding',
      400,
      'InvalidContentType',
      'compress',
      multipart([event()]),
      { 'Content-Encoding': 'compress' },
    ],
    ['broken gzip', 400, 'InvalidParameter', 'body', Buffer.from('not gzip'), { 'Content-Encoding': 'gzip' }],
    [
      'gzip truncated',
      400,
      'InvalidParameter',
      'body',
      gzipSync(multipart([event(), map])).subarray(0, 60),
      { 'Content-Encoding': 'gzip' },
    ],
    ['a gzip bomb', 413, 'EntityTooLarge', 'decompressed', bomb, { 'Content-Encoding': 'gzip' }],
  ])('%s', async (_, status, code, words, body, headers) => {
    const answer = await post(body, headers)
    expect(answer).toMatchObject({ status, code })
    expect(answer.message).toContain(words)
    expect(JSON.stringify(answer)).not.toContain('dev-api-key')
    await expectNothingStored()
  })

  it('a client that goes away in the middle', async () => {
    const { port } = new URL(intake.url)
    // What is smaller is written when all of it is there.
    const body = multipart([event(), { ...map, content: 'x'.repeat(1024 * 1024) }])
    await new Promise<void>((done) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST /sourcemap/upload HTTP/1.1\r\nHost: x\r\nDD-API-KEY: dev-api-key\r\nContent-Type: multipart/form-data; boundary=xyz\r\nContent-Length: ${body.length}\r\n\r\n`,
        )
        socket.write(body.subarray(0, body.length - 60))
      })
      socket.on('close', () => done())
      socket.on('error', () => undefined)
      // Once the intake keeps what has come so far.
      void vi.waitUntil(() => incoming().length > 0, { timeout: 10_000 }).finally(() => socket.resetAndDestroy())
    })
    await vi.waitUntil(() => incoming().length === 0, { timeout: 10_000 })
    await expectNothingStored()
  })
})

it('does not grow with the size of an upload, though what is uploaded is read', { timeout: 120_000 }, async () => {
  await intake.close()
  intake = await startIntake({ dataDir })
  const before = process.memoryUsage().rss
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  const head = multipart([event()]).toString().replace('--xyz--\r\n', '')
  const mebibyte = 1024 * 1024
  const [start, end] = ['{"version":3,"names":[],"sources":["a.ts"],"sourcesContent":["', '"],"mappings":"AAAA"}']
  const status = await new Promise<number | undefined>((done, fail) => {
    const headers = { 'DD-API-KEY': 'dev-api-key', 'Content-Type': 'multipart/form-data; boundary=xyz' }
    const request = httpRequest(`${intake.url}/sourcemap/upload`, { method: 'POST', headers }, (response) => {
      response.resume()
      done(response.statusCode)
    })
    request.on('error', fail)
    request.write(`${head}--xyz\r\nContent-Disposition: form-data; name="source_map"; filename="m"\r\n\r\n${start}`)
    const chunk = Buffer.alloc(mebibyte, 'const total= 1\\n')
    let left = 128
    const more = () => {
      while (left-- > 0) if (!request.write(chunk)) return void request.once('drain', more)
      request.end(`${end}\r\n--xyz--\r\n`)
    }
    more()
  })
  clearInterval(timer)
  expect(status).toBe(200)
  const [upload] = await intake.uploads()
  expect(upload?.parts[0]?.bytes).toBe(128 * mebibyte + start.length + end.length)
  expect(most - before).toBeLessThan(90 * mebibyte)
  // It was read as a map.
  const stack = 'Error: x\n    at f (https://cdn/x/a.js:1:1)'
  const { data } = await operation('/sourcemap/stack/enrich', { service: 's', version: '1', type: 'browser', stack })
  expect(JSON.stringify(data)).toContain('a.ts')
})

describe('operations', () => {
  it("list what was uploaded, in the contract's form", async () => {
    await post(multipart([event({ git_commit_sha: 'abc' }), map, script]))
    const now = Date.now()
    const range = { start_time: now - 60_000, end_time: now + 60_000 }
    const { data } = await operation('/sourcemap/list', { ...range, type: 'browser', services: ['s'], query: 'a.js' })
    expect(data.total).toBe(1)
    expect(data.items[0]).toMatchObject({
      key: 'browser/s/1/x/a.js',
      type: 'browser',
      service: 's',
      version: '1',
      git_commit_sha: 'abc',
      size: MAP.length + 7,
    })
    expect(Math.abs(data.items[0].created_at * 1000 - now)).toBeLessThan(5000)
    for (const filter of [
      { type: 'ios' },
      { services: ['x'] },
      { query: '%' },
      { versions: ['9'] },
      { start_time: now + 50_000 },
    ]) {
      expect((await operation('/sourcemap/list', { ...range, ...filter })).data.total).toBe(0)
    }
  })

  it('enrich a stack, with the reason where it cannot', async () => {
    await post(multipart([event(), map, script]))
    const stack =
      'Error: x\n    at f (https://cdn/x/a.js:1:1)\n    at g (https://cdn/y/a.js:1:1)\n    at node:internal/x:1:2'
    const { data } = await operation('/sourcemap/stack/enrich', {
      service: 's',
      version: '1',
      stack,
      near: 1,
      unknown: true,
    })
    expect(data.frames).toMatchObject([
      {
        file: 'a.ts',
        line: 1,
        column: 1,
        converted: true,
        code_snippets: [{ line: 1, code: 'throw 1' }, { line: 2 }],
        original_frame: { function: 'f', file: 'https://cdn/x/a.js' },
      },
      { converted: false, reason: { code: 'prefix-mismatch' } },
      { converted: false, third_party: true, reason: { code: 'not-a-project-frame' } },
    ])
  })

  it.each<[string, unknown, number, string]>([
    ['/sourcemap/list', {}, 400, 'InvalidParameter'],
    ['/sourcemap/list', { start_time: '1', end_time: 2 }, 400, 'InvalidParameter'],
    ['/sourcemap/list', { start_time: 1, end_time: 2, limit: 101 }, 400, 'InvalidParameter'],
    ['/sourcemap/stack/enrich', { version: '1' }, 400, 'InvalidParameter'],
    ['/sourcemap/stack/enrich', { service: 's', version: '1', near: 0 }, 400, 'InvalidParameter'],
    ['/sourcemap/list', '{', 400, 'BadRequest'],
    ['/sourcemap/list', '[]', 400, 'BadRequest'],
    ['/nowhere', {}, 404, 'RouteNotFound'],
  ])('%s %j → %i %s', async (path, body, status, code) => {
    expect(await operation(path, body)).toMatchObject({ status, error: { code } })
  })

  it('need their key, the right method, type and size', async () => {
    expect(await operation('/sourcemap/list', {}, 'dev-api-key')).toMatchObject({
      status: 401,
      error: { code: 'Unauthorized', message: 'You are unauthorized.' },
    })
    for (const path of ['/sourcemap/list', '/sourcemap/upload']) {
      const response = await fetch(intake.url + path)
      expect([response.status, response.headers.has('service-request-id')]).toEqual([405, true])
    }
    const wrongType = await fetch(`${intake.url}/sourcemap/list?app_key=dev-app-key`, {
      method: 'POST',
      body: 'x',
      headers: { 'Content-Type': 'text/csv' },
    })
    expect(await wrongType.json()).toMatchObject({ error: { code: 'InvalidContentType' } })
    expect(await operation('/sourcemap/list', `{"x":"${'y'.repeat(5_000_000)}"}`)).toMatchObject({
      status: 413,
      error: { code: 'EntityTooLarge' },
    })
  })
})
