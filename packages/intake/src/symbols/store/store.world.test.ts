import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { INDEX_PART } from '@symup/symbolicate'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { needs } from '../../../../../test/support/tool.ts'
import { type Intake, startIntake } from '../../index.ts'
import { internalsOf } from '../../internals.ts'
import { openStore } from '../../open-store.ts'
import { post, upload } from '../../test-support/client.fixture.ts'
import { type Postgres, postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import { type S3, startS3 } from '../../test-support/s3.fixture.ts'
import { itIsAStore } from './store-contract.fixture.ts'

const postgresql = needs('PostgreSQL', postgresPrograms() !== undefined, 'Debian: postgresql')

let postgres: Postgres
let s3: S3
const directory = mkdtempSync(join(tmpdir(), 'symup-stores-test-'))

beforeAll(async () => {
  s3 = await startS3()
  if (postgresql.isThere) postgres = await startPostgres()
}, 60_000)
afterAll(async () => {
  await s3?.close()
  await postgres?.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('a store in SQLite and S3', () => itIsAStore(async () => ({ blobs: s3.createAddress() })))

it('lists the content in S3 even if S3 fails during the listing', async () => {
  const store = await openStore(join(directory, 'listing'), { blobs: s3.createAddress() })
  const put = async (content: string) => {
    const blob = await store.blobs.stage(Readable.from([Buffer.from(content)]))
    await store.blobs.put(blob)
    return blob.sha256
  }
  const kept = await Promise.all(['one', 'two', 'three'].map(put))
  let failures = 0
  s3.fail(({ url }, answer) => {
    if (!url?.includes('list-type=2') || failures === 2) return false
    failures++
    answer.writeHead(500).end()
    return true
  })
  const listed: string[] = []
  for await (const { sha256 } of store.blobs.list()) listed.push(sha256)
  s3.fail()
  expect(failures).toBe(2)
  expect(listed.sort()).toEqual(kept.sort())
  await store.close()
})

describe('content that changed in S3', () => {
  const open = async (name: string) => {
    const store = await openStore(join(directory, name), { blobs: s3.createAddress() })
    const stage = (content: string) => store.blobs.stage(Readable.from([Buffer.from(content)]))
    return { store, stage }
  }

  it('uploads changed content again with the next upload if its size did not change', async () => {
    const { store, stage } = await open('changed')
    await store.blobs.put(await stage('the map'))
    const sent = s3.count('PUT')
    await store.blobs.put(await stage('the map'))
    expect(s3.count('PUT')).toBe(sent)
    s3.fail(({ method }, answer) => {
      if (method !== 'HEAD') return false
      answer.writeHead(200, { 'Content-Length': 7, ETag: '"0123456789abcdef0123456789abcdef"' }).end()
      return true
    })
    await store.blobs.put(await stage('the map'))
    s3.fail()
    expect(s3.count('PUT')).toBe(sent + 1)
    await store.close()
  })

  it('requests changed content once more, and never serves it', async () => {
    const { store, stage } = await open('wrong')
    const blob = await stage('the map')
    await store.blobs.put(blob)
    const change = (content: Buffer) => Buffer.from(content).fill(0x21, 0, 1)
    s3.fail(({ method }) => method === 'GET' && change)
    await expect(store.blobs.localPath(blob.sha256)).rejects.toThrow('S3 returned different content')
    let isFirst = true
    s3.fail(({ method }) => {
      if (method !== 'GET' || !isFirst) return false
      isFirst = false
      return change
    })
    expect(readFileSync(await store.blobs.localPath(blob.sha256), 'utf8')).toBe('the map')
    s3.fail()
    await store.close()
  })
})

describe.skipIf(!postgresql.isThere)(`stores in PostgreSQL${postgresql.reason}`, () => {
  describe('a PostgreSQL store with content on disk', () =>
    itIsAStore(async () => ({ database: await postgres.createDatabase() })))

  describe('a PostgreSQL store with content in S3', () =>
    itIsAStore(async () => ({ database: await postgres.createDatabase(), blobs: s3.createAddress() })))

  it('creates the tables once if several instances start together', async () => {
    const database = await postgres.createDatabase()
    const stores = await Promise.all(
      [1, 2, 3, 4].map((nth) => openStore(join(directory, `start-${nth}`), { database })),
    )
    const rows = await stores[0]?.db.selectFrom('artifact').selectAll().execute()
    expect(rows).toEqual([])
    await Promise.all(stores.map((store) => store.close()))
  })
})

describe('a large map in S3', () => {
  const LINES = 40_000
  const line = (nth: number) => `export const answer${nth} = (question) => question.length\n`
  const script = Array.from({ length: LINES }, (_, nth) => line(nth)).join('')
  const map = JSON.stringify({
    version: 3,
    sources: Array.from({ length: LINES }, (_, nth) => `src/${nth}.ts`),
    sourcesContent: Array.from({ length: LINES }, (_, nth) => line(nth)),
    names: [],
    mappings: `AAAA${';ACAA'.repeat(LINES - 1)}`,
  })
  const dataDir = join(directory, 'ranges')
  let blobs: string
  let intake: Intake
  const open = async () => {
    intake = await startIntake({ dataDir, blobs, rateLimits: false })
  }
  const ask = async (at: number) => {
    const stack = `Error: x\n    at f (https://h/a.js:${at}:14)`
    const { data } = await post(intake.url, '/sourcemap/stack/enrich', { service: 's', version: '1', stack })
    return data.frames[0]
  }
  const isRight = (at: number) => ({ converted: true, file: `src/${at - 1}.ts`, line: 1 })

  beforeAll(async () => {
    blobs = s3.createAddress()
    await open()
    const event = { type: 'js_sourcemap', service: 's', version: '1', minified_url: '/a.js' }
    expect((await upload(intake.url, event, { source_map: map, minified_file: script })).status).toBe(200)
    const { db } = internalsOf(intake).store
    const made = () => db.selectFrom('part').selectAll().where('name', '=', INDEX_PART).execute()
    await vi.waitFor(async () => expect(await made()).toHaveLength(1), { timeout: 60_000, interval: 200 })
    await intake.close()
  }, 120_000)
  // A new store has no local copies, like another process.
  beforeEach(open)
  afterEach(async () => {
    s3.fail()
    await intake.close()
  })

  it('resolves a stack with the index and a few parts of a large map, without fetching it completely', async () => {
    let parts = 0
    let bytesOfMap = 0
    let others = 0
    s3.fail(({ headers }) => {
      if (headers.range) parts++
      return (content) => {
        if (headers.range) bytesOfMap += content.length
        else others += content.length
        return content
      }
    })
    expect(await ask(31_000)).toMatchObject(isRight(31_000))
    expect(parts).toBeGreaterThan(0)
    expect(bytesOfMap).toBeLessThan(map.length / 10)
    // The intake reads the whole index.
    expect(others).toBeLessThan(map.length)
    const before = bytesOfMap
    expect(await ask(31_001)).toMatchObject(isRight(31_001))
    expect(bytesOfMap - before).toBeLessThan(4 * 32 * 1024)
  })

  it('fetches and checks a large map completely if S3 returns wrong bytes', async () => {
    let wrong = 0
    s3.fail(({ headers }) => (content) => {
      if (!headers.range) return content
      wrong++
      return Buffer.alloc(content.length, ' ')
    })
    expect(await ask(20_000)).toMatchObject(isRight(20_000))
    expect(wrong).toBeGreaterThan(0)
  })
})
