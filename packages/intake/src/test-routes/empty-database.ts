import type { Store } from '../symbols/store/store.ts'

/** In an order in which none points to what has gone. */
const TABLES = [
  'part',
  'artifact',
  'audit_record',
  'automation_run',
  'automation_rule',
  'escalation_rule',
  'incident_event',
  'incident',
  'resource',
  'seeded',
] as const

/** Forgets all records. Contents stay where they are, found by their hash when they come again. */
export async function emptyDatabase({ db }: Pick<Store, 'db'>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const table of TABLES) await transaction.deleteFrom(table).execute()
    // It is not forgotten: another intake over the same database sees by it that what it knows has gone.
    await transaction
      .updateTable('resource_revision')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .execute()
  })
}
