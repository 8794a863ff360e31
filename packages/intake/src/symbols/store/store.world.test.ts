import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../../../../test/support/tool.ts'
import { type Postgres, postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import { type S3, startS3 } from '../../test-support/s3.fixture.ts'
import { openStore } from './store.ts'
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

describe('store of SQLite and S3', () => itIsAStore(async () => ({ blobs: s3.createAddress() })))

it('lists what S3 holds though S3 fails on the way', async () => {
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

describe('content that S3 changed', () => {
  const open = async (name: string) => {
    const store = await openStore(join(directory, name), { blobs: s3.createAddress() })
    const stage = (content: string) => store.blobs.stage(Readable.from([Buffer.from(content)]))
    return { store, stage }
  }

  it('of the same size is sent again by the next upload of it', async () => {
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

  it('is asked for once more, and never given out', async () => {
    const { store, stage } = await open('wrong')
    const blob = await stage('the map')
    await store.blobs.put(blob)
    const change = (content: Buffer) => Buffer.from(content).fill(0x21, 0, 1)
    s3.fail(({ method }) => method === 'GET' && change)
    await expect(store.blobs.localPath(blob.sha256)).rejects.toThrow('S3 gave other content')
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

describe.skipIf(!postgresql.isThere)(`stores of PostgreSQL${postgresql.reason}`, () => {
  describe('and disk', () => itIsAStore(async () => ({ database: await postgres.createDatabase() })))

  describe('and S3', () =>
    itIsAStore(async () => ({ database: await postgres.createDatabase(), blobs: s3.createAddress() })))

  it('makes its tables once when several start together', async () => {
    const database = await postgres.createDatabase()
    const stores = await Promise.all(
      [1, 2, 3, 4].map((nth) => openStore(join(directory, `start-${nth}`), { database })),
    )
    const rows = await stores[0]?.db.selectFrom('artifact').selectAll().execute()
    expect(rows).toEqual([])
    await Promise.all(stores.map((store) => store.close()))
  })
})
