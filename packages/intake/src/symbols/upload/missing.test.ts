import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { collectJavaScript, resolveSettings, upload } from '@symup/core'
import { describe, expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const caller = useCaller()
const { dataDir } = caller

const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}'
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

async function ask(body: unknown, key = 'dev-api-key', base = '') {
  const response = await fetch(`${caller.intake.url}${base}/sourcemap/missing`, {
    method: 'POST',
    headers: { 'DD-API-KEY': key },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { data, error } = (await response.json()) as { data?: { missing: string[] }; error?: { code: string } }
  return {
    status: response.status,
    code: error?.code,
    missing: data?.missing,
    encodings: response.headers.get('accept-encoding'),
  }
}

async function send(parts: Record<string, string>, headers: Record<string, string> = {}) {
  const event = { type: 'js_sourcemap', service: 's', version: '1', minified_url: '/a.js' }
  const fields = { event: JSON.stringify(event), ...parts }
  const texts = Object.entries(fields).map(([name, content]) => {
    const filename = name === 'event' || name === 'held' ? '' : `; filename="${name}"`
    return `--b\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${content}\r\n`
  })
  const body = Buffer.from(`${texts.join('')}--b--\r\n`)
  const response = await fetch(`${caller.intake.url}/sourcemap/upload`, {
    method: 'POST',
    headers: { 'DD-API-KEY': 'dev-api-key', 'Content-Type': 'multipart/form-data; boundary=b', ...headers },
    body: headers['Content-Encoding'] === 'br' ? brotliCompressSync(body) : body,
  })
  const { error } = (await response.json()) as { error?: { code: string; message: string } }
  return { status: response.status, code: error?.code, message: error?.message }
}

describe('the query for missing content', () => {
  it('returns the missing parts on any path, and announces the encodings', async () => {
    await send({ source_map: MAP })
    const other = sha256('other')
    const { status, missing, encodings } = await ask({ sha256: [sha256(MAP), other, other] }, 'dev-api-key', '/base')
    expect({ status, missing }).toEqual({ status: 200, missing: [other] })
    expect(encodings?.split(', ')).toEqual(expect.arrayContaining(['gzip', 'br']))
  })

  it.each<[string, unknown, string, number, string]>([
    ['without the key', { sha256: [] }, 'wrong', 401, 'Unauthorized'],
    ['that is not JSON', '{', 'dev-api-key', 400, 'BadRequest'],
    ['that is null', null, 'dev-api-key', 400, 'InvalidParameter'],
    ['with a value that is not a hash', { sha256: ['../../etc/passwd'] }, 'dev-api-key', 400, 'InvalidParameter'],
    ['with too many hashes', { sha256: Array(1001).fill(sha256('')) }, 'dev-api-key', 400, 'InvalidParameter'],
    ['that is far too long', 'x'.repeat(1_000_000), 'dev-api-key', 413, 'EntityTooLarge'],
  ])('refuses a query %s', async (_, body, key, status, code) => {
    expect(await ask(body, key)).toMatchObject({ status, code })
  })
})

describe('an upload that references stored content', () => {
  const held = (parts: object) => JSON.stringify(parts)
  const map = { source_map: { sha256: sha256(MAP), filename: 'source_map' } }

  it('stores an upload that references content as if the content had been sent', async () => {
    await send({ source_map: MAP, minified_file: 'old' })
    expect(await send({ held: held(map), minified_file: 'new' }, { 'Content-Encoding': 'br' })).toMatchObject({
      status: 200,
    })
    expect(readdirSync(join(dataDir, 'incoming'))).toEqual([])
    const [stored] = await caller.intake.uploads()
    const parts = Object.fromEntries(
      await Promise.all((stored?.parts ?? []).map(async ({ name, read }) => [name, (await read()).toString()])),
    )
    expect(parts).toEqual({ source_map: MAP, minified_file: 'new' })
  })

  it.each<[string, Record<string, string>, string, string]>([
    [
      'content that is not stored',
      { held: held({ source_map: { sha256: sha256('x'), filename: 'f' } }) },
      'ResourceNotFound',
      'Send the content',
    ],
    [
      'a path instead of a hash',
      { held: held({ source_map: { sha256: '../../intake.db', filename: 'f' } }) },
      'ResourceNotFound',
      'Send the content',
    ],
    ['a part that it also sends', { held: held(map), source_map: MAP }, 'InvalidParameter', 'two parts'],
    ['an unknown part', { held: held({ x: map.source_map }), source_map: MAP }, 'InvalidParameter', 'no file part'],
    [
      'more than a thousand parts',
      {
        held: JSON.stringify(
          Object.fromEntries(Array.from({ length: 1001 }, (_, nth) => [`p${nth}`, { sha256: 'a', filename: 'b' }])),
        ),
      },
      'InvalidParameter',
      'more than 1000',
    ],
    ['a prototype', { held: '{"__proto__":{"sha256":"a","filename":"b"}}' }, 'InvalidParameter', ''],
    ['nothing', { held: 'null', source_map: MAP }, 'InvalidParameter', 'held'],
    ['invalid JSON', { held: '{', source_map: MAP }, 'InvalidParameter', 'not valid JSON'],
    [
      'content that is not a map',
      { held: held({ source_map: { sha256: sha256('script'), filename: 'f' } }) },
      'InvalidParameter',
      'source_map',
    ],
  ])('refuses an upload for %s, and leaves nothing behind', async (_, parts, code, message) => {
    await send({ source_map: MAP, minified_file: 'script' })
    const before = readdirSync(join(dataDir, 'incoming'))
    const answer = await send(parts)
    expect(answer).toMatchObject({ status: 400, code })
    expect(answer.message).toContain(message)
    expect(await caller.intake.uploads()).toHaveLength(1)
    expect(readdirSync(join(dataDir, 'incoming'))).toEqual(before)
  })

  it('sends an upload completely if the content was deleted from the disk', async () => {
    const dist = makeBuild(3)
    await sendBuild(dist, '1')
    rmSync(join(dataDir, 'blobs'), { recursive: true })
    const report = await sendBuild(dist, '2')
    expect(report.totals).toMatchObject({ accepted: 3, refused: 0, failed: 0 })
    const stored = (await caller.intake.uploads()).filter(({ version }) => version === '2')
    for (const { parts } of stored) for (const { read, bytes } of parts) expect(await read()).toHaveLength(bytes)
  })
})

/** Builds scripts of about 25 KB and maps of about 75 KB, with realistic compression. */
function makeBuild(count: number): string {
  const dist = join(dataDir, 'dist')
  mkdirSync(dist, { recursive: true })
  for (let index = 0; index < count; index++) writeChunk(dist, index, '')
  return dist
}

function writeChunk(dist: string, index: number, salt: string): void {
  const words = Array.from({ length: 3000 }, (_, nth) =>
    sha256(`${index}${salt}${nth % 1000}`).slice(0, 1 + (nth % 16)),
  )
  writeFileSync(join(dist, `${index}.js`), words.join(' '))
  writeFileSync(
    join(dist, `${index}.js.map`),
    `{"version":3,"sources":[],"names":[],"mappings":"${[...words, ...words, ...words].join(',')}"}`,
  )
}

async function sendBuild(dist: string, version: string) {
  const resolution = resolveSettings({
    options: { apiKey: 'dev-api-key', endpoint: caller.intake.url, service: 's', version, minifiedPathPrefix: '/' },
    env: {},
    ignoreConfigFile: true,
  })
  if (!resolution.ok) throw new Error('settings')
  const plan = await collectJavaScript({
    directory: dist,
    service: 's',
    version,
    minifiedPathPrefix: '/',
    toolVersion: '0',
  })
  return upload(plan, resolution.settings, { adapter: { name: 'test', version: '0' } })
}

describe('a second build with 5 % changes', () => {
  it('uploads less than 10 % of the bytes, and is stored completely', async () => {
    const dist = makeBuild(40)
    const first = await sendBuild(dist, '1')
    for (const index of [10, 30]) writeChunk(dist, index, 'changed')
    const second = await sendBuild(dist, '2')
    expect(first.totals).toMatchObject({ accepted: 40, failed: 0 })
    expect(second.totals).toMatchObject({ accepted: 40, failed: 0 })
    expect(second.totals.bytesSent).toBeLessThan(first.totals.bytesSent * 0.1)
    const stored = await caller.intake.uploads()
    for (const { parts } of stored.filter(({ version }) => version === '2')) expect(parts).toHaveLength(2)
    expect(stored).toHaveLength(80)
  })
})
