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

/** Columns that are the same in most records: who calls what. */
const SHARED = [
  'account_id',
  'member_id',
  'member_name',
  'ip',
  'operation',
  'is_dangerous',
  'is_write',
] as const satisfies (typeof COLUMNS)[number][]
const OWN = COLUMNS.filter((name) => !(SHARED as readonly string[]).includes(name))

/**
 * In two parameters: to bind each value would cost more than the operations do. What records share is read out of its JSON once, and joined; they are added in
 * their own order, as that is the outer loop of a cross join.
 */
async function appendJson(db: Kysely<Tables>, rows: readonly NewAuditRow[]): Promise<void> {
  const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
  const fields = (names: readonly string[], from: number) =>
    sql.join(names.map((name, nth) => sql`value ->> ${sql.lit(nth + from)} as ${sql.ref(name)}`))
  const groups = new Map<string, number>()
  const own = rows.map((row) => {
    const key = JSON.stringify(SHARED.map((name) => row[name]))
    const group = groups.get(key) ?? groups.size
    groups.set(key, group)
    return [group, ...OWN.map((name) => row[name])]
  })
  const shared = `[${[...groups.keys()].join()}]`
  await sql`
    with shared as materialized (select key as nth, ${fields(SHARED, 0)} from json_each(${shared})),
      own as (select value ->> 0 as caller, ${fields(OWN, 1)} from json_each(${JSON.stringify(own)}))
    insert into audit_record (${columns([...SHARED, ...OWN])})
    select ${columns([...SHARED, ...OWN])} from own cross join shared on shared.nth = own.caller`.execute(db)
}
