import { sql } from 'kysely'
import { inPartsOf } from '../../platform/in-parts-of.ts'
import type { Store } from './store.ts'

/** Limits for old versions. The newest version of each service is always kept. */
export interface Retention {
  /** Maximum time in milliseconds since the last upload for a version. */
  maxAgeMs?: number
  /** Maximum total size in bytes of all versions of a service. The oldest versions are deleted first. */
  maxBytes?: number
}

export interface Retired {
  versions: number
  artifacts: number
}

const ROWS_AT_A_TIME = 200

interface Version {
  account_id: number
  service: string
  version: string
  alone: string
  newest: number
  bytes: number
}

/** Deletes only records. The next garbage collection deletes the content. */
export async function retire(
  { db }: Pick<Store, 'db'>,
  { maxAgeMs, maxBytes }: Retention,
  now = Date.now(),
): Promise<Retired> {
  const retired = { versions: 0, artifacts: 0 }
  if (maxAgeMs === undefined && maxBytes === undefined) return retired
  // Each artifact without a version, such as a dSYM, is treated as a separate version.
  const alone = sql<string>`case when version = '' then id else '' end`
  const versions: Version[] = await db
    .selectFrom('artifact')
    .select((eb) => [
      'account_id',
      'service',
      'version',
      alone.as('alone'),
      eb.fn.max('updated_at').as('newest'),
      eb.fn.sum<number>('size').as('bytes'),
    ])
    .groupBy(['account_id', 'service', 'version', alone])
    .orderBy('newest', 'desc')
    .execute()
  const seen = new Map<string, number>()
  for (const { account_id, service, version, alone: id, newest, bytes } of versions) {
    const place = JSON.stringify([account_id, service])
    const before = seen.get(place)
    seen.set(place, (before ?? 0) + bytes)
    if (before === undefined) continue
    const isOld = maxAgeMs !== undefined && newest < now - maxAgeMs
    const isTooMuch = maxBytes !== undefined && before + bytes > maxBytes
    if (!isOld && !isTooMuch) continue
    let going = db
      .selectFrom('artifact')
      .select('id')
      .where('account_id', '=', account_id)
      .where('service', '=', service)
      .where('version', '=', version)
    if (id !== '') going = going.where('id', '=', id)
    const ids = (await going.execute()).map((row) => row.id)
    retired.versions++
    // Keep each transaction small, because running intakes have to wait for it.
    for (const part of inPartsOf(ROWS_AT_A_TIME, ids)) {
      const some = db.deleteFrom('artifact').where('id', 'in', part)
      // Keeps artifacts that have been updated in the meantime.
      const { numDeletedRows } = await some.where('updated_at', '<=', newest).executeTakeFirstOrThrow()
      retired.artifacts += Number(numDeletedRows)
    }
  }
  return retired
}
