import { type ArchiveCheck, checkMiniProgramArchive, NO_MAPS_MESSAGE } from '@symup/core/mini-program'
import { fileNameOf } from '@symup/core/resolving'
import type { MiniProgramSource, Release } from '@symup/symbolicate'
import { readArchivedMap } from '@symup/symbolicate/internal'
import { sql } from 'kysely'
import { ulid } from 'ulid'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import { inPartsOf } from '../../platform/in-parts-of.ts'
import { yieldingToOthers } from '../../platform/yielding.ts'
import type { IncomingPart, NewArtifact, Store } from './store.ts'

export const MINI_PROGRAM = 'miniprogram_sourcemap'

const PART = 'sourcemap_archive'
/** Maximum number of rows per statement. An archive can contain any number of maps, and a large statement would block other requests. */
const ROWS_AT_A_TIME = 20

/**
 * Validates a mini-program archive by decompressing it completely. Each map becomes an artifact with its subpackage and appid. The archive
 * is stored unchanged, and its maps are decompressed when needed. A later archive with the same release and appid replaces it.
 * @throws ApiError if the archive is invalid.
 */
export async function saveMiniProgram(
  store: Store,
  artifact: NewArtifact,
  parts: readonly IncomingPart[],
): Promise<void> {
  const event = JSON.parse(artifact.event) as { appid?: string }
  if (typeof (event.appid ?? '') !== 'string') throw invalidParameter('event.appid')
  const { blob } = parts.find(({ name }) => name === PART) as IncomingPart
  const check = await checkMiniProgramArchive(blob.path)
  if (!check.ok) throw asApiError(check)
  await Promise.all(parts.filter((part) => part.blob !== blob).map((part) => store.blobs.discard(part.blob)))

  const yieldToOthers = yieldingToOthers()
  const now = Date.now()
  const rowOf = ({ entry, subPackage, bytes }: (typeof check.maps)[number]) => ({
    ...artifact,
    id: ulid(),
    identity: store.database.identify(JSON.stringify([artifact.identity, entry])),
    path: `/${entry}`,
    file_name: fileNameOf(entry),
    event: JSON.stringify({ ...event, sub_package: subPackage, entry }),
    size: bytes,
    created_at: now,
    updated_at: now,
  })
  await store.record([blob], async (transaction) => {
    await store.database.serialize(transaction, `${artifact.account_id} ${artifact.identity}`)
    const ofRelease = transaction
      .selectFrom('artifact')
      .select(['id', 'identity', 'created_at'])
      .where('account_id', '=', artifact.account_id)
      .where('kind', '=', MINI_PROGRAM)
      .where('service', '=', artifact.service)
      .where('version', '=', artifact.version)
      .where(appidOf(), '=', event.appid ?? '')
    const before = new Map((await ofRelease.execute()).map((row) => [row.identity, row]))
    for (const some of inPartsOf(ROWS_AT_A_TIME, [...before.values()])) {
      const ids = some.map(({ id }) => id)
      await transaction.deleteFrom('artifact').where('id', 'in', ids).execute()
      await yieldToOthers()
    }
    for (const maps of inPartsOf(ROWS_AT_A_TIME, check.maps)) {
      // Generating random ids takes longer than inserting the rows, so the ids are also generated in batches.
      const some = maps.map((map) => {
        const row = rowOf(map)
        const old = before.get(row.identity)
        return old ? { ...row, id: old.id, created_at: old.created_at } : row
      })
      await transaction.insertInto('artifact').values(some).execute()
      const archive = { name: PART, filename: 'sourcemap.zip', sha256: blob.sha256, bytes: blob.bytes }
      await transaction
        .insertInto('part')
        .values(some.map(({ id }) => ({ artifact_id: id, ...archive })))
        .execute()
      await yieldToOthers()
    }
  })
}

function asApiError({ status, problem }: ArchiveCheck & { ok: false }): ApiError {
  if (status === 413) return new ApiError('EntityTooLarge', problem.message)
  if (problem.message === NO_MAPS_MESSAGE) return new ApiError('InvalidParameter', NO_MAPS_MESSAGE)
  return invalidParameter(PART, problem.message)
}

function appidOf() {
  return sql<string>`coalesce(json_extract(event, '$.appid'), '')`
}

export function miniProgramSource(
  { database, db, blobs }: Pick<Store, 'database' | 'db' | 'blobs'>,
  accountId: number,
): MiniProgramSource {
  const maps = (from = db) =>
    from.selectFrom('artifact').where('account_id', '=', accountId).where('kind', '=', MINI_PROGRAM)
  const of = ({ service, version }: Release) => maps().where('service', '=', service).where('version', '=', version)
  return {
    async findMaps(release, entries) {
      const rows = await of(release)
        .where(
          'path',
          'in',
          entries.map((entry) => `/${entry}`),
        )
        .innerJoin('part', 'part.artifact_id', 'artifact.id')
        .select(['path', 'event', 'sha256'])
        .execute()
      return rows.map(({ path, event, sha256 }) => {
        const { appid = '', sub_package: subPackage } = JSON.parse(event) as { appid?: string; sub_package: string }
        const entry = path.slice(1)
        return {
          entry,
          subPackage,
          appid,
          contentKey: `${sha256}:${entry}`,
          locateArchive: () => blobs.localPath(sha256),
          readMap: async () => readArchivedMap(await blobs.localPath(sha256), entry),
        }
      })
    },
    async entriesOf(release, limit) {
      const rows = await of(release).select('path').orderBy('path').limit(limit).execute()
      return rows.map(({ path }) => path.slice(1))
    },
    async releases(limit, service) {
      const all = maps(database.scans)
      const wanted = service === undefined ? all : all.where('service', '=', service)
      return wanted
        .select(['service', 'version'])
        .groupBy(['service', 'version'])
        .orderBy((query) => query.fn.max('updated_at'), 'desc')
        .limit(limit)
        .execute()
    },
  }
}
