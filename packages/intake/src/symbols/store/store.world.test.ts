import { mkdtempSync, rmSync } from 'node:fs'
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
