import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { openDatabase } from '../../test-support/open-database.fixture.ts'

it('fails with the cause if SQLite ended a transaction, as on a full disk, and the next one works', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-sqlite-'))
  const { db, close } = await openDatabase(directory)
  const full = db.transaction().execute(async (transaction) => {
    await sql`rollback`.execute(transaction)
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  })
  await expect(full).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  await db.transaction().execute((transaction) => sql`select 1`.execute(transaction))
  await close()
  rmSync(directory, { recursive: true })
})

it('waits for another process that writes without blocking this one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-sqlite-'))
  const { db, close } = await openDatabase(directory)
  const other = new Libsql(join(directory, 'intake.db'))
  other.exec('begin immediate')
  const deletion = db.deleteFrom('secret').where('name', '=', 'x').executeTakeFirst()
  const transaction = db.transaction().execute((transaction) => transaction.selectFrom('secret').selectAll().execute())
  // This callback runs only if the process is not blocked.
  setImmediate(() => other.exec('commit'))
  expect(Number((await deletion)?.numDeletedRows)).toBe(0)
  expect(await transaction).toEqual([])
  other.close()
  await close()
  rmSync(directory, { recursive: true })
})

it.skipIf(process.platform !== 'linux')(
  'fails at once for a directory below /proc, where the same call in Node never returns',
  async () => {
    await expect(openDatabase('/proc/symup/data')).rejects.toThrow('ENOENT')
  },
)
