import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { inPartsOf } from '../../platform/in-parts-of.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'

/** An entry of a seed, and the row for it. */
export interface SeededEntry<R> {
  accountId: number
  id: string
  /** The entry as written in the seed. */
  entry: unknown
  row: R
}

/** Writes rows within one transaction. */
export interface SeedWriter<R> {
  /** Adds missing rows. */
  add(on: Kysely<Tables>, rows: readonly R[]): Promise<unknown>
  /** Writes rows, whether they exist or not. */
  replace(on: Kysely<Tables>, rows: readonly R[]): Promise<unknown>
  remove(on: Kysely<Tables>, accountId: number, id: string): Promise<unknown>
}

/**
 * Writes the rows of a table unchanged.
 * @param key columns that identify a row.
 * @param remove deletes the row of an entry.
 */
export function tableWriter<N extends 'automation_rule' | 'escalation_rule' | 'incident' | 'resource'>(
  table: N,
  key: readonly string[],
  remove: SeedWriter<Tables[N]>['remove'],
): SeedWriter<Tables[N]> {
  // Kysely's types support one table at a time.
  const insert = (on: Kysely<Tables>, rows: readonly Tables[N][]) =>
    on.insertInto(table as 'resource').values(rows as readonly Tables['resource'][])
  const columns = key as readonly (keyof Tables['resource'])[]
  return {
    add: (on, rows) =>
      insert(on, rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    async replace(on, rows) {
      for (const row of rows)
        await insert(on, [row])
          .onConflict((conflict) => conflict.columns(columns).doUpdateSet(row as Tables['resource']))
          .execute()
    },
    remove,
  }
}

/** Rows per statement: SQLite binds at most 32,766 values. */
const ROWS_AT_A_TIME = 1000

/**
 * Updates the database to a seed. An entry is applied once, so later changes and deletions by operations remain. A changed entry is applied
 * again and overrides such changes. The rows of a removed entry are deleted.
 */
export async function applySeed<R>(
  database: Database,
  kind: Tables['seeded']['kind'],
  accountIds: readonly number[],
  entries: readonly SeededEntry<R>[],
  { add, replace, remove }: SeedWriter<R>,
): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    await database.serialize(transaction, 'seed')
    const rows = await transaction
      .selectFrom('seeded')
      .select(['account_id', 'id', 'digest'])
      .where('kind', '=', kind)
      .where('account_id', 'in', accountIds)
      .execute()
    const applied = new Map(rows.map(({ account_id, id, digest }) => [`${account_id} ${id}`, digest]))
    const wanted = entries.map((entry) => ({ ...entry, digest: hash('sha256', stringifyJson(entry.entry)) }))
    const keyOf = ({ accountId, id }: { accountId: number; id: string }) => `${accountId} ${id}`
    const added = wanted.filter((one) => !applied.has(keyOf(one)))
    const changed = wanted.filter((one) => applied.has(keyOf(one)) && applied.get(keyOf(one)) !== one.digest)
    if (added.length > 0)
      await add(
        transaction,
        added.map(({ row }) => row),
      )
    if (changed.length > 0)
      await replace(
        transaction,
        changed.map(({ row }) => row),
      )
    const kept = new Set(wanted.map(keyOf))
    for (const { account_id: accountId, id } of rows) {
      if (kept.has(keyOf({ accountId, id }))) continue
      await remove(transaction, accountId, id)
      const entry = transaction.deleteFrom('seeded').where('account_id', '=', accountId)
      await entry.where('kind', '=', kind).where('id', '=', id).execute()
    }
    const written = [...added, ...changed].map(({ accountId, id, digest }) => ({
      account_id: accountId,
      kind,
      id,
      digest,
    }))
    for (const rows of inPartsOf(ROWS_AT_A_TIME, written)) {
      await transaction
        .insertInto('seeded')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'kind', 'id']).doUpdateSet((eb) => ({ digest: eb.ref('excluded.digest') })),
        )
        .execute()
    }
  })
}
