import type { Transaction } from 'kysely'
import type { ArtifactRow, PartRow, Tables } from '../../platform/database/schema.ts'
import type { StagedBlob } from './blobs.ts'

/** A received part of an upload. */
export interface IncomingPart {
  name: string
  filename: string
  blob: StagedBlob
  /** The intake extracted it from another part. It does not count towards the artifact's size. */
  isDerived?: boolean
}

/** Writes a new artifact, or replaces the same one. @returns its id. A replaced artifact keeps its id. */
export async function saveArtifact(transaction: Transaction<Tables>, row: ArtifactRow): Promise<string> {
  const { id: _, created_at: __, ...replaced } = row
  const saved = transaction
    .insertInto('artifact')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'identity']).doUpdateSet(replaced))
    .returning('id')
  return (await saved.executeTakeFirstOrThrow()).id
}

/** Replaces the parts of an artifact. @param isNew if true, it has no parts yet. */
export async function saveParts(
  transaction: Transaction<Tables>,
  artifactId: string,
  parts: readonly IncomingPart[],
  isNew: boolean,
): Promise<void> {
  if (!isNew) await transaction.deleteFrom('part').where('artifact_id', '=', artifactId).execute()
  const rows: PartRow[] = parts.map(({ name, filename, blob: { sha256, bytes } }) => ({
    artifact_id: artifactId,
    name,
    filename,
    sha256,
    bytes,
  }))
  await transaction.insertInto('part').values(rows).execute()
}
