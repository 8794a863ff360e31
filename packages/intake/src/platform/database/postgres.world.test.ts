import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OLD_POSTGRES } from '../../test-support/old-schemas.fixture.ts'
import { type Postgres, postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import type { Database } from './database.ts'
import { contentsOf, KEPT, ROWS } from './migrations.fixture.ts'
import { openDatabase } from './open.ts'
import { ARTIFACT, itHasRevisions, PART } from './revision.fixture.ts'

describe.runIf(postgresPrograms())('PostgreSQL', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.close())

  describe('the revision', () => {
    let address: string
    beforeAll(async () => {
      address = await postgres.createDatabase()
    })
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

  describe('a database', () => {
    const schemaOf = async ({ db }: Database) => {
      const columns = await sql`select table_name, column_name, data_type, is_nullable, column_default
      from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`.execute(db)
      const indexes =
        await sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`.execute(db)
      const functions =
        await sql`select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1`.execute(
          db,
        )
      const squeezed = JSON.stringify([columns.rows, indexes.rows, functions.rows]).replace(/(?:\\n|\s)+/g, ' ')
      return JSON.parse(squeezed)
    }

    it('of the first version opens, keeps its rows and has the tables of a new one', async () => {
      const address = await postgres.createDatabase()
      const old = new pg.Client(address)
      await old.connect()
      for (const statement of [...OLD_POSTGRES.flat(), ...ROWS, `insert into blob values ('cafe', 3, 2000)`]) {
        await old.query(statement)
      }
      await old.query('create table symup_migration (version integer primary key)')
      await old.query('insert into symup_migration values (1)')
      await old.end()

      const fresh = await openDatabase('', await postgres.createDatabase())
      const wanted = await schemaOf(fresh)
      await fresh.close()
      // The second time there is nothing to do any more.
      for (const _ of ['first', 'second']) {
        const opened = await openDatabase('', address)
        expect(await contentsOf(opened)).toEqual(KEPT)
        expect(await schemaOf(opened)).toEqual(wanted)
        await opened.close()
      }
    })
  })
})
