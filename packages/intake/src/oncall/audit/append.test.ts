import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openDatabase } from '../../platform/database/open.ts'
import { postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import { appendRows, type NewAuditRow } from './append.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-audit-'))
afterAll(() => rmSync(directory, { recursive: true }))

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

/** What was appended, as the database has it. */
async function kept(rows: readonly NewAuditRow[], address?: string): Promise<NewAuditRow[]> {
  const database = await openDatabase(directory, address)
  await appendRows(database, rows)
  const found = await database.db.selectFrom('audit_record').selectAll().orderBy('seq').execute()
  await database.close()
  return found.map(({ seq: _, ...row }) => row)
}

const ROWS = Array.from({ length: 2500 }, (_, nth) => rowOf(nth, `{"a":"\\u0000 \\ud800 '字' \\\\ ${nth}"}`))

it('SQLite keeps records as they are, in their order', async () => {
  expect(await kept(ROWS)).toEqual(ROWS)
})

it.skipIf(postgresPrograms() === undefined)('PostgreSQL does, but for what its texts cannot hold', async () => {
  const postgres = await startPostgres()
  try {
    expect(await kept(ROWS, await postgres.createDatabase())).toEqual(ROWS)
    const [row] = await kept([rowOf(1, 'a \0 b \ud800 c')], await postgres.createDatabase())
    expect(row?.body).toBe('a \ufffd b \ufffd c')
  } finally {
    await postgres.close()
  }
})
