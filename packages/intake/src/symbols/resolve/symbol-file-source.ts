import { type ArtifactSource, INDEX_PART, type SymbolFileKind } from '@symup/symbolicate'
import { sql } from 'kysely'
import { indexPath } from '../store/map-indexes.ts'
import type { Store } from '../store/store.ts'

export function symbolFileSource(
  { database, db, blobs }: Pick<Store, 'database' | 'db' | 'blobs'>,
  accountId: number,
): Required<Pick<ArtifactSource, 'findSymbolFiles' | 'releasesWith'>> {
  const ofKind = (kind: SymbolFileKind, from = db) =>
    from.selectFrom('artifact').where('account_id', '=', accountId).where('kind', '=', kind)
  return {
    async findSymbolFiles({ kind, service, version, variant, buildId }, limit) {
      let found = ofKind(kind).where('service', '=', service).where('version', '=', version)
      if (buildId !== undefined) found = found.where('build_id', '=', buildId)
      if (variant !== undefined) found = found.where(sql`json_extract(event, '$.variant')`, '=', variant)
      const rows = await found
        .select(['id', 'build_id', sql<string | null>`json_extract(event, '$.variant')`.as('variant')])
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute()
      return Promise.all(
        rows.map(async (row) => {
          const parts = await db
            .selectFrom('part')
            .select(['name', 'sha256'])
            .where('artifact_id', '=', row.id)
            .execute()
          return {
            kind,
            service,
            version,
            ...(row.variant !== null && { variant: String(row.variant) }),
            ...(row.build_id !== null && { buildId: row.build_id }),
            contentKey: parts
              .filter(({ name }) => name !== INDEX_PART)
              .map(({ name, sha256 }) => `${name}:${sha256}`)
              .sort()
              .join(),
            async open(name: string) {
              const part = parts.find((it) => it.name === name)
              if (!part) return undefined
              return name === INDEX_PART ? indexPath(blobs, part.sha256) : blobs.localPath(part.sha256)
            },
          }
        }),
      )
    },
    async releasesWith(kind, limit, { service, version } = {}) {
      let wanted = ofKind(kind, database.scans)
      if (service !== undefined) wanted = wanted.where('service', '=', service)
      if (version !== undefined) wanted = wanted.where('version', '=', version)
      return wanted
        .select(['service', 'version', (eb) => eb.fn.max('updated_at').as('newest')])
        .groupBy(['service', 'version'])
        .orderBy('newest', 'desc')
        .limit(limit)
        .execute()
    },
  }
}
