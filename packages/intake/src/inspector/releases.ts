import type { Rejection } from '../platform/http/recorded.ts'
import type { Store } from '../symbols/store/store.ts'
import type { InspectorAnswers, ReleaseDetails, ReleaseRow, ServiceRow } from './api.ts'
import { commitOf, labelOf, MAX_ROWS, matching, type UploadQuery } from './uploads.ts'

interface Release {
  service: string
  version: string
}

/** Newest first. */
export async function listServices({ db }: Store): Promise<ServiceRow[]> {
  const rows = await db
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
  return rows.map(({ service, releases, artifacts, bytes, newest }) => ({
    service,
    releases: Number(releases),
    artifacts: Number(artifacts),
    bytes: Number(bytes),
    newest: Number(newest),
  }))
}

/** Newest first. */
export async function listReleases(
  { db }: Store,
  query: UploadQuery,
  rejections: readonly Rejection[],
): Promise<InspectorAnswers['releases']> {
  const groups = matching(db.selectFrom('artifact'), query).groupBy(['service', 'version'])
  const { total } = await db
    .selectFrom(groups.select(['service', 'version']).as('release'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await groups
    .select(['service', 'version', (eb) => eb.fn.max('updated_at').as('last')])
    .orderBy('last', 'desc')
    .orderBy('service')
    .orderBy('version')
    .offset(Math.max(0, query.offset ?? 0))
    .limit(Math.min(100, Math.max(1, query.limit ?? 100)))
    .execute()
  return { total: Number(total), items: await described(db, rows, rejections) }
}

/** Of each release as a whole, whichever of its files was searched for; in the order given. */
async function described(
  db: Store['db'],
  releases: readonly Release[],
  rejections: readonly Rejection[],
): Promise<ReleaseRow[]> {
  if (releases.length === 0) return []
  const rows = await db
    .selectFrom('artifact')
    .where((eb) =>
      eb.or(releases.map(({ service, version }) => eb.and([eb('service', '=', service), eb('version', '=', version)]))),
    )
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
  const refused = rejections.map(releaseOf)
  return releases.map(({ service, version }) => {
    const own = rows.filter((row) => row.service === service && row.version === version)
    const kinds = own.map(({ kind, platform, artifacts, bytes }) => {
      return { kind, label: labelOf(kind), platform, artifacts: Number(artifacts), bytes: Number(bytes) }
    })
    return {
      service,
      version,
      artifacts: kinds.reduce((sum, { artifacts }) => sum + artifacts, 0),
      bytes: kinds.reduce((sum, { bytes }) => sum + bytes, 0),
      newest: Math.max(...own.map(({ newest }) => Number(newest))),
      oldest: Math.min(...own.map(({ oldest }) => Number(oldest))),
      kinds: kinds.sort((a, b) => b.bytes - a.bytes),
      commit: own.map(commitOf).find((commit) => commit !== null) ?? null,
      refused: refused.filter((it) => it?.service === service && it.version === version).length,
    }
  })
}

/** @returns undefined where nothing of it is stored. */
export async function releaseDetails(
  { db }: Store,
  release: Release,
  rejections: readonly Rejection[],
): Promise<ReleaseDetails | undefined> {
  const stored = db
    .selectFrom('artifact')
    .where('artifact.service', '=', release.service)
    .where('artifact.version', '=', release.version)
  if (!(await stored.select('id').limit(1).executeTakeFirst())) return undefined
  const [row] = await described(db, [release], rejections)
  const parts = await stored
    .innerJoin('part', 'part.artifact_id', 'artifact.id')
    .select((eb) => ['part.name', eb.fn.countAll<number>().as('files'), eb.fn.sum<number>('part.bytes').as('bytes')])
    .groupBy('part.name')
    .orderBy('part.name')
    .execute()
  const versions = await db
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
    parts: parts.map(({ name, files, bytes }) => ({ name, files: Number(files), bytes: Number(bytes) })),
    rejections: rejections.filter((it) => {
      const said = releaseOf(it)
      return said?.service === release.service && said.version === release.version
    }),
    others: names.filter((version) => version !== release.version),
    previous: names[names.indexOf(release.version) + 1] ?? null,
  }
}

/** The release that an upload says it is of, which was refused. */
function releaseOf({ event }: Rejection): Release | undefined {
  try {
    const said = JSON.parse(event) as { service?: unknown; version?: unknown } | null
    return said ? { service: String(said.service ?? ''), version: String(said.version ?? '') } : undefined
  } catch {
    return undefined
  }
}
