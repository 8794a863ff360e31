import { join } from 'node:path'
import { CompiledQuery, type DatabaseConnection, Kysely, SqliteDialect, SqliteDriver, sql } from 'kysely'
import Libsql from 'libsql'
import type { Database } from './database.ts'
import type { Tables } from './schema.ts'

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
  [
    `create table audit_record (
      seq integer primary key autoincrement, account_id integer not null, created_at integer not null,
      member_id text not null, member_name text not null, request_id text not null, ip text not null, operation text not null,
      body text not null, params text not null, is_dangerous integer not null, is_write integer not null)`,
    'create index audit_record_created_at on audit_record (account_id, created_at)',
    `create table escalation_rule (
      account_id integer not null, channel_id text not null, rule_id text not null, document text not null,
      primary key (account_id, channel_id, rule_id))`,
    `create table automation_rule (
      rule_id text primary key, account_id integer not null, document text not null,
      http_post_trigger_id text unique, next_fire_at integer)`,
    'create index automation_rule_account on automation_rule (account_id)',
    'create index automation_rule_next_fire_at on automation_rule (next_fire_at)',
    `create table automation_run (
      run_id text primary key, rule_id text not null references automation_rule (rule_id) on delete cascade,
      account_id integer not null, trigger_kind text not null, trigger_id text not null, input text not null,
      created_at integer not null)`,
    'create index automation_run_rule on automation_run (account_id, rule_id, run_id)',
    'create table secret (name text primary key, value text not null)',
  ],
  ['create index part_sha256 on part (sha256)'],
  ['create index part_name on part (name)'],
  [
    'create table blob (sha256 text primary key, bytes integer not null, kept_at integer not null)',
    `insert into blob select part.sha256, max(part.bytes), max(artifact.updated_at)
      from part join artifact on artifact.id = part.artifact_id group by part.sha256`,
  ],
]

/** How long a process waits for another one that writes, such as `symup intake gc` beside a running intake. */
const BUSY_MS = 10_000

/** Opens or creates `intake.db` in a directory. */
export async function openSqlite(directory: string): Promise<Database> {
  const config = { database: new Libsql(join(directory, 'intake.db'), { timeout: BUSY_MS }) }
  const dialect = new SqliteDialect(config)
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => new WritingDriver(config),
      createIntrospector: (of) => dialect.createIntrospector(of),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
  })
  await sql`pragma journal_mode = wal`.execute(db)
  // A commit survives the end of the process; only a power cut may take the last ones, as it may the blobs.
  await sql`pragma synchronous = normal`.execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
  await migrate(db)
  return {
    kind: 'sqlite',
    db,
    identify: (identity) => identity,
    // Transactions here run one after another.
    serialize: async () => undefined,
    forUpdate: (query) => query,
    forKeyShare: (query) => query,
    close: () => db.destroy(),
  }
}

/** Takes the right to write at the start: a transaction that reads first could not wait for it later. */
class WritingDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

async function migrate(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(transaction)
    const done = rows[0]?.user_version ?? 0
    for (const statements of MIGRATIONS.slice(done)) {
      for (const statement of statements) await sql.raw(statement).execute(transaction)
    }
    await sql.raw(`pragma user_version = ${Math.max(done, MIGRATIONS.length)}`).execute(transaction)
  })
}
