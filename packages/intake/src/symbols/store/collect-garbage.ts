import type { Database } from '../../platform/database/database.ts'
import type { Blobs } from './blobs.ts'
import type { Store } from './store.ts'

export interface Collected {
  blobs: number
  bytes: number
}

const AT_A_TIME = 500

/**
 * Removes content that nothing points to: of replaced or retired artifacts, and of uploads that died. Safe beside running intakes, by
 * the rules that `record` keeps.
 * @param graceMs what was kept so recently stays: a client may have been told that it need not send it again.
 */
export async function collect(
  { database, blobs }: Pick<Store, 'database' | 'blobs'>,
  graceMs: number,
): Promise<Collected> {
  const before = Date.now() - graceMs
  const collected = { blobs: 0, bytes: 0 }
  for await (const { sha256, bytes } of unused(database, before)) {
    if (!(await removeRecorded(database, blobs, sha256))) continue
    collected.blobs++
    collected.bytes += bytes
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
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.sha256
  }
}

/** Holds the row until the content is gone, so that no record can come to point to it meanwhile. */
function removeRecorded({ db, forUpdate }: Database, blobs: Blobs, sha256: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const held = await forUpdate(transaction.selectFrom('blob').select('sha256').where('sha256', '=', sha256)).execute()
    if (held.length === 0) return false
    // Asked only now: whoever held the row before may have made a record.
    const part = await transaction.selectFrom('part').select('name').where('sha256', '=', sha256).limit(1).execute()
    if (part.length > 0) return false
    await transaction.deleteFrom('blob').where('sha256', '=', sha256).execute()
    await blobs.remove(sha256)
    return true
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

/** Takes the place of the row until the content is gone, so that an upload of the same waits and then puts it again. */
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
