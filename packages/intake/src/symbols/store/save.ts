import type { Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
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

/** What the same artifact keeps when it comes again. */
const KEPT: ReadonlySet<string> = new Set(['id', 'created_at'])

/** Writes an artifact, or the same one anew. @returns its id, which is the old one's then. */
export async function saveArtifact(
  { statements }: Database,
  transaction: Transaction<Tables>,
  row: ArtifactRow,
): Promise<string> {
  const columns = (Object.keys(row) as (keyof ArtifactRow)[]).sort()
  const sorted = Object.fromEntries(columns.map((column) => [column, row[column]])) as unknown as ArtifactRow
  const replaced = columns.filter((column) => !KEPT.has(column))
  const { rows } = await statements.run(transaction, `artifact ${columns}`, Object.values(sorted), () =>
    transaction
      .insertInto('artifact')
      .values(sorted)
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'identity'])
          .doUpdateSet(({ ref }) => Object.fromEntries(replaced.map((column) => [column, ref(`excluded.${column}`)]))),
      )
      .returning('id'),
  )
  return (rows[0] as { id: string }).id
}

/** Writes the parts of an artifact in place of those that it had. @param isNew it has none. */
export async function saveParts(
  { statements }: Database,
  transaction: Transaction<Tables>,
  artifactId: string,
  parts: readonly IncomingPart[],
  isNew: boolean,
): Promise<void> {
  if (!isNew)
    await statements.run(transaction, 'no parts', [artifactId], () =>
      transaction.deleteFrom('part').where('artifact_id', '=', artifactId),
    )
  const rows: PartRow[] = parts.map(({ name, filename, blob: { sha256, bytes } }) => ({
    artifact_id: artifactId,
    name,
    filename,
    sha256,
    bytes,
  }))
  await statements.run(transaction, `parts ${rows.length}`, rows.flatMap(Object.values), () =>
    transaction.insertInto('part').values(rows),
  )
}
