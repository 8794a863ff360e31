import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Tables } from './schema.ts'

/** Where the two databases need other words. */
export interface Dialect {
  /** A whole number of up to 64 bits. */
  integer: string
  /** A primary key that grows with every row. */
  serial: string
  isPostgres: boolean
}

/** Each runs once, in order; a landed one is never edited. */
export const MIGRATIONS: readonly ((dialect: Dialect) => string[])[] = [
  ({ integer, isPostgres }) => [
    ...(isPostgres ? POSTGRES_FUNCTIONS : []),
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
  ({ integer, serial, isPostgres }) => [
    `create table audit_record (
      seq ${serial}, account_id ${integer} not null, created_at ${integer} not null,
      member_id text not null, member_name text not null, request_id text not null, ip text not null, operation text not null,
      body text not null, params text not null, is_dangerous integer not null, is_write integer not null)`,
    'create index audit_record_created_at on audit_record (account_id, created_at)',
    ...(isPostgres ? ['create index audit_record_seq on audit_record (account_id, seq)'] : []),
    `create table escalation_rule (
      account_id ${integer} not null, channel_id text not null, rule_id text not null, document text not null,
      primary key (account_id, channel_id, rule_id))`,
    `create table automation_rule (
      rule_id text primary key, account_id ${integer} not null, document text not null,
      http_post_trigger_id text unique, next_fire_at ${integer})`,
    'create index automation_rule_account on automation_rule (account_id)',
    'create index automation_rule_next_fire_at on automation_rule (next_fire_at)',
    `create table automation_run (
      run_id text primary key, rule_id text not null references automation_rule (rule_id) on delete cascade,
      account_id ${integer} not null, trigger_kind text not null, trigger_id text not null, input text not null,
      created_at ${integer} not null)`,
    'create index automation_run_rule on automation_run (account_id, rule_id, run_id)',
    'create table secret (name text primary key, value text not null)',
    // As rate-limiter-flexible reads it.
    ...(isPostgres
      ? ['create table rate_limit (key varchar(255) primary key, points integer not null default 0, expire bigint)']
      : []),
  ],
  () => ['create index part_sha256 on part (sha256)'],
  () => ['create index part_name on part (name)'],
  ({ integer }) => [
    `create table blob (sha256 text primary key, bytes ${integer} not null, kept_at ${integer} not null)`,
    `insert into blob select part.sha256, max(part.bytes), max(artifact.updated_at)
      from part join artifact on artifact.id = part.artifact_id group by part.sha256`,
  ],
  ({ integer }) => [
    `create table seeded (
      account_id ${integer} not null, kind text not null, id text not null, digest text not null,
      primary key (account_id, kind, id))`,
  ],
  ({ integer, serial }) => [
    `create table resource (
      account_id ${integer} not null, kind text not null, id text not null, document text not null,
      primary key (account_id, kind, id))`,
    `create table resource_revision (account_id ${integer} primary key, revision ${integer} not null)`,
    `create table incident (
      incident_id text primary key, account_id ${integer} not null, channel_id text not null, progress text not null,
      severity text not null, start_time ${integer} not null, document text not null)`,
    'create index incident_start_time on incident (account_id, start_time)',
    'create index incident_channel on incident (account_id, channel_id)',
    `create table incident_event (
      seq ${serial}, account_id ${integer} not null, incident_id text not null references incident (incident_id) on delete cascade,
      type text not null, document text not null)`,
    'create index incident_event_incident on incident_event (incident_id)',
  ],
  ({ isPostgres }) => [`alter table blob add column content ${isPostgres ? 'bytea' : 'blob'}`],
  ({ isPostgres }) => (isPostgres ? POSTGRES_REVISION : []),
  // Every query is about one account. Without it in the index SQLite takes the index of all its artifacts.
  ({ isPostgres }) => [
    ...(isPostgres ? NO_POSTGRES_REVISION : []),
    ...['place', 'file_name', 'debug_id', 'build_id'].map((name) => `drop index artifact_${name}`),
    'create index artifact_place on artifact (account_id, service, version, path)',
    'create index artifact_file_name on artifact (account_id, file_name, updated_at)',
    'create index artifact_debug_id on artifact (account_id, debug_id)',
    'create index artifact_build_id on artifact (account_id, build_id)',
    'create index artifact_kind on artifact (account_id, kind, service, version, updated_at)',
  ],
]

/** How many of the migrations a PostgreSQL that counts one has had: when each database had a list of its own, these were its first. */
export const FIRST_OF_POSTGRES = 5

/** What SQLite has by these names, so that one query serves both. */
const POSTGRES_FUNCTIONS = [
  `create function instr(text, text) returns integer language sql immutable as 'select strpos($1, $2)'`,
  `create function json_extract(document text, place text) returns text language plpgsql immutable strict as $$
    begin
      return jsonb_path_query_first(document::jsonb, place::jsonpath) #>> '{}';
    exception when others then
      return null;
    end $$`,
]

/**
 * Every transaction that changes artifacts or parts, whoever sends it, puts another number in one of these rows. It does so last, so that nobody who
 * waits for the row holds one that its owner may want; there are several rows, so that few wait. The numbers are random: after a fail-over to a copy
 * that lacks the newest ones, none may come again for other contents.
 */
const POSTGRES_REVISION = [
  'create table artifact_revision (nth integer primary key, revision bigint not null)',
  'insert into artifact_revision select nth, 0 from generate_series(0, 15) nth',
  `create function artifact_changed() returns trigger language plpgsql as $$
    begin
      if current_setting('symup.changed', true) is distinct from txid_current()::text then
        update artifact_revision set revision = (random() * 9007199254740991)::bigint where nth = pg_backend_pid() % 16;
        perform set_config('symup.changed', txid_current()::text, true);
      end if;
      return null;
    end $$`,
  ...['artifact', 'part'].map(
    (table) => `create constraint trigger ${table}_changed after insert or update or delete on ${table}
      deferrable initially deferred for each row execute function artifact_changed()`,
  ),
]

const NO_POSTGRES_REVISION = [
  ...['artifact', 'part'].map((table) => `drop trigger ${table}_changed on ${table}`),
  'drop function artifact_changed()',
  'drop table artifact_revision',
]

/** Runs the migrations that come after the first `done`. */
export async function runMigrations(transaction: Kysely<Tables>, dialect: Dialect, done: number): Promise<void> {
  for (const migration of MIGRATIONS.slice(done)) {
    for (const statement of migration(dialect)) await sql.raw(statement).execute(transaction)
  }
}
