import { hash } from 'node:crypto'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { inPartsOf } from '../../platform/in-parts-of.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'
import type { Seed } from './seed.ts'

type TableName = 'automation_rule' | 'escalation_rule' | 'incident' | 'resource'

export interface SeededTable<N extends TableName> {
  table: N
  kind: Tables['seeded']['kind']
  key: readonly (keyof Tables[N])[]
  /** Returns the column values that identify an entry's row within an account. */
  place(id: string): Partial<Tables[N]>
  /** Returns the account's entries in the seed and their rows. */
  entriesOf(account: Seed['accounts'][number]): readonly { id: string; entry: unknown; row: Tables[N] }[]
}

/** SQLite allows at most 32,766 bound values per statement. */
const ROWS_AT_A_TIME = 1000

/**
 * Applies the entries in a seed to a table. Each entry is applied only once, so that later changes and deletions are kept. If an entry in
 * the seed changes, it is applied again and overwrites later changes. If an entry is removed from the seed, its row is deleted.
 */
export async function applySeed<N extends TableName>(
  database: Database,
  { accounts }: Seed,
  { table, kind, key, place, entriesOf }: SeededTable<N>,
): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    await database.serialize(transaction, 'seed')
    // Kysely's types do not support a variable table name.
    const insert = (rows: readonly Tables[N][]) =>
      transaction.insertInto(table as 'resource').values(rows as readonly Tables['resource'][])
    const columns = key as readonly (keyof Tables['resource'])[]
    const accountIds = accounts.map(({ account_id }) => account_id)
    const rows = await transaction
      .selectFrom('seeded')
      .select(['account_id', 'id', 'digest'])
      .where('kind', '=', kind)
      .where('account_id', 'in', accountIds)
      .execute()
    const keyOf = ({ account_id, id }: { account_id: number; id: string }) => `${account_id} ${id}`
    const applied = new Map(rows.map((row) => [keyOf(row), row.digest]))
    const wanted = accounts.flatMap((account) =>
      entriesOf(account).map(({ id, entry, row }) => {
        const { account_id } = account
        return { seeded: { account_id, kind, id, digest: hash('sha256', stringifyJson(entry)) }, row }
      }),
    )
    const added = wanted.filter(({ seeded }) => !applied.has(keyOf(seeded)))
    const changed = wanted.filter(({ seeded }) => (applied.get(keyOf(seeded)) ?? seeded.digest) !== seeded.digest)
    for (const some of inPartsOf(ROWS_AT_A_TIME, added))
      await insert(some.map(({ row }) => row))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    for (const { row } of changed)
      await insert([row])
        .onConflict((conflict) => conflict.columns(columns).doUpdateSet(row as Tables['resource']))
        .execute()
    const kept = new Set(wanted.map(({ seeded }) => keyOf(seeded)))
    for (const { account_id, id } of rows) {
      if (kept.has(keyOf({ account_id, id }))) continue
      const own = transaction.deleteFrom(table as 'resource')
      await own.where((eb) => eb.and({ account_id, ...(place(id) as Partial<Tables['resource']>) })).execute()
      await transaction
        .deleteFrom('seeded')
        .where((eb) => eb.and({ account_id, kind, id }))
        .execute()
    }
    for (const some of inPartsOf(ROWS_AT_A_TIME, [...added, ...changed]))
      await transaction
        .insertInto('seeded')
        .values(some.map(({ seeded }) => seeded))
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'kind', 'id']).doUpdateSet((eb) => ({ digest: eb.ref('excluded.digest') })),
        )
        .execute()
  })
}
