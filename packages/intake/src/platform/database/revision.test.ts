import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Postgres, postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'

const ARTIFACT = sql`insert into "artifact" values ('a1', 7, 'identity', 'js_sourcemap', 'browser', 's', '1', '/a.js', 'a.js', null,
  null, null, null, null, '{}', null, null, 3, 'r1', 1000, 2000)`
const PART = sql`insert into "part" values ('a1', 'source_map', 'a.js.map', 'cafe', 3)`

/** What every database does. @param open gives one, and later another connection to the same. */
function itHasRevisions(open: () => Promise<Database>) {
  let own: Database
  let other: Database
  beforeAll(async () => {
    own = await open()
    other = await open()
  })
  afterAll(async () => {
    await own.close()
    await other.close()
  })

  it('is another one with every change of an artifact or a part, whoever made it', async () => {
    const seen = new Set([await own.revision()])
    const changes = [
      ARTIFACT,
      PART,
      sql`update "artifact" set updated_at = 3000 where id = 'a1'`,
      sql`delete from "part" where artifact_id = 'a1'`,
      PART,
      sql`delete from "artifact" where id = 'a1'`,
    ]
    for (const [nth, change] of changes.entries()) {
      await change.execute((nth % 2 === 0 ? own : other).db)
      seen.add(await own.revision())
      expect(seen.size).toBe(nth + 2)
    }
  })

  it('stays the same while nothing changes', async () => {
    const before = await own.revision()
    await own.db.selectFrom('artifact').selectAll().execute()
    expect(await own.revision()).toBe(before)
  })
}

describe('of SQLite', () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-revision-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  itHasRevisions(() => openDatabase(directory))
})

describe.skipIf(postgresPrograms() === undefined)('of PostgreSQL', () => {
  let postgres: Postgres
  let address: string
  beforeAll(async () => {
    postgres = await startPostgres()
    address = await postgres.createDatabase()
  })
  afterAll(() => postgres.close())
  itHasRevisions(() => openDatabase('', address))

  it('is not the new one before the change can be seen', async () => {
    const database = await openDatabase('', address)
    const before = await database.revision()
    await database.db.transaction().execute(async (transaction) => {
      await ARTIFACT.execute(transaction)
      expect(await database.revision()).toBe(before)
    })
    expect(await database.revision()).not.toBe(before)
    await database.close()
  })

  it('is the same after a change that was taken back, or of other tables', async () => {
    const database = await openDatabase('', address)
    const before = await database.revision()
    const failing = database.db.transaction().execute(async (transaction) => {
      await sql`update "artifact" set updated_at = 1`.execute(transaction)
      throw new Error('taken back')
    })
    await expect(failing).rejects.toThrow('taken back')
    await sql`insert into secret values ('test', 'value')`.execute(database.db)
    expect(await database.revision()).toBe(before)
    await database.close()
  })

  it('transactions that change the same artifact in turn do not wait for each other in a circle', async () => {
    const databases = await Promise.all([1, 2, 3].map(() => openDatabase('', address)))
    const change = ({ db }: Database) =>
      db.transaction().execute(async (transaction) => {
        await sql`update "artifact" set updated_at = updated_at + 1 where id = 'a1'`.execute(transaction)
        await sql`delete from "part" where artifact_id = 'a1'`.execute(transaction)
        await PART.execute(transaction)
      })
    const times = Array.from({ length: 60 }, (_, nth) => change(databases[nth % 3] as Database))
    expect((await Promise.allSettled(times)).filter(({ status }) => status === 'rejected')).toEqual([])
    await Promise.all(databases.map((database) => database.close()))
  })
})
