import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { AuditRow, Tables } from '../../platform/database/schema.ts'

export type NewAuditRow = Insertable<AuditRow>

/** With the types that PostgreSQL has for them. */
const TYPES = {
  account_id: 'bigint',
  created_at: 'bigint',
  member_id: 'text',
  member_name: 'text',
  request_id: 'text',
  ip: 'text',
  operation: 'text',
  body: 'text',
  params: 'text',
  is_dangerous: 'integer',
  is_write: 'integer',
} as const satisfies Partial<Record<keyof NewAuditRow, string>>
const COLUMNS = Object.keys(TYPES) as (keyof typeof TYPES)[]
const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/**
 * Adds records at the end of the log: whatever is seen there later has a greater `seq` than all that was seen before. They are sent as JSON: to bind each
 * value would cost more than the operations do.
 */
export async function appendRows(database: Database, rows: readonly NewAuditRow[]): Promise<void> {
  if (database.kind === 'sqlite') return appendToSqlite(database.db, rows)
  await database.db.transaction().execute(async (transaction) => {
    // A sequence gives out numbers before they are committed, so two intakes could show 8 before 7.
    await database.serialize(transaction, 'audit')
    await appendToPostgres(transaction, rows)
  })
}

/** What PostgreSQL's JSON may escape, and its texts cannot hold. */
const UNHELD = /\\u(?:0000|d[89a-f])/

async function appendToPostgres(db: Kysely<Tables>, rows: readonly NewAuditRow[]): Promise<void> {
  const types = sql.join(COLUMNS.map((name) => sql`${sql.ref(name)} ${sql.raw(TYPES[name])}`))
  const json = JSON.stringify(rows)
  const held = UNHELD.test(json) ? JSON.stringify(rows, (_, value) => asHeld(value)) : json
  await sql`
    insert into audit_record (${columns(COLUMNS)})
    select ${columns(COLUMNS)} from json_to_recordset(${held}::json) as record (${types})`.execute(db)
}

function asHeld(value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value.replaceAll('\0', '\uFFFD')).toString() : value
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
 * In two parameters. What records share is read out of its JSON once, and joined; they are added in their own order, as that is the outer loop of a cross
 * join.
 */
async function appendToSqlite(db: Kysely<Tables>, rows: readonly NewAuditRow[]): Promise<void> {
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
