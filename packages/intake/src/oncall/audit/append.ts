import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { AuditRow, Tables } from '../../platform/database/schema.ts'

export type NewAuditRow = Insertable<AuditRow>

const COLUMNS = [
  'account_id',
  'created_at',
  'member_id',
  'member_name',
  'request_id',
  'ip',
  'operation',
  'body',
  'params',
  'is_dangerous',
  'is_write',
] as const satisfies (keyof NewAuditRow)[]

/** Rows of one statement: PostgreSQL binds 65,535 values at most. */
const ROWS_AT_A_TIME = 1000

/** Adds records at the end of the log: whatever is seen there later has a greater `seq` than all that was seen before. */
export async function appendRows(database: Database, rows: readonly NewAuditRow[]): Promise<void> {
  if (database.kind === 'sqlite') return appendJson(database.db, rows)
  await database.db.transaction().execute(async (transaction) => {
    // A sequence gives out numbers before they are committed, so two intakes could show 8 before 7.
    await database.serialize(transaction, 'audit')
    for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME) {
      const some = rows.slice(from, from + ROWS_AT_A_TIME)
      await transaction.insertInto('audit_record').values(some).execute()
    }
  })
}

/** In one parameter: to bind each value would cost more than the operations do. */
async function appendJson(db: Kysely<Tables>, rows: readonly NewAuditRow[]): Promise<void> {
  const columns = sql.join(COLUMNS.map((name) => sql.ref(name)))
  const values = sql.join(COLUMNS.map((_, nth) => sql`value ->> ${sql.lit(nth)}`))
  const json = JSON.stringify(rows.map((row) => COLUMNS.map((name) => row[name])))
  await sql`insert into audit_record (${columns}) select ${values} from json_each(${json})`.execute(db)
}
