import { UPLOAD_KINDS } from '@symup/core/internal'
import { sql } from 'kysely'
import { INDEX_PART } from '../symbols/store/index-part.ts'
import type { Store } from '../symbols/store/store.ts'
import type { InspectorAnswers, UploadDetails, VersionSummary } from './api.ts'

export interface UploadQuery {
  /** Part of a service, version, path, build id, UUID or debug id; in any case. */
  query?: string
  kind?: string
  service?: string
  version?: string
  offset?: number
  /** At most 500. */
  limit?: number
}

const MAX_ROWS = 500

/** Newest first. */
export async function listUploads({ db }: Store, query: UploadQuery): Promise<InspectorAnswers['uploads']> {
  let found = db.selectFrom('artifact')
  if (query.kind) found = found.where('kind', '=', query.kind)
  if (query.service) found = found.where('service', '=', query.service)
  if (query.version) found = found.where('version', '=', query.version)
  if (query.query) {
    const part = query.query.toLowerCase()
    const columns = ['service', 'version', 'path', 'build_id', 'uuids', 'debug_id', 'kind'] as const
    found = found.where((eb) =>
      eb.or(columns.map((column) => sql<boolean>`instr(lower(coalesce(${eb.ref(column)}, '')), ${part}) > 0`)),
    )
  }
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .offset(Math.max(0, query.offset ?? 0))
    .limit(Math.min(MAX_ROWS, Math.max(1, query.limit ?? 100)))
    .execute()
  return {
    total,
    items: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      label: labelOf(row.kind),
      platform: row.platform,
      service: row.service,
      version: row.version,
      path: row.path,
      debugId: row.debug_id,
      buildId: row.build_id,
      uuids: row.uuids,
      bytes: row.size,
      origin: row.origin === null ? null : `${row.origin} ${row.origin_version ?? ''}`.trim(),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    })),
  }
}

/** Sizes by service, version and kind, newest first. */
export async function summarize({ db }: Store): Promise<VersionSummary[]> {
  const rows = await db
    .selectFrom('artifact')
    .select((eb) => [
      'service',
      'version',
      'kind',
      eb.fn.countAll<number>().as('artifacts'),
      eb.fn.sum<number>('size').as('bytes'),
      eb.fn.max('updated_at').as('newest'),
    ])
    .groupBy(['service', 'version', 'kind'])
    .orderBy('newest', 'desc')
    .limit(MAX_ROWS)
    .execute()
  return rows.map((row) => ({ ...row, label: labelOf(row.kind) }))
}

function labelOf(kind: string): string {
  return UPLOAD_KINDS.get(kind)?.label ?? kind
}

export async function uploadDetails({ db }: Store, id: string): Promise<UploadDetails | undefined> {
  const row = await db.selectFrom('artifact').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const parts = await db
    .selectFrom('part')
    .select(['name', 'filename', 'bytes', 'sha256'])
    .where('artifact_id', '=', id)
    .where('name', '!=', INDEX_PART)
    .orderBy('name')
    .execute()
  return { id, event: JSON.parse(row.event), requestId: row.request_id, parts }
}
