import type { Insertable } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { AuditRow } from '../../platform/database/schema.ts'
import { inPartsOf } from '../../platform/in-parts-of.ts'

export type NewAuditRow = Insertable<AuditRow>

/** Records per statement. Binding more values would block other requests. */
export const ROWS_AT_A_TIME = 200

/** Appends records to the log. A record that becomes visible later has a greater `seq`. */
export async function appendRows(database: Database, rows: readonly NewAuditRow[]): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    // Sequences assign numbers before the commit, so two intakes could otherwise show 8 before 7.
    await database.serialize(transaction, 'audit')
    for (const some of inPartsOf(ROWS_AT_A_TIME, rows))
      await transaction.insertInto('audit_record').values(some).execute()
  })
}
