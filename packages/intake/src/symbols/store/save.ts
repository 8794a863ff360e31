import type { Transaction } from 'kysely'
import type { ArtifactRow, PartRow, Tables } from '../../platform/database/schema.ts'
import type { StagedBlob } from './blobs.ts'

/** A part of an upload that has arrived. */
export interface IncomingPart {
  name: string
  filename: string
  blob: StagedBlob
  /** Taken out of another part by the intake; does not count towards the artifact's size. */
  isDerived?: boolean
}

/** Writes an artifact, or the same one anew. @returns its id, which is the old one's then. */
export async function saveArtifact(transaction: Transaction<Tables>, row: ArtifactRow): Promise<string> {
  const { id: _, created_at: __, ...replaced } = row
  const saved = transaction
    .insertInto('artifact')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'identity']).doUpdateSet(replaced))
    .returning('id')
  return (await saved.executeTakeFirstOrThrow()).id
}

/** Writes the parts of an artifact in place of those that it had. @param isNew it has none. */
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
