import type { Database } from '../../platform/database/database.ts'
import type { Blobs } from './blobs.ts'
import type { Store } from './store.ts'

export interface Collected {
  blobs: number
  bytes: number
}

/** Maximum number of items to delete per transaction. Running intakes have to wait until the transaction ends. */
const AT_A_TIME = 200

/**
 * Deletes unreferenced content, which remains after artifacts are replaced or retired and after uploads are interrupted. The rules in
 * `record` make garbage collection safe while intakes are running.
 * @param graceMs minimum age of content to delete. Clients may have been told not to send recent content again.
 */
export async function collect(
  { database, blobs }: Pick<Store, 'database' | 'blobs'>,
  graceMs: number,
): Promise<Collected> {
  const before = Date.now() - graceMs
  const collected = { blobs: 0, bytes: 0 }
  for await (const some of unused(database, before)) {
    for (const { bytes } of await removeRecorded(database, blobs, some)) {
      collected.blobs++
      collected.bytes += bytes
    }
  }
  for await (const sha256 of unrecorded(database, blobs, before)) {
    if (await removeUnrecorded(database, blobs, sha256)) collected.blobs++
  }
  return collected
}

async function* unused({ db }: Database, before: number) {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('blob')
      .select(['sha256', 'bytes'])
      .where('sha256', '>', after)
      .where('kept_at', '<=', before)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('part').select('part.name').whereRef('part.sha256', '=', 'blob.sha256'))),
      )
      .orderBy('sha256')
      .limit(AT_A_TIME)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.sha256
  }
}

/**
 * Locks the rows until the content has been deleted, so that no new record can refer to it.
 * @returns the deleted rows.
 */
function removeRecorded<T extends { sha256: string }>({ db, forUpdate }: Database, blobs: Blobs, some: readonly T[]) {
  return db.transaction().execute(async (transaction): Promise<T[]> => {
    const hashes = some.map(({ sha256 }) => sha256)
    const held = transaction.selectFrom('blob').select('sha256').where('sha256', 'in', hashes).orderBy('sha256')
    const left = new Set((await forUpdate(held).execute()).map(({ sha256 }) => sha256))
    // Repeat the check under the lock, because a transaction that held the lock before may have added a record.
    const used = transaction.selectFrom('part').select('sha256').where('sha256', 'in', hashes)
    for (const { sha256 } of await used.execute()) left.delete(sha256)
    if (left.size > 0)
      await transaction
        .deleteFrom('blob')
        .where('sha256', 'in', [...left])
        .execute()
    for (const sha256 of left) await blobs.remove(sha256)
    return some.filter(({ sha256 }) => left.has(sha256))
  })
}

async function* unrecorded({ db }: Database, blobs: Blobs, before: number) {
  let found: string[] = []
  const withoutRow = async () => {
    const rows = await db.selectFrom('blob').select('sha256').where('sha256', 'in', found).execute()
    const known = new Set(rows.map(({ sha256 }) => sha256))
    return found.filter((sha256) => !known.has(sha256))
  }
  for await (const { sha256, keptAt } of blobs.list()) {
    if (keptAt > before) continue
    found.push(sha256)
    if (found.length < AT_A_TIME) continue
    yield* await withoutRow()
    found = []
  }
  if (found.length > 0) yield* await withoutRow()
}

/**
 * Locks the key of the row until the content has been deleted. An upload of the same content waits for the lock and then stores the content
 * again.
 */
function removeUnrecorded({ db }: Database, blobs: Blobs, sha256: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const taken = await transaction
      .insertInto('blob')
      .values({ sha256, bytes: 0, kept_at: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .returning('sha256')
      .execute()
    if (taken.length === 0) return false
    await blobs.remove(sha256)
    await transaction.deleteFrom('blob').where('sha256', '=', sha256).execute()
    return true
  })
}
