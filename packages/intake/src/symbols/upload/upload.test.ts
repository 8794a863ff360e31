import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { event, MAP, map, multipart, script, UploadTests } from './upload.fixture.ts'

const tests = new UploadTests({ limits: { inflatedBytes: 4_000_000, textBytes: 10_000 } })

describe('accepts', () => {
  it.each<[string, Buffer, Record<string, string>, string]>([
    ['plain', multipart([event(), map, script]), {}, '/sourcemap/upload'],
    ['gzip', gzipSync(multipart([event(), map, script])), { 'Content-Encoding': 'gzip' }, '/sourcemap/upload'],
    ['an encoding that is named and empty', multipart([event(), map]), { 'Content-Encoding': '' }, '/sourcemap/upload'],
    ['event last, with a file name', multipart([map, script, event({}, 'event')]), {}, '/sourcemap/upload'],
    [
      'event with a charset',
      multipart([{ ...event(), type: 'application/json; charset=utf-8' }, map]),
      {},
      '/sourcemap/upload',
    ],
    ...[undefined, 'event'].map((filename): [string, Buffer, Record<string, string>, string] => [
      `event behind a byte-order mark, ${filename ? 'as a file' : 'as a field'}`,
      multipart([{ ...event({}, filename), content: `\uFEFF${event().content}` }, map]),
      {},
      '/sourcemap/upload',
    ]),
    [
      'a repository behind a byte-order mark',
      multipart([
        { name: 'event', content: '{"type":"repository"}' },
        { name: 'repository', filename: 'repository', content: '\uFEFF{"data":[],"version":1}' },
      ]),
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
      'as many parts as there may be',
      multipart([event(), map, ...Array.from({ length: 18 }, (_, i) => ({ name: `p${i}`, content: 'x' }))]),
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
    expect(await tests.post(body, headers, path)).toMatchObject({ status: 200 })
    expect(await tests.intake.uploads()).toHaveLength(1)
    expect(tests.incoming()).toEqual([])
  })

  it('stores the same artifact and the same bytes once, whoever sends them at the same time', async () => {
    const large = { ...script, content: 'throw 1'.repeat(20_000) }
    await Promise.all(Array.from({ length: 8 }, () => tests.post(multipart([event(), map, large]))))
    await tests.post(multipart([event({ version: '2' }), map, large]))
    const uploads = await tests.intake.uploads()
    expect(uploads.map(({ version }) => version)).toEqual(['1', '2'])
    // What is small is in the database.
    expect(tests.blobs()).toHaveLength(1)
    expect((await uploads[0]?.parts.find(({ name }) => name === 'source_map')?.read())?.toString()).toBe(MAP)
  })
})

describe('refuses, stores nothing and lives', () => {
  const bomb = gzipSync(multipart([event(), { ...map, content: Buffer.alloc(5_000_000, 32) }]))
  it.each<[string, number, string, string, Buffer, Record<string, string>]>([
    ['no key', 401, 'Unauthorized', 'You are unauthorized.', multipart([event(), map]), { 'DD-API-KEY': '' }],
    ['a wrong key', 401, 'Unauthorized', 'You are', multipart([event(), map]), { 'DD-API-KEY': 'dev-api-kez' }],
    ['an unknown type', 400, 'InvalidParameter', 'event.type', multipart([event({ type: 'x' }), map]), {}],
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
      'an empty script',
      400,
      'InvalidParameter',
      'minified_file',
      multipart([event(), map, { ...script, content: '' }]),
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
        ...Array.from({ length: 19 }, (_, i) => ({ name: `p${i}`, filename: 'f', content: 'x' })),
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
    // The parser would keep the name of each of its fields, however many they are.
    [
      'a form that is not multipart',
      400,
      'InvalidContentType',
      'multipart',
      Buffer.from('event={}'),
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    ],
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
    const answer = await tests.post(body, headers)
    expect(answer).toMatchObject({ status, code })
    expect(answer.message).toContain(words)
    expect(JSON.stringify(answer)).not.toContain('dev-api-key')
    await tests.expectNothingStored()
  })

  it.each([undefined, 'event'])(
    'a text of more bytes than the limit, and not one of as many, as part %s',
    async (filename) => {
      const { content } = event({ service: '商店' }, filename)
      const sized = (bytes: number) => {
        const padding = ' '.repeat(bytes - Buffer.byteLength(content))
        return multipart([{ ...event({}, filename), content: `${content}${padding}` }, map])
      }
      expect((await tests.post(sized(10_000))).status).toBe(200)
      const { status, message } = await tests.post(sized(10_001))
      expect([status, message]).toEqual([413, 'The part event is larger than 10000 bytes.'])
    },
  )

  it('a client that goes away in the middle', async () => {
    const { port } = new URL(tests.intake.url)
    const before = tests.incoming().length
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
      void vi
        .waitUntil(() => tests.incoming().length > before, { timeout: 10_000 })
        .finally(() => socket.resetAndDestroy())
    })
    await vi.waitUntil(() => tests.incoming().length === before, { timeout: 10_000 })
    await tests.expectNothingStored()
  })
})
