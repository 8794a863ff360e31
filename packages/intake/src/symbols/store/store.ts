import { readFile } from 'node:fs/promises'
import { INDEX_PART } from '@symup/symbolicate'
import type { Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { ArtifactRow, PartRow, Tables } from '../../platform/database/schema.ts'
import { withPackage } from '../../platform/start-error.ts'
import { type Blobs, SMALL_BYTES, type StagedBlob } from './blobs.ts'
import { record } from './record.ts'
import { openStaging } from './staging.ts'

/**
 * @param address `s3://bucket/prefix?endpoint=…`. Default: files in the directory, and small content in the SQLite database.
 * @throws if the address is invalid or the package `minio` is not installed.
 */
async function openBlobs(directory: string, database: Database, address?: string): Promise<Blobs> {
  if (address === undefined) {
    const { diskBlobs } = await import('./disk-blobs.ts')
    const hasRows = database.kind === 'sqlite'
    return diskBlobs(directory, await openStaging(directory, hasRows ? SMALL_BYTES : 0), database)
  }
  const { s3Blobs } = await withPackage('minio', 'A store at s3://', () => import('./s3-blobs.ts'))
  const staging = await openStaging(directory)
  try {
    return s3Blobs(address, staging)
  } catch (error) {
    await staging.close()
    throw error
  }
}

export interface IncomingPart {
  name: string
  filename: string
  blob: StagedBlob
  /** Whether the intake extracted this part from another part. Extracted parts do not count towards the size of the artifact. */
  isDerived?: boolean
}

export type NewArtifact = Omit<ArtifactRow, 'id' | 'created_at' | 'updated_at' | 'size'>

export interface StoredPart {
  name: string
  filename: string
  bytes: number
  sha256: string
  read(): Promise<Buffer>
}

export interface StoredUpload {
  id: string
  service: string
  version: string
  event: Record<string, unknown>
  origin: string | null
  parts: StoredPart[]
  createdAt: number
  updatedAt: number
}

export type Store = Awaited<ReturnType<typeof storeOver>>

export async function storeOver(database: Database, directory: string, address?: string) {
  const blobs = await openBlobs(directory, database, address)
  const { db } = database
  const readBlob = async (sha256: string) => readFile(await blobs.localPath(sha256))

  return {
    database,
    db,
    blobs,
    /**
     * Stores staged content, writes the records for it in one transaction, and then discards the staged content.
     * @param write may be called again in a new transaction.
     */
    record: (staged: readonly StagedBlob[], write: (transaction: Transaction<Tables>) => Promise<void>) =>
      record(database, blobs, staged, write),
    /**
     * Creates an artifact or replaces an existing artifact, which keeps its id.
     * @returns the id of the artifact.
     */
    async save(id: string, { identity, ...artifact }: NewArtifact, parts: readonly IncomingPart[]) {
      const now = Date.now()
      const size = parts.reduce((sum, { blob, isDerived }) => sum + (isDerived ? 0 : blob.bytes), 0)
      const row = { ...artifact, identity: database.identify(identity) }
      const replaced = { ...row, size, updated_at: now }
      const staged = parts.map(({ blob }) => blob)
      let savedId = id
      await record(database, blobs, staged, async (transaction) => {
        await database.adopt?.(transaction, artifact.account_id, identity)
        const saved = transaction
          .insertInto('artifact')
          .values({ ...replaced, id, created_at: now })
          .onConflict((conflict) => conflict.columns(['account_id', 'identity']).doUpdateSet(replaced))
          .returning('id')
        savedId = (await saved.executeTakeFirstOrThrow()).id
        if (savedId !== id) await transaction.deleteFrom('part').where('artifact_id', '=', savedId).execute()
        const rows = parts.map(({ name, filename, blob: { sha256, bytes } }) => {
          return { artifact_id: savedId, name, filename, sha256, bytes }
        })
        await transaction.insertInto('part').values(rows).execute()
      })
      return savedId
    },
    async heldContent(accountId: number, hashes: readonly string[]): Promise<Set<string>> {
      if (hashes.length === 0) return new Set()
      // Reads only the first matching part. One part is sufficient, and the same library may be in every release of the account.
      const rows = await db
        .selectFrom('blob')
        .select('sha256')
        .where('sha256', 'in', hashes)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('part')
              .innerJoin('artifact', 'artifact.id', 'part.artifact_id')
              .select('part.name')
              .whereRef('part.sha256', '=', 'blob.sha256')
              .where('artifact.account_id', '=', accountId),
          ),
        )
        .execute()
      return new Set(rows.map(({ sha256 }) => sha256))
    },
    async uploads(): Promise<StoredUpload[]> {
      const artifacts = await database.scans.selectFrom('artifact').selectAll().orderBy('id').execute()
      const partsOf = new Map<string, PartRow[]>(artifacts.map(({ id }) => [id, []]))
      for (const part of await database.scans.selectFrom('part').selectAll().execute())
        partsOf.get(part.artifact_id)?.push(part)
      return artifacts.map((row) => ({
        id: row.id,
        service: row.service,
        version: row.version,
        event: JSON.parse(row.event) as Record<string, unknown>,
        origin: row.origin,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        parts: (partsOf.get(row.id) ?? [])
          .filter(({ name }) => name !== INDEX_PART)
          .map(({ name, filename, bytes, sha256 }) => ({
            name,
            filename,
            bytes,
            sha256,
            read: () => readBlob(sha256),
          })),
      }))
    },
    async readPart(artifactId: string, name: string) {
      const part = await db
        .selectFrom('part')
        .select('sha256')
        .where('artifact_id', '=', artifactId)
        .where('name', '=', name)
        .executeTakeFirst()
      return part && readBlob(part.sha256)
    },
    async close() {
      await database.close()
      await blobs.close()
    },
  }
}
