import type { Transaction } from 'kysely'
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
  { db, forKeyShare }: Database,
  blobs: Blobs,
  staged: readonly StagedBlob[],
  write: (transaction: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  const byHash = new Map(staged.map((blob) => [blob.sha256, blob]))
  // In one order everywhere: transactions that want the same rows then wait instead of blocking each other.
  const hashes = [...byHash.keys()].sort()
  for (let isWritten = false; !isWritten; ) {
    const held = await db.selectFrom('blob').select('sha256').where('sha256', 'in', hashes).execute()
    const known = new Set(held.map(({ sha256 }) => sha256))
    for (const [sha256, blob] of byHash) {
      await blobs.put(blob)
      if (!known.has(sha256)) await keep(db, blobs, blob)
    }
    isWritten = await db.transaction().execute(async (transaction) => {
      const rows = transaction.selectFrom('blob').select('sha256').where('sha256', 'in', hashes).orderBy('sha256')
      if ((await forKeyShare(rows).execute()).length < hashes.length) return false
      await write(transaction)
      return true
    })
  }
  // The upload is safe by now: what is left of the staging goes at the next start, if not here.
  await Promise.all(staged.map((blob) => blobs.discard(blob).catch(() => undefined)))
}

/** Says that content is kept. */
async function keep(db: Database['db'], blobs: Blobs, blob: StagedBlob): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { sha256, bytes } = blob
    const added = await transaction
      .insertInto('blob')
      .values({ sha256, bytes, kept_at: Date.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('sha256')
      .execute()
    // Whoever collects had its place until now.
    if (added.length > 0 && !(await blobs.has(sha256))) await blobs.put(blob)
  })
}
