import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import Libsql from 'libsql'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { OLD_SQLITE } from '../../test-support/old-schemas.fixture.ts'
import { openDatabase } from '../../test-support/open-database.fixture.ts'
import type { Database } from './database.ts'
import { contentsOf, KEPT, ROWS } from './migrations.fixture.ts'

describe('a data directory', () => {
  const directory = useDirectory('each')

  const schemaOf = async ({ db }: Database) => {
    const { rows } = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master where sql is not null order by name`.execute(db)
    return rows.map(({ name, sql: text }) => [name, text.replace(/\s+/g, ' ')])
  }

  it.each(OLD_SQLITE.map((_, index) => index + 1))(
    'opens a data directory from version %i, keeps its rows and creates the tables of a new one',
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
