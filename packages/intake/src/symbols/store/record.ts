import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { Blobs, StagedBlob } from './blobs.ts'

/**
 * Stores content and then the records that refer to it. Three rules ensure that records never refer to missing content, even if other
 * processes collect garbage, upload or crash at the same time:
 * - A `blob` row exists exactly as long as its content. The row is written after the content. Deleting content locks the row, or its key,
 *   until the content is gone.
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
  // All transactions lock rows in this order. Otherwise, transactions with the same rows could deadlock.
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
  // The upload is stored at this point. Staged files that cannot be deleted now are deleted when the intake starts again.
  await Promise.all(staged.map((blob) => blobs.discard(blob).catch(() => undefined)))
}

async function holdRows(
  { kind, forKeyShare }: Database,
  transaction: Transaction<Tables>,
  hashes: readonly string[],
): Promise<boolean> {
  // SQLite allows only one write transaction at a time, so no row locks are needed.
  if (kind === 'sqlite') return true
  const held = transaction.selectFrom('blob').select('sha256').where('sha256', 'in', hashes).orderBy('sha256')
  return (await forKeyShare(held).execute()).length === hashes.length
}

/** The hashes must be sorted to avoid deadlocks. */
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
      // In PostgreSQL, the content column is always empty, so no update is needed. An update would also lock the row.
      if (kind === 'postgres') return conflict.doNothing()
      // Replaces content that an older version stored in a file, and repairs damaged content.
      const update = conflict.column('sha256').doUpdateSet(({ ref }) => ({ content: ref('excluded.content') }))
      return update
        .where(sql`excluded.content`, 'is not', null)
        .where(sql`excluded.content`, 'is not', sql`blob.content`)
    })
    .returning('sha256')
    .execute()
  // The garbage collector may have deleted the content before it released the lock.
  for (const { sha256 } of added) {
    const blob = byHash.get(sha256) as StagedBlob
    if (!blob.content && !(await blobs.has(sha256))) await blobs.put(blob)
  }
}
