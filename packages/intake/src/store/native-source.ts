import { openBinary } from '@symup/core'
import type { ArtifactSource } from '@symup/symbolicate'
import { sql } from 'kysely'
import { imagePart } from '../upload/native.ts'
import type { Store } from './store.ts'

const ELF_KINDS = ['ndk_symbol_file', 'harmony_symbol_file', 'elf_symbol_file']

/** The store's native symbols by build-id and UUID, as the resolver asks for them. */
export function nativeSource(
  { db, blobs }: Pick<Store, 'db' | 'blobs'>,
  accountId: number,
): Required<Pick<ArtifactSource, 'findNative' | 'findNativeNamed'>> {
  const parts = db
    .selectFrom('part')
    .innerJoin('artifact', 'artifact.id', 'part.artifact_id')
    .where('artifact.account_id', '=', accountId)
    .orderBy('artifact.updated_at', 'desc')
  return {
    async findNative(id) {
      const isUuid = id.includes('-')
      const row = await (isUuid
        ? parts.where('part.name', '=', imagePart(id))
        : parts.where('artifact.build_id', '=', id).where('artifact.kind', 'in', ELF_KINDS)
      )
        .select('part.sha256')
        .limit(1)
        .executeTakeFirst()
      if (!row) return undefined
      const path = await blobs.localPath(row.sha256)
      return { contentKey: row.sha256, open: () => openBinary(path) }
    },
    async findNativeNamed(name, limit) {
      const rows = await db
        .selectFrom('artifact')
        .select([
          'build_id',
          'uuids',
          'service',
          'version',
          sql<string | null>`json_extract(event, '$.arch')`.as('arch'),
        ])
        .where('account_id', '=', accountId)
        .where('file_name', '=', name)
        .where('kind', 'in', [...ELF_KINDS, 'ios_symbols'])
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute()
      return rows.flatMap(({ build_id, uuids, service, version, arch }) =>
        (build_id === null ? (uuids ?? '').split(',') : [build_id]).map((id) => ({
          id,
          service,
          version,
          ...(arch !== null && { arch }),
        })),
      )
    },
  }
}
