import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { event, MAP, map, multipart, script, UploadTests } from './upload.fixture.ts'

const tests = new UploadTests({ limits: { inflatedBytes: 4_000_000, textBytes: 10_000 } })

describe('an accepted upload', () => {
  const wasm = { name: 'wasm_symbol_file', filename: 'z', content: 'wasm' }
  const mapping = { name: 'jvm_mapping_file', filename: 'f', content: 'a -> b:' }
  const repository = { name: 'repository', filename: 'repository', content: '\uFEFF{"data":[],"version":1}' }
  const fields = Array.from({ length: 18 }, (_, i) => ({ name: `p${i}`, content: 'x' }))
  const unmarked = event().content
  it.each<[string, Buffer, headers?: Record<string, string>]>([
    ['plain', multipart([event(), map, script])],
    ['gzip', gzipSync(multipart([event(), map, script])), { 'Content-Encoding': 'gzip' }],
    ['an empty content encoding', multipart([event(), map]), { 'Content-Encoding': '' }],
    ['the event last, with a file name', multipart([map, script, event({}, 'event')])],
    ['an event with a charset', multipart([{ ...event(), type: 'application/json; charset=utf-8' }, map])],
    [
      'an event field that starts with a byte order mark',
      multipart([{ ...event(), content: `\uFEFF${unmarked}` }, map]),
    ],
    [
      'an event file that starts with a byte order mark',
      multipart([{ ...event({}, 'event'), content: `\uFEFF${unmarked}` }, map]),
    ],
    [
      'a repository part marked by its event',
      multipart([{ name: 'event', content: '{"type":"repository"}' }, repository]),
    ],
    [
      'a quoted boundary',
      multipart([event(), map], "a b'()+_,-./:=?"),
      { 'Content-Type': `multipart/form-data; boundary="a b'()+_,-./:=?"` },
    ],
    ['separate git fields', multipart([event(), map, { name: 'git_commit_sha', content: 'abc' }])],
    ['a repository part', multipart([event(), map, { name: 'repository', content: '{}' }])],
    ['an unknown part', multipart([event(), map, { name: 'other', filename: 'o', content: 'x' }])],
    ['the maximum number of parts', multipart([event(), map, ...fields])],
    ['a kind without service and version', multipart([wasm, { name: 'event', content: `{"type":"${wasm.name}"}` }])],
    ['a number as version_code', multipart([event({ type: mapping.name, version_code: 3 }), mapping])],
  ])('accepts %s', async (_, body, headers = {}) => {
    expect(await tests.post(body, headers)).toMatchObject({ status: 200 })
    expect(await tests.intake.uploads()).toHaveLength(1)
    expect(tests.incoming()).toEqual([])
  })

  it.each([
    ['below a base path', '/base/x/api/v2/srcmap'],
    ['doubled', '/sourcemap/upload/sourcemap/upload/'],
    ['doubled, with a query', '/sourcemap/upload/api/v2/srcmap?x=1'],
  ])('accepts a path that is %s', async (_, path) => {
    expect(await tests.post(multipart([event(), map]), {}, path)).toMatchObject({ status: 200 })
    expect(await tests.intake.uploads()).toHaveLength(1)
  })

  it('stores the same artifact once if several clients send it at once', async () => {
    const large = { ...script, content: 'throw 1'.repeat(20_000) }
    await Promise.all(Array.from({ length: 8 }, () => tests.post(multipart([event(), map, large]))))
    await tests.post(multipart([event({ version: '2' }), map, large]))
    const uploads = await tests.intake.uploads()
    expect(uploads.map(({ version }) => version)).toEqual(['1', '2'])
    // The intake stores small content in the database.
    expect(tests.blobs()).toHaveLength(1)
    expect((await uploads[0]?.parts.find(({ name }) => name === 'source_map')?.read())?.toString()).toBe(MAP)
  })
})

describe('a refused upload', () => {
  const bomb = gzipSync(multipart([event(), { ...map, content: Buffer.alloc(5_000_000, 32) }]))
  const files = Array.from({ length: 19 }, (_, i) => ({ name: `p${i}`, filename: 'f', content: 'x' }))
  const gzip = { 'Content-Encoding': 'gzip' }
  async function expectRefused(expected: object, words: string, body: Buffer, headers: Record<string, string>) {
    const answer = await tests.post(body, headers)
    expect(answer).toMatchObject(expected)
    expect(answer.message).toContain(words)
    expect(JSON.stringify(answer)).not.toContain('dev-api-key')
    await tests.expectNothingStored()
  }
  it.each<[string, words: string, Buffer, headers?: Record<string, string>]>([
    ['an unknown type', 'event.type', multipart([event({ type: 'x' }), map])],
    ['a type that cannot be converted to text', 'event.type', multipart([event({ type: { toString: 1 } }), map])],
    ['no event', 'event', multipart([map])],
    ['an event that is not JSON', 'event', multipart([{ name: 'event', content: '{' }, map])],
    ['no service', 'event.service', multipart([event({ service: '' }), map])],
    ['no minified_url', 'event.minified_url', multipart([event({ minified_url: 3 }), map])],
    ['no map', 'source_map', multipart([event(), script])],
    ['an empty map', 'source_map', multipart([event(), { ...map, content: '' }])],
    ['an empty script', 'minified_file', multipart([event(), map, { ...script, content: '' }])],
    ['two parts with the same name', 'source_map', multipart([event(), map, map])],
    ['two parts named event', 'event', multipart([event(), map, event()])],
    ['a body that ends early', 'body', multipart([event(), map]).subarray(0, 200)],
    ['no body', 'body', Buffer.alloc(0)],
    ['no boundary', 'boundary', multipart([event()]), { 'Content-Type': 'multipart/form-data' }],
    ['broken gzip', 'body', Buffer.from('not gzip'), gzip],
    ['truncated gzip', 'body', gzipSync(multipart([event(), map])).subarray(0, 60), gzip],
  ])('stores nothing and keeps running for %s', (_, words, body, headers = {}) =>
    expectRefused({ status: 400, code: 'InvalidParameter' }, words, body, headers),
  )

  const compress = { 'Content-Encoding': 'compress' }
  // The form parser would store the name of each field, regardless of their number.
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  it.each<[string, number, string, words: string, Buffer, Record<string, string>]>([
    ['no key', 401, 'Unauthorized', 'You are unauthorized.', multipart([event(), map]), { 'DD-API-KEY': '' }],
    ['a wrong key', 401, 'Unauthorized', 'You are', multipart([event(), map]), { 'DD-API-KEY': 'dev-api-kez' }],
    ['too many parts', 413, 'EntityTooLarge', 'parts', multipart([event(), ...files, map]), {}],
    ['JSON', 400, 'InvalidContentType', 'multipart', Buffer.from('{}'), { 'Content-Type': 'application/json' }],
    ['a form that is not multipart', 400, 'InvalidContentType', 'multipart', Buffer.from('event={}'), form],
    ['an unknown encoding', 400, 'InvalidContentType', 'compress', multipart([event()]), compress],
    ['a gzip bomb', 413, 'EntityTooLarge', 'decompressed', bomb, gzip],
  ])('stores nothing for %s: %i %s', (_, status, code, words, body, headers) =>
    expectRefused({ status, code }, words, body, headers),
  )

  it.each([undefined, 'event'])(
    'refuses a text with more bytes than the limit as part %s, but not one with exactly the limit',
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

  it('stores nothing if a client disconnects midway', async () => {
    const { port } = new URL(tests.intake.url)
    const before = tests.incoming().length
    // The intake writes smaller content only after it has arrived completely.
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
      // Waits until the intake has stored the first part.
      void vi
        .waitUntil(() => tests.incoming().length > before, { timeout: 10_000 })
        .finally(() => socket.resetAndDestroy())
    })
    await vi.waitUntil(() => tests.incoming().length === before, { timeout: 10_000 })
    await tests.expectNothingStored()
  })
})
