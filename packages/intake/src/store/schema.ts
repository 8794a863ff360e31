import { type Kysely, sql } from 'kysely'

export interface ArtifactRow {
  id: string
  account_id: number
  /** What makes a re-upload the same artifact. */
  identity: string
  kind: string
  platform: string
  service: string
  version: string
  /** URL path of a JavaScript file; '' for other kinds. */
  path: string
  file_name: string
  debug_id: string | null
  build_id: string | null
  uuids: string | null
  git_repository_url: string | null
  git_commit_sha: string | null
  event: string
  origin: string | null
  origin_version: string | null
  /** Bytes of all parts. */
  size: number
  request_id: string
  /** Unix milliseconds. */
  created_at: number
  updated_at: number
}

export interface PartRow {
  artifact_id: string
  name: string
  filename: string
  sha256: string
  bytes: number
}

export interface Tables {
  artifact: ArtifactRow
  part: PartRow
}

/** Each runs once, in order; a landed one is never edited. */
const MIGRATIONS: readonly string[][] = [
  [
    `create table artifact (
      id text primary key, account_id integer not null, identity text not null, kind text not null, platform text not null,
      service text not null, version text not null, path text not null, file_name text not null,
      debug_id text, build_id text, uuids text, git_repository_url text, git_commit_sha text,
      event text not null, origin text, origin_version text, size integer not null, request_id text not null,
      created_at integer not null, updated_at integer not null)`,
    'create unique index artifact_identity on artifact (account_id, identity)',
    'create index artifact_place on artifact (service, version, path)',
    'create index artifact_file_name on artifact (file_name)',
    'create index artifact_debug_id on artifact (debug_id)',
    'create index artifact_build_id on artifact (build_id)',
    'create index artifact_created_at on artifact (account_id, created_at)',
    `create table part (
      artifact_id text not null references artifact (id) on delete cascade, name text not null, filename text not null,
      sha256 text not null, bytes integer not null, primary key (artifact_id, name))`,
  ],
]

export async function migrate(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(transaction)
    const done = rows[0]?.user_version ?? 0
    for (const statements of MIGRATIONS.slice(done)) {
      for (const statement of statements) await sql.raw(statement).execute(transaction)
    }
    await sql.raw(`pragma user_version = ${MIGRATIONS.length}`).execute(transaction)
  })
}
