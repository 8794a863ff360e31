import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import Libsql from 'libsql'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OLD_POSTGRES, OLD_SQLITE } from '../../test-support/old-schemas.fixture.ts'
import { type Postgres, postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'

const ROWS = [
  `insert into artifact values ('a1', 7, 'identity', 'js_sourcemap', 'browser', 's', '1', '/a.js', 'a.js', null, null, null, null,
    null, '{}', null, null, 3, 'r1', 1000, 2000)`,
  `insert into part values ('a1', 'source_map', 'a.js.map', 'cafe', 3)`,
]

async function contentsOf({ db }: Database) {
  const artifact = await db.selectFrom('artifact').select(['id', 'service', 'updated_at']).execute()
  const part = await db.selectFrom('part').select(['artifact_id', 'sha256', 'bytes']).execute()
  const blob = await db.selectFrom('blob').selectAll().execute()
  return { artifact, part, blob }
}

const KEPT = {
  artifact: [{ id: 'a1', service: 's', updated_at: 2000 }],
  part: [{ artifact_id: 'a1', sha256: 'cafe', bytes: 3 }],
  blob: [{ sha256: 'cafe', bytes: 3, kept_at: 2000, content: null }],
}

describe('a data directory', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'symup-migrations-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const schemaOf = async ({ db }: Database) => {
    const { rows } = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master where sql is not null order by name`.execute(db)
    return rows.map(({ name, sql: text }) => [name, text.replace(/\s+/g, ' ')])
  }

  it.each(OLD_SQLITE.map((_, index) => index + 1))(
    'of version %i opens, keeps its rows and has the tables of a new one',
    async (version) => {
      const old = new Libsql(join(directory, 'intake.db'))
      for (const statement of OLD_SQLITE.slice(0, version).flat()) old.exec(statement)
      for (const row of ROWS) old.exec(row)
      if (version === OLD_SQLITE.length) old.exec(`insert into blob values ('cafe', 3, 2000)`)
      old.exec(`pragma user_version = ${version}`)
      old.close()

      const opened = await openDatabase(directory)
      const contents = await contentsOf(opened)
      const schema = await schemaOf(opened)
      await opened.close()
      rmSync(join(directory, 'intake.db'))
      const fresh = await openDatabase(directory)
      const wanted = await schemaOf(fresh)
      await fresh.close()
      expect(contents).toEqual(KEPT)
      expect(schema).toEqual(wanted)
    },
  )
})

describe.skipIf(postgresPrograms() === undefined)('a PostgreSQL database', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.close())

  const schemaOf = async ({ db }: Database) => {
    const columns = await sql`select table_name, column_name, data_type, is_nullable, column_default
      from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`.execute(db)
    const indexes =
      await sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`.execute(db)
    const functions =
      await sql`select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1`.execute(db)
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
