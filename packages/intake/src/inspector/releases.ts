import { INDEX_PART } from '@symup/symbolicate'
import type { Database } from '../platform/database/database.ts'
import type { Rejection } from '../platform/http/recorded.ts'
import type { Store } from '../symbols/room.ts'
import type { InspectorAnswers, ReleaseDetails, ReleaseRow, ServiceRow } from './api.ts'
import { commitOf, labelOf, MAX_ROWS, matching, type UploadQuery } from './uploads.ts'

interface Release {
  service: string
  version: string
}

/** Lists services with uploads, newest first, followed by services that have only refused uploads. */
export async function listServices(
  { database: { scans } }: Store,
  rejections: readonly Rejection[],
): Promise<ServiceRow[]> {
  const rows = await scans
    .selectFrom('artifact')
    .select((eb) => [
      'service',
      eb.fn.count<number>('version').distinct().as('releases'),
      eb.fn.countAll<number>().as('artifacts'),
      eb.fn.sum<number>('size').as('bytes'),
      eb.fn.max('updated_at').as('newest'),
    ])
    .groupBy('service')
    .orderBy('newest', 'desc')
    .limit(MAX_ROWS)
    .execute()
  const services = new Map<string, ServiceRow>(rows.map((row) => [row.service, row]))
  for (const { service, newest } of await onlyRefused(scans, rejections)) {
    const row = services.get(service) ?? { service, releases: 0, artifacts: 0, bytes: 0, newest }
    services.set(service, { ...row, releases: row.releases + 1 })
  }
  return [...services.values()]
}

/** Lists releases that have only refused uploads, followed by all other releases. Both groups are sorted from newest to oldest. */
export async function listReleases(
  { database: { scans } }: Store,
  query: UploadQuery,
  rejections: readonly Rejection[],
): Promise<InspectorAnswers['releases']> {
  const groups = matching(scans.selectFrom('artifact'), query).groupBy(['service', 'version'])
  const { total } = await scans
    .selectFrom(groups.select(['service', 'version']).as('release'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const refused = (await onlyRefused(scans, rejections)).filter((release) => isWanted(release, query))
  const offset = Math.max(0, query.offset ?? 0)
  const limit = Math.min(100, Math.max(1, query.limit ?? 100))
  const first = refused.slice(offset, offset + limit)
  const rows = await groups
    .select(['service', 'version', (eb) => eb.fn.max('updated_at').as('last')])
    .orderBy('last', 'desc')
    .orderBy('service')
    .orderBy('version')
    .offset(Math.max(0, offset - refused.length))
    .limit(limit - first.length)
    .execute()
  return { total: refused.length + total, items: await described(scans, [...first, ...rows], rejections) }
}

function isWanted({ service, version }: Release, { query = '', kind, ...wanted }: UploadQuery): boolean {
  if (kind) return false
  if (wanted.service !== undefined && wanted.service !== service) return false
  if (wanted.version !== undefined && wanted.version !== version) return false
  return `${service}\n${version}`.toLowerCase().includes(query.toLowerCase())
}

async function onlyRefused(
  scans: Database['scans'],
  rejections: readonly Rejection[],
): Promise<(Release & { newest: number })[]> {
  const found = new Map<string, Release & { newest: number }>()
  for (const rejection of rejections) {
    const release = releaseOf(rejection)
    const key = JSON.stringify([release?.service, release?.version])
    if (release && release.service !== '' && !found.has(key)) found.set(key, { ...release, newest: rejection.time })
  }
  if (found.size === 0) return []
  const stored = await scans
    .selectFrom('artifact')
    .where((eb) => eb.or([...found.values()].map(({ service, version }) => eb.and({ service, version }))))
    .select(['service', 'version'])
    .groupBy(['service', 'version'])
    .execute()
  for (const { service, version } of stored) found.delete(JSON.stringify([service, version]))
  return [...found.values()]
}

async function described(
  scans: Database['scans'],
  releases: readonly Release[],
  rejections: readonly Rejection[],
): Promise<ReleaseRow[]> {
  if (releases.length === 0) return []
  const rows = await scans
    .selectFrom('artifact')
    .where((eb) => eb.or(releases.map(({ service, version }) => eb.and({ service, version }))))
    .select((eb) => [
      'service',
      'version',
      'kind',
      'platform',
      eb.fn.countAll<number>().as('artifacts'),
      eb.fn.sum<number>('size').as('bytes'),
      eb.fn.max('updated_at').as('newest'),
      eb.fn.min('created_at').as('oldest'),
      eb.fn.max('git_commit_sha').as('sha'),
      eb.fn.max('git_repository_url').as('repository'),
    ])
    .groupBy(['service', 'version', 'kind', 'platform'])
    .execute()
  return releases.map(({ service, version }) => {
    const refused = rejectionsOf({ service, version }, rejections)
    const times = refused.map(({ time }) => time)
    const own = rows.filter((row) => row.service === service && row.version === version)
    const kinds = new Set(own.sort((a, b) => b.bytes - a.bytes).map(({ kind }) => kind))
    return {
      service,
      version,
      artifacts: own.reduce((sum, { artifacts }) => sum + artifacts, 0),
      bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
      newest: Math.max(...(own.length > 0 ? own.map(({ newest }) => newest) : times)),
      oldest: Math.min(...(own.length > 0 ? own.map(({ oldest }) => oldest) : times)),
      kinds: [...kinds].map((kind) => ({ kind, label: labelOf(kind) })),
      platforms: [...new Set(own.map(({ platform }) => platform))],
      commit: own.map(commitOf).find((commit) => commit !== null) ?? null,
      refused: refused.length,
    }
  })
}

export async function releaseDetails(
  { database: { scans } }: Store,
  release: Release,
  rejections: readonly Rejection[],
): Promise<ReleaseDetails | undefined> {
  const stored = scans
    .selectFrom('artifact')
    .where('artifact.service', '=', release.service)
    .where('artifact.version', '=', release.version)
  const refused = rejectionsOf(release, rejections)
  if (refused.length === 0 && !(await stored.select('id').limit(1).executeTakeFirst())) return undefined
  const [row] = await described(scans, [release], rejections)
  const parts = await stored
    .innerJoin('part', 'part.artifact_id', 'artifact.id')
    .select((eb) => ['part.name', eb.fn.countAll<number>().as('files'), eb.fn.sum<number>('part.bytes').as('bytes')])
    .where('part.name', '!=', INDEX_PART)
    .groupBy('part.name')
    .orderBy('part.name')
    .execute()
  const versions = await scans
    .selectFrom('artifact')
    .where('service', '=', release.service)
    .select((eb) => ['version', eb.fn.min('created_at').as('first')])
    .groupBy('version')
    .orderBy('first', 'desc')
    .limit(MAX_ROWS)
    .execute()
  const names = versions.map(({ version }) => version)
  return {
    ...(row as ReleaseRow),
    parts: byPart(parts),
    rejections: refused,
    others: names.filter((version) => version !== release.version),
    previous: names.includes(release.version) ? (names[names.indexOf(release.version) + 1] ?? null) : null,
  }
}

function rejectionsOf({ service, version }: Release, rejections: readonly Rejection[]): Rejection[] {
  return rejections.filter((it) => {
    const release = releaseOf(it)
    return release?.service === service && release.version === version
  })
}

function releaseOf({ event }: Rejection): Release | undefined {
  try {
    const release = JSON.parse(event) as { service?: unknown; version?: unknown } | null
    return release ? { service: String(release.service ?? ''), version: String(release.version ?? '') } : undefined
  } catch {
    return undefined
  }
}

/** Counts the images of a dSYM as one part, although they are stored as separate parts. */
function byPart(rows: readonly { name: string; files: number; bytes: number }[]): ReleaseDetails['parts'] {
  const parts = new Map<string, ReleaseDetails['parts'][number]>()
  for (const { name: full, files, bytes } of rows) {
    const name = full.replace(/^image-.*/s, 'image')
    const part = parts.get(name) ?? { name, files: 0, bytes: 0 }
    parts.set(name, { name, files: part.files + files, bytes: part.bytes + bytes })
  }
  return [...parts.values()]
}
