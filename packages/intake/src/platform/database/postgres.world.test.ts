import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OLD_POSTGRES, OLD_POSTGRES_REVISION } from '../../test-support/old-schemas.fixture.ts'
import { openDatabase } from '../../test-support/open-database.fixture.ts'
import { type Postgres, postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import type { Database } from './database.ts'
import { contentsOf, KEPT, ROWS } from './migrations.fixture.ts'

describe.runIf(postgresPrograms())('PostgreSQL', () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-postgres-'))
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(async () => {
    rmSync(directory, { recursive: true })
    await postgres.close()
  })

  describe('a PostgreSQL database', () => {
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

    it.each([
      ['from the first version', []],
      ['with the revisions of step 9', OLD_POSTGRES_REVISION],
    ])('%s opens, keeps its rows and has the tables of a new one', async (_, more) => {
      const address = await postgres.createDatabase()
      const old = new pg.Client(address)
      await old.connect()
      for (const statement of [...OLD_POSTGRES.flat(), ...more, ...ROWS, `insert into blob values ('cafe', 3, 2000)`]) {
        await old.query(statement)
      }
      await old.query('create table symup_migration (version integer primary key)')
      await old.query('insert into symup_migration values (1)')
      await old.end()

      const fresh = await openDatabase(directory, await postgres.createDatabase())
      const wanted = await schemaOf(fresh)
      await fresh.close()
      // The second time the database is opened, nothing changes.
      for (const __ of ['first', 'second']) {
        const opened = await openDatabase(directory, address)
        expect(await contentsOf(opened)).toEqual(KEPT)
        expect(await schemaOf(opened)).toEqual(wanted)
        await opened.close()
      }
    })
  })
})
