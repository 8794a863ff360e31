import { UPLOAD_KINDS } from '@symup/core'
import { INDEX_PART } from '@symup/symbolicate'
import type { SelectQueryBuilder } from 'kysely'
import type { Directory } from '../platform/accounts/directory.ts'
import { contains } from '../platform/database/contains.ts'
import type { ArtifactRow, Tables } from '../platform/database/schema.ts'
import type { Store } from '../symbols/room.ts'
import type { Commit, InspectorAnswers, UploadDetails, UploadRow } from './api.ts'

/**
 * Returns the account of the newest upload for the service. The inspector page shows uploads from all accounts, so its requests do not
 * specify an account.
 */
export async function accountOf(
  { database: { scans } }: Store,
  directory: Directory,
  service: string,
): Promise<number> {
  const row = await scans
    .selectFrom('artifact')
    .select('account_id')
    .where('service', '=', service)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.account_id ?? (directory.accounts.keys().next().value as number)
}

export interface UploadQuery {
  /** Case-insensitive substring of a service, version, path, file name, commit, build id, UUID or debug id. */
  query?: string
  kind?: string
  /** May be empty, because files that are found by id alone have no service. */
  service?: string
  version?: string
  offset?: number
  /** Maximum number of uploads, at most 500. Default: 100. */
  limit?: number
}

export const MAX_ROWS = 500

const SEARCHED = [
  'service',
  'version',
  'path',
  'file_name',
  'build_id',
  'uuids',
  'debug_id',
  'kind',
  'git_commit_sha',
] as const

export function matching<O>(
  from: SelectQueryBuilder<Tables, 'artifact', O>,
  { query, kind, service, version }: UploadQuery,
): SelectQueryBuilder<Tables, 'artifact', O> {
  let found = from
  if (kind) found = found.where('kind', '=', kind)
  if (service !== undefined) found = found.where('service', '=', service)
  if (version !== undefined) found = found.where('version', '=', version)
  if (query) found = found.where(contains(SEARCHED, query))
  return found
}

export async function listUploads(
  { database: { scans } }: Store,
  query: UploadQuery,
): Promise<InspectorAnswers['uploads']> {
  const found = matching(scans.selectFrom('artifact'), query)
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .offset(Math.max(0, query.offset ?? 0))
    .limit(Math.min(MAX_ROWS, Math.max(1, query.limit ?? 100)))
    .execute()
  return { total: Number(total), items: rows.map(rowOf) }
}

function rowOf(row: ArtifactRow): UploadRow {
  return {
    id: row.id,
    kind: row.kind,
    label: labelOf(row.kind),
    platform: row.platform,
    service: row.service,
    version: row.version,
    title: titleOf(row),
    path: row.path,
    debugId: row.debug_id,
    buildId: row.build_id,
    uuids: row.uuids,
    bytes: Number(row.size),
    origin: row.origin === null ? null : `${row.origin} ${row.origin_version ?? ''}`.trim(),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }
}

const NAMING_FIELDS = ['bundle_name', 'module_name', 'variant', 'flavor', 'arch', 'appid']

export function titleOf(
  row: Pick<ArtifactRow, 'path' | 'file_name' | 'event' | 'kind' | 'uuids' | 'build_id'>,
): string {
  if (row.path !== '') return row.path
  if (row.file_name !== '') return row.file_name
  const event = JSON.parse(row.event) as Record<string, unknown>
  const named = NAMING_FIELDS.flatMap((field) => {
    const value = event[field]
    return typeof value === 'string' && value !== '' ? [value] : []
  })
  if (named.length > 0) return `${labelOf(row.kind)} (${named.join(', ')})`
  const id = row.build_id ?? row.uuids?.split(',')[0]
  return id ? `${labelOf(row.kind)} ${id.slice(0, 8)}…` : labelOf(row.kind)
}

export async function senderOf({ database: { scans } }: Store, service: string): Promise<string | null> {
  const sent = scans.selectFrom('artifact').select('origin').where('service', '=', service)
  return (await sent.orderBy('updated_at', 'desc').limit(1).executeTakeFirst())?.origin ?? null
}

export function labelOf(kind: string): string {
  return UPLOAD_KINDS.get(kind)?.label ?? kind
}

export function commitOf(row: { sha: string | null; repository: string | null }): Commit | null {
  return row.sha === null || row.sha === '' ? null : { sha: row.sha, repository: row.repository }
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
  return {
    ...rowOf(row),
    event: JSON.parse(row.event),
    requestId: row.request_id,
    commit: commitOf({ sha: row.git_commit_sha, repository: row.git_repository_url }),
    parts: parts.map((part) => ({ ...part, bytes: Number(part.bytes) })),
  }
}
