import type { Insertable } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { AuditRow } from '../../platform/database/schema.ts'
import { inPartsOf } from '../../platform/in-parts-of.ts'

export type NewAuditRow = Insertable<AuditRow>

/** Records per statement. Binding the values of more would block other requests. */
export const ROWS_AT_A_TIME = 200

/** Adds records at the end of the log: whatever is seen there later has a greater `seq` than all that was seen before. */
export async function appendRows(database: Database, rows: readonly NewAuditRow[]): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    // A sequence gives out numbers before they are committed, so two intakes could show 8 before 7.
    await database.serialize(transaction, 'audit')
    for (const some of inPartsOf(ROWS_AT_A_TIME, rows))
      await transaction.insertInto('audit_record').values(some).execute()
  })
}
