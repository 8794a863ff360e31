import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { Blobs, StagedBlob } from './blobs.ts'

/**
 * Stores content, then the records that refer to it. Three rules ensure that records never refer to missing content, even if other
 * processes collect garbage, upload or crash at the same time:
 *
 * - A `blob` row exists exactly as long as its content. The row is written after the content. Deleting content locks the row, or its
 *   key, until the content is gone.
 * - A record is written in a transaction that locks the rows of its content, so that they cannot be deleted first.
 * - Staged content stays until the record is written, so that content can be stored again if it was collected in between.
 */
export async function record(
  database: Database,
  blobs: Blobs,
  staged: readonly StagedBlob[],
  write: (transaction: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  const byHash = new Map(staged.map((blob) => [blob.sha256, blob]))
  // Every transaction locks rows in this order, so that transactions with the same rows wait instead of deadlocking.
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
  // The upload is already safe. Staged files that cannot be deleted now are deleted at the next start.
  await Promise.all(staged.map((blob) => blobs.discard(blob).catch(() => undefined)))
}

async function holdRows(
  { kind, forKeyShare }: Database,
  transaction: Transaction<Tables>,
  hashes: readonly string[],
): Promise<boolean> {
  // SQLite allows no other writes during a transaction.
  if (kind === 'sqlite') return true
  const held = transaction.selectFrom('blob').select('sha256').where('sha256', 'in', hashes).orderBy('sha256')
  return (await forKeyShare(held).execute()).length === hashes.length
}

/** The order of the hashes prevents deadlocks. */
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
      // An update in PostgreSQL would lock the row, and its content column is always empty.
      if (kind === 'postgres') return conflict.doNothing()
      // Replaces content that an older version stored as a file, and repairs damaged content.
      const update = conflict.column('sha256').doUpdateSet(({ ref }) => ({ content: ref('excluded.content') }))
      return update
        .where(sql`excluded.content`, 'is not', null)
        .where(sql`excluded.content`, 'is not', sql`blob.content`)
    })
    .returning('sha256')
    .execute()
  // The garbage collector may have held the lock until now.
  for (const { sha256 } of added) {
    const blob = byHash.get(sha256) as StagedBlob
    if (!blob.content && !(await blobs.has(sha256))) await blobs.put(blob)
  }
}
