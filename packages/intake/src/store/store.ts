import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Kysely, SqliteDialect, sql } from 'kysely'
import Database from 'libsql'
import { type Blobs, openBlobs, type StagedBlob } from './blobs.ts'
import { type ArtifactRow, migrate, type Tables } from './schema.ts'

export interface IncomingPart {
  name: string
  filename: string
  blob: StagedBlob
  /** Taken out of another part by the intake; does not count towards the artifact's size. */
  isDerived?: boolean
}

/** What the database knows of an upload before it has an id. */
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
  /** As it was sent. */
  event: Record<string, unknown>
  origin: string | null
  parts: StoredPart[]
  createdAt: number
  updatedAt: number
}

export interface Store {
  db: Kysely<Tables>
  blobs: Blobs
  /** Records an upload whose parts have arrived; the same artifact again replaces the old one. */
  save(id: string, artifact: NewArtifact, parts: readonly IncomingPart[]): Promise<void>
  /** Those of the hashes that are the content of some part of the account. */
  heldContent(accountId: number, hashes: readonly string[]): Promise<Set<string>>
  /** Everything, oldest first. */
  uploads(): Promise<StoredUpload[]>
  readPart(artifactId: string, name: string): Promise<Buffer | undefined>
  close(): Promise<void>
}

/** Opens or creates a store in a directory: `intake.db` for the records, `blobs/` for the files. */
export async function openStore(directory: string): Promise<Store> {
  await mkdir(directory, { recursive: true })
  const blobs = await openBlobs(directory)
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new Database(join(directory, 'intake.db')) }),
  })
  await sql`pragma journal_mode = wal`.execute(db)
  // A commit survives the end of the process; only a power cut may take the last ones, as it may the blobs.
  await sql`pragma synchronous = normal`.execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
  await migrate(db)

  return {
    db,
    blobs,
    async save(id, artifact, parts) {
      // Files first: a record never points to what is not there.
      for (const { blob } of parts) await blobs.keep(blob)
      const now = Date.now()
      const size = parts.reduce((sum, { blob, isDerived }) => sum + (isDerived ? 0 : blob.bytes), 0)
      await db.transaction().execute(async (transaction) => {
        const saved = await transaction
          .insertInto('artifact')
          .values({ ...artifact, id, size, created_at: now, updated_at: now })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'identity']).doUpdateSet({ ...artifact, size, updated_at: now }),
          )
          .returning('id')
          .executeTakeFirstOrThrow()
        await transaction.deleteFrom('part').where('artifact_id', '=', saved.id).execute()
        const rows = parts.map(({ name, filename, blob: { sha256, bytes } }) => ({
          artifact_id: saved.id,
          name,
          filename,
          sha256,
          bytes,
        }))
        await transaction.insertInto('part').values(rows).execute()
      })
    },
    async heldContent(accountId, hashes) {
      if (hashes.length === 0) return new Set()
      const rows = await db
        .selectFrom('part')
        .innerJoin('artifact', 'artifact.id', 'part.artifact_id')
        .select('part.sha256')
        .distinct()
        .where('artifact.account_id', '=', accountId)
        .where('part.sha256', 'in', hashes)
        .execute()
      return new Set(rows.map(({ sha256 }) => sha256))
    },
    async uploads() {
      const artifacts = await db.selectFrom('artifact').selectAll().orderBy('id').execute()
      const parts = await db.selectFrom('part').selectAll().execute()
      return artifacts.map((row) => ({
        id: row.id,
        service: row.service,
        version: row.version,
        event: JSON.parse(row.event) as Record<string, unknown>,
        origin: row.origin,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        parts: parts
          .filter(({ artifact_id }) => artifact_id === row.id)
          .map(({ name, filename, bytes, sha256 }) => ({
            name,
            filename,
            bytes,
            sha256,
            read: () => buffer(blobs.read(sha256)),
          })),
      }))
    },
    async readPart(artifactId, name) {
      const part = await db
        .selectFrom('part')
        .select('sha256')
        .where('artifact_id', '=', artifactId)
        .where('name', '=', name)
        .executeTakeFirst()
      return part && buffer(blobs.read(part.sha256))
    },
    close: () => db.destroy(),
  }
}
