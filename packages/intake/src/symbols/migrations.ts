import type { Migration } from '../platform/database/migrations.ts'

export const SYMBOL_MIGRATIONS: readonly Migration[] = [
  {
    step: 1,
    statements: ({ integer }) => [
      `create table artifact (
        id text primary key, account_id ${integer} not null, identity text not null, kind text not null, platform text not null,
        service text not null, version text not null, path text not null, file_name text not null,
        debug_id text, build_id text, uuids text, git_repository_url text, git_commit_sha text,
        event text not null, origin text, origin_version text, size ${integer} not null, request_id text not null,
        created_at ${integer} not null, updated_at ${integer} not null)`,
      'create unique index artifact_identity on artifact (account_id, identity)',
      'create index artifact_place on artifact (service, version, path)',
      'create index artifact_file_name on artifact (file_name)',
      'create index artifact_debug_id on artifact (debug_id)',
      'create index artifact_build_id on artifact (build_id)',
      'create index artifact_created_at on artifact (account_id, created_at)',
      `create table part (
        artifact_id text not null references artifact (id) on delete cascade, name text not null, filename text not null,
        sha256 text not null, bytes ${integer} not null, primary key (artifact_id, name))`,
    ],
  },
  { step: 3, statements: () => ['create index part_sha256 on part (sha256)'] },
  { step: 4, statements: () => ['create index part_name on part (name)'] },
  {
    step: 5,
    statements: ({ integer }) => [
      `create table blob (sha256 text primary key, bytes ${integer} not null, kept_at ${integer} not null)`,
      `insert into blob select part.sha256, max(part.bytes), max(artifact.updated_at)
        from part join artifact on artifact.id = part.artifact_id group by part.sha256`,
    ],
  },
  {
    step: 8,
    statements: ({ isPostgres }) => [`alter table blob add column content ${isPostgres ? 'bytea' : 'blob'}`],
  },
  // Queries always select a single account. Without the account in these indexes, SQLite would choose an index that reads all artifacts in
  // the account.
  {
    step: 10,
    statements: ({ isPostgres }) => [
      ...(isPostgres ? NO_POSTGRES_REVISION : []),
      ...['place', 'file_name', 'debug_id', 'build_id'].map((name) => `drop index artifact_${name}`),
      'create index artifact_place on artifact (account_id, service, version, path)',
      'create index artifact_file_name on artifact (account_id, file_name, updated_at)',
      'create index artifact_debug_id on artifact (account_id, debug_id)',
      'create index artifact_build_id on artifact (account_id, build_id)',
      'create index artifact_kind on artifact (account_id, kind, service, version, updated_at)',
    ],
  },
]

/** Drops the tables and triggers that a former step 9 added to PostgreSQL. */
const NO_POSTGRES_REVISION = [
  ...['artifact', 'part'].map((table) => `drop trigger if exists ${table}_changed on ${table}`),
  'drop function if exists artifact_changed()',
  'drop table if exists artifact_revision',
]
