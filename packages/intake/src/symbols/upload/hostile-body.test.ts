import { readdirSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const EVENT = { type: 'js_sourcemap', service: 's', version: '1', minified_url: '/a.js' }
const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}'
const part = (name: string, content: string, filename?: string) =>
  `--xyz\r\nContent-Disposition: form-data; name="${name}"${filename ? `; filename="${filename}"` : ''}\r\n\r\n${content}\r\n`
const FILES = `${part('source_map', MAP, 'a.js.map')}${part('minified_file', 'throw 1', 'a.js')}--xyz--\r\n`

const caller = useCaller()
const impatient = useCaller({ idleMs: 50 })
const incoming = ({ dataDir } = caller) => readdirSync(join(dataDir, 'incoming'))

async function post(body: string | Buffer, headers: Record<string, string> = {}, { intake } = caller) {
  const response = await fetch(`${intake.url}/sourcemap/upload`, {
    method: 'POST',
    headers: { 'DD-API-KEY': 'dev-api-key', 'Content-Type': 'multipart/form-data; boundary=xyz', ...headers },
    body,
  })
  const { error } = (await response.json()) as { error?: { code: string; message: string } }
  return { status: response.status, code: error?.code, message: error?.message }
}

const upload = (event: string) => post(`${part('event', event)}${FILES}`)

it('answers a request in which an endless file follows a malformed part header', async () => {
  const malformed = '--xyz\r\nContent Disposition\x01: what\r\n\r\nx\r\n'
  const answer = await post(
    `${malformed}--xyz\r\nContent-Disposition: form-data; name="source_map"; filename="a"\r\n\r\n{`,
  )
  expect(answer).toMatchObject({ status: 400, code: 'InvalidParameter' })
  expect(incoming()).toEqual([])
})

it('accepts a file without a file name if its bytes are text, and refuses it if they would change', async () => {
  const bytes = (content: Buffer) => {
    const [before, behind] =
      `${part('event', JSON.stringify(EVENT))}${part('minified_file', '|')}${part('source_map', MAP)}--xyz--\r\n`.split(
        '|',
      )
    return Buffer.concat([Buffer.from(before as string), content, Buffer.from(behind as string)])
  }
  expect(await post(bytes(Buffer.from('throw "größe"')))).toMatchObject({ status: 200 })
  expect(await post(bytes(Buffer.from([0xff, 0xfe, 0x80])))).toMatchObject({
    status: 400,
    code: 'InvalidParameter',
    message: expect.stringContaining('minified_file'),
  })
  expect(incoming()).toEqual([])
})

describe('a request with an endless file', () => {
  const file = (name: string) => `Content-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n`
  it.each([
    ['after the last boundary', `--xyz--\r\n--xyz\r\n--xyz\r\n${file('source_map')}{`],
    ['after the last boundary, with an unknown name', `--xyz--\r\n--xyz\r\n--xyz\r\n${file('other')}{`],
    ['in a header that a boundary interrupts', `--xyz\r\nX: y\r\n--xyz\r\n${file('source_map')}--`],
  ])('answers a request with an endless file %s', async (_, rest) => {
    const answer = await post(`${part('event', JSON.stringify(EVENT))}${rest}`)
    expect(answer).toMatchObject({ status: 400, code: 'InvalidParameter', message: expect.stringContaining('body') })
    expect(incoming()).toEqual([])
  })
})

describe('refuses an event that the database could not return unchanged', () => {
  const withField = (json: string) => `${JSON.stringify(EVENT).slice(0, -1)},"field":${json}}`
  it.each([
    ['with text that is not a valid name', withField(JSON.stringify('x'.repeat(8193))), /longer than 8192/],
    ['nested too deeply', withField(`${'['.repeat(65)}${']'.repeat(65)}`), /nested/],
    ['with an endless number', withField('1e400'), /number/],
    ['with a NUL character', withField('"a\\u0000b"'), /character/],
    ['with a NUL character in a name', withField('{"a\\u0000b":1}'), /character/],
    ['with an unpaired surrogate', withField('["\\ud800"]'), /character/],
  ])('%s', async (_, event, message) => {
    expect(await upload(event)).toMatchObject({
      status: 400,
      code: 'InvalidParameter',
      message: expect.stringMatching(message),
    })
    expect(await caller.intake.uploads()).toEqual([])
  })

  it('accepts content with the maximum depth and complete surrogate pairs', async () => {
    expect(await upload(withField(`${'['.repeat(63)}"\\ud83d\\ude00"${']'.repeat(63)}`))).toMatchObject({ status: 200 })
  })
})

describe('the content encoding', () => {
  it.each([
    ['constructor', 400, 'InvalidContentType'],
    ['__proto__', 400, 'InvalidContentType'],
    ['GZIP', 200, undefined],
    ['Identity', 200, undefined],
  ])('handles the content encoding %s', async (encoding, status, code) => {
    const body = `${part('event', JSON.stringify(EVENT))}${FILES}`
    const answer = await post(encoding === 'GZIP' ? gzipSync(body) : body, { 'Content-Encoding': encoding })
    expect([answer.status, answer.code]).toEqual([status, code])
  })
})

it('ignores bytes after a compressed body without blocking the connection', async () => {
  const zipped = gzipSync(`${part('event', JSON.stringify(EVENT))}${FILES}`)
  const body = Buffer.concat([zipped, Buffer.alloc(1_500_000)])
  const head = `POST /sourcemap/upload HTTP/1.1\r\nHost: h\r\nDD-API-KEY: dev-api-key\r\nContent-Type: multipart/form-data; boundary=xyz\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`
  const answers = await new Promise<string>((done) => {
    let text = ''
    const socket = connect(Number(new URL(caller.intake.url).port), '127.0.0.1', () => {
      for (const piece of [head, body, head, body]) socket.write(piece)
    })
    socket.on('data', (chunk) => {
      text += chunk
      if (text.split('HTTP/1.1 200').length === 3) socket.destroy()
    })
    socket.on('close', () => done(text))
  })
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
})

describe('abandons a request that stops in the middle', () => {
  const headers = 'POST /sourcemap/upload HTTP/1.1\r\nHost: h\r\nDD-API-KEY: dev-api-key\r\n'
  const operation = 'POST /channel/list?app_key=dev-app-key HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n'
  it.each([
    ['of its headers', headers],
    [
      'of an upload body',
      `${headers}Content-Type: multipart/form-data; boundary=xyz\r\nContent-Length: 1000\r\n\r\n${part('event', '{}')}--xyz\r\nContent-Disposition: form-data; name="source_map"; filename="a"\r\n\r\n{`,
    ],
    ["of an operation's body", `${operation}Content-Length: 1000\r\n\r\n{`],
  ])('%s', async (_, sent) => {
    const answer = await new Promise<string>((done) => {
      let text = ''
      const socket = connect(Number(new URL(impatient.intake.url).port), '127.0.0.1', () => socket.write(sent))
      socket.on('data', (chunk) => (text += chunk))
      socket.on('close', () => done(text))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d .*"code":"BadRequest"/s)
    await expect.poll(() => incoming(impatient)).toEqual([])
  })
})

it('answers a complete request even if it takes longer than that limit', async () => {
  const body = `${part('event', JSON.stringify(EVENT))}${FILES}`
  expect(await post(body, { 'X-Symup-Fault': 'slow;delay=300' }, impatient)).toMatchObject({ status: 200 })
})

it.skipIf(process.platform === 'win32')('makes stored files readable only by their owner', async () => {
  expect((await upload(JSON.stringify(EVENT))).status).toBe(200)
  const { dataDir } = caller
  const modes = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => {
    const status = statSync(join(dataDir, name))
    return [name, status.isDirectory(), (status.mode & 0o777).toString(8)]
  })
  const open = modes.filter(([, isDirectory, mode]) => mode !== (isDirectory ? '700' : '600'))
  expect([(statSync(dataDir).mode & 0o777).toString(8), modes.length > 3, open]).toEqual(['700', true, []])
})
