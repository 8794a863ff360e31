import { expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { openDatabase } from '../../test-support/open-database.fixture.ts'
import { postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import { appendRows, type NewAuditRow } from './log.ts'

const rowOf = (nth: number, body = '{}'): NewAuditRow => ({
  account_id: 7,
  created_at: 1_790_000_000_000 + nth,
  member_id: '80011',
  member_name: 'Alice',
  request_id: `r${nth}`,
  ip: '127.0.0.1',
  operation: 'channel:read:list',
  body,
  params: '[]',
  is_dangerous: 0,
  is_write: nth % 2,
})

/** The appended rows, read from the database. */
async function kept(rows: readonly NewAuditRow[], directory: string, address?: string): Promise<NewAuditRow[]> {
  const database = await openDatabase(directory, address)
  await appendRows(database, rows)
  const found = await database.db.selectFrom('audit_record').selectAll().orderBy('seq').execute()
  await database.close()
  return found.map(({ seq: _, ...row }) => row)
}

const ROWS = Array.from({ length: 2500 }, (_, nth) => rowOf(nth, `{"a":"\\u0000 \\ud800 '字' \\\\ ${nth}"}`))

const place = useDirectory()

it.runIf(postgresPrograms())(
  'keeps audit records in PostgreSQL, except for characters that its texts cannot contain',
  async () => {
    const postgres = await startPostgres()
    try {
      expect(await kept(ROWS, place, await postgres.createDatabase())).toEqual(ROWS)
      const [row] = await kept([rowOf(1, 'a \0 b \ud800 c')], place, await postgres.createDatabase())
      expect(row?.body).toBe('a \ufffd b \ufffd c')
    } finally {
      await postgres.close()
    }
  },
)
