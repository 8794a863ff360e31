import { BinaryError, describeElf, openBinary } from '@symup/core/resolving'
import type { ArtifactSource, NativeArtifact } from '@symup/symbolicate'
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'
import { imagePart, symbolMapPart } from '../upload/inspect-dsym.ts'

/**
 * Maximum number of files with the same build id to compare. If there are more, the same file was probably uploaded for several releases.
 */
const MAX_COMPARED = 20
/** Kinds of uploads whose files are found by a single id. */
const NATIVE_KINDS = [
  'ndk_symbol_file',
  'harmony_symbol_file',
  'elf_symbol_file',
  'wasm_symbol_file',
  'electron_symbol_file',
]

export function nativeSource(
  { database: { scans }, db, blobs }: Pick<Store, 'database' | 'db' | 'blobs'>,
  accountId: number,
): Required<Pick<ArtifactSource, 'findNative' | 'findNativeNamed' | 'findFlutter'>> {
  const parts = () =>
    db
      .selectFrom('part')
      .innerJoin('artifact', 'artifact.id', 'part.artifact_id')
      .where('artifact.account_id', '=', accountId)
      .orderBy('artifact.updated_at', 'desc')
  return {
    async findNative(id) {
      const isUuid = id.includes('-')
      const rows = await (isUuid
        ? parts().where('part.name', '=', imagePart(id))
        : parts().where('artifact.build_id', '=', id).where('artifact.kind', 'in', NATIVE_KINDS)
      )
        .select(['part.artifact_id', 'part.sha256', 'artifact.service', 'artifact.version'])
        .limit(isUuid ? 1 : MAX_COMPARED)
        .execute()
      const best = await bestOf(rows, blobs)
      const [image] = rows
      if (!isUuid || !best || !image) return best
      const map = await parts()
        .where('part.artifact_id', '=', image.artifact_id)
        .where('part.name', '=', symbolMapPart(id))
        .select('part.sha256')
        .executeTakeFirst()
      return { ...best, ...(map && { symbolMap: await blobs.localPath(map.sha256) }) }
    },
    async findFlutter({ service, version, buildId: wanted }, limit) {
      const all = wanted === undefined ? parts() : parts().where('artifact.build_id', '=', wanted)
      const rows = await all
        .where('artifact.kind', '=', 'flutter_symbol_file')
        .where('artifact.service', '=', service)
        .where('artifact.version', '=', version)
        .where('part.name', '=', 'flutter_symbol_file')
        .select(['part.sha256', 'artifact.build_id', 'artifact.event'])
        .limit(limit)
        .execute()
      return Promise.all(
        rows.map(async ({ sha256, build_id: buildId, event: json }) => {
          // Some clients send the flavor in the field `variant`.
          const { platform, arch, flavor, variant } = JSON.parse(json) as Record<string, unknown>
          const named = flavor ?? variant
          const path = await blobs.localPath(sha256)
          return {
            platform: textOf(platform),
            arch: textOf(arch),
            ...(typeof named === 'string' && { flavor: named }),
            ...(buildId !== null && { buildId }),
            contentKey: sha256,
            file: path,
            open: () => openBinary(path),
          }
        }),
      )
    },
    async findNativeNamed(name, limit, release) {
      const named = scans
        .selectFrom('artifact')
        .select(['build_id', 'uuids', 'service', 'version', sql<unknown>`json_extract(event, '$.arch')`.as('arch')])
        .where('account_id', '=', accountId)
        .where('file_name', '=', name)
        .where('kind', 'in', [...NATIVE_KINDS, 'ios_symbols'])
        .orderBy('updated_at', 'desc')
        .limit(limit)
      const ofRelease = release && named.where('service', '=', release.service).where('version', '=', release.version)
      const rows = await (ofRelease ?? named).execute()
      return rows.flatMap(({ build_id, uuids, service, version, arch }) =>
        (build_id === null ? (uuids ?? '').split(',') : [build_id]).map((id) => ({
          id,
          service,
          version,
          ...(textOf(arch) !== '' && { arch: textOf(arch) }),
        })),
      )
    },
  }
}

interface Row {
  sha256: string
  service: string
  version: string
}

/** Levels of detail in native files, lowest first. */
const DETAIL = ['exported names only', 'symbols without lines', 'debug information'] as const

/** @param rows sorted from newest to oldest. */
async function bestOf(rows: readonly Row[], blobs: Store['blobs']): Promise<NativeArtifact | undefined> {
  const distinct = rows.filter(({ sha256 }, index) => rows.findIndex((row) => row.sha256 === sha256) === index)
  const [newest] = distinct
  if (!newest) return undefined
  let best = { row: newest, path: await blobs.localPath(newest.sha256), detail: 0 }
  let newestDetail = 0
  for (const row of distinct.length > 1 ? distinct : []) {
    const path = await blobs.localPath(row.sha256)
    const detail = detailOf(path)
    if (row === newest) newestDetail = detail
    if (detail > best.detail) best = { row, path, detail }
  }
  const { row, path, detail } = best
  const choice =
    detail > newestDetail &&
    `${distinct.length} files have this build-id. The file from ${row.service} ${row.version} was used because it contains ${DETAIL[detail]}, but the newest file contains only ${DETAIL[newestDetail]}.`
  return { contentKey: row.sha256, file: path, open: () => openBinary(path), ...(choice && { choice }) }
}

function detailOf(path: string): number {
  const source = openBinary(path)
  try {
    const { hasDebugInfo, hasSymbolTable } = describeElf(source)
    return hasDebugInfo ? 2 : hasSymbolTable ? 1 : 0
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return 0
  } finally {
    source.close()
  }
}

/** Event fields from clients may have any type. */
function textOf(field: unknown): string {
  return typeof field === 'string' ? field : ''
}
