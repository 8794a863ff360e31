import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { Blobs, StagedBlob } from './blobs.ts'

/**
 * Keeps content, then writes the records that point to it. Three rules make a record never point to what is not there, whatever else
 * collects, uploads or dies at the same time:
 *
 * - a row of `blob` exists only while its content does: it is written after the content, and whoever takes the content away first holds
 *   the row, or its place, until the content is gone;
 * - a record is written in a transaction that holds the rows of its content, so they cannot go before it is there;
 * - what is staged stays until then, so content that was collected in between is simply put again.
 */
export async function record(
  database: Database,
  blobs: Blobs,
  staged: readonly StagedBlob[],
  write: (transaction: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  const byHash = new Map(staged.map((blob) => [blob.sha256, blob]))
  // In one order everywhere: transactions that want the same rows then wait instead of blocking each other.
  const hashes = [...byHash.keys()].sort()
  for (let isWritten = false; !isWritten; ) {
    await Promise.all([...byHash.values()].map((blob) => blobs.put(blob)))
    isWritten = await database.commit(async (transaction) => {
      await keep(database, transaction, blobs, byHash)
      if (!(await holdRows(database, transaction, hashes))) return false
      await write(transaction)
      return true
    })
  }
  // The upload is safe by now: what is left of the staging goes at the next start, if not here.
  await Promise.all(staged.map((blob) => blobs.discard(blob).catch(() => undefined)))
}

/** @returns false when some of the rows have gone since they were written. */
async function holdRows(
  { kind, forKeyShare }: Database,
  transaction: Transaction<Tables>,
  hashes: readonly string[],
): Promise<boolean> {
  // Nobody else writes during its transactions.
  if (kind === 'sqlite') return true
  const held = transaction.selectFrom('blob').select('sha256').where('sha256', 'in', hashes).orderBy('sha256')
  return (await forKeyShare(held).execute()).length === hashes.length
}

/** Says that content is kept, in the order of the hashes. */
async function keep(
  { kind }: Database,
  transaction: Transaction<Tables>,
  blobs: Blobs,
  byHash: ReadonlyMap<string, StagedBlob>,
): Promise<void> {
  const kept_at = Date.now()
  const rows = [...byHash.values()]
    .sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
    .map(({ sha256, bytes, content = null }) => ({ sha256, bytes, kept_at, content }))
  const added = await transaction
    .insertInto('blob')
    .values(rows)
    .onConflict((conflict) => {
      // PostgreSQL would lock the row, and has no content.
      if (kind === 'postgres') return conflict.doNothing()
      // What an older version kept in a file is here from now on, and what was damaged is right again.
      const update = conflict.column('sha256').doUpdateSet(({ ref }) => ({ content: ref('excluded.content') }))
      return update
        .where(sql`excluded.content`, 'is not', null)
        .where(sql`excluded.content`, 'is not', sql`blob.content`)
    })
    .returning('sha256')
    .execute()
  // The garbage collector may have had the lock until now.
  for (const { sha256 } of added) {
    const blob = byHash.get(sha256) as StagedBlob
    if (!blob.content && !(await blobs.has(sha256))) await blobs.put(blob)
  }
}
