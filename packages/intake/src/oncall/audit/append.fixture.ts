import { openDatabase } from '../../test-support/open-database.fixture.ts'
import { appendRows, type NewAuditRow } from './log.ts'

export const rowOf = (nth: number, body = '{}'): NewAuditRow => ({
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
export async function kept(rows: readonly NewAuditRow[], directory: string, address?: string): Promise<NewAuditRow[]> {
  const database = await openDatabase(directory, address)
  await appendRows(database, rows)
  const found = await database.db.selectFrom('audit_record').selectAll().orderBy('seq').execute()
  await database.close()
  return found.map(({ seq: _, ...row }) => row)
}

export const ROWS = Array.from({ length: 2500 }, (_, nth) => rowOf(nth, `{"a":"\\u0000 \\ud800 '字' \\\\ ${nth}"}`))
