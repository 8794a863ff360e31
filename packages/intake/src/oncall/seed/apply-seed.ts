import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { inPartsOf } from '../../platform/in-parts-of.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'

/** An entry of a seed, and the row that it makes. */
export interface SeededEntry<R> {
  accountId: number
  id: string
  /** As the seed has it. */
  entry: unknown
  row: R
}

/** What is done with rows, within one transaction. */
export interface SeedWriter<R> {
  /** Adds those that are not there. */
  add(on: Kysely<Tables>, rows: readonly R[]): Promise<unknown>
  /** Writes those, whether they are there or not. */
  replace(on: Kysely<Tables>, rows: readonly R[]): Promise<unknown>
  remove(on: Kysely<Tables>, accountId: number, id: string): Promise<unknown>
}

/**
 * Writes the rows of a table as they are.
 * @param key its columns that tell one row from another.
 * @param remove takes the row of an entry away.
 */
export function tableWriter<N extends 'escalation_rule' | 'incident' | 'resource'>(
  table: N,
  key: readonly string[],
  remove: SeedWriter<Tables[N]>['remove'],
): SeedWriter<Tables[N]> {
  // Kysely's types know one table at a time.
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

/** Rows of one statement: SQLite binds 32,766 values at most. */
const ROWS_AT_A_TIME = 1000

/**
 * Brings the database up to a seed. An entry is applied once: what was changed or deleted by an operation afterwards stays so. An entry
 * that has changed since is applied again, over such changes, and one that has gone takes what it made with it.
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
