// Frozen schemas from when each database had its own list of migrations, one entry per version. Never edit them.

export const OLD_SQLITE: readonly (readonly string[])[] = [
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

export const OLD_POSTGRES: readonly (readonly string[])[] = [
  [
    // Functions with the names that SQLite uses, so that one query works in both databases.
    `create function instr(text, text) returns integer language sql immutable as 'select strpos($1, $2)'`,
    `create function json_extract(document text, place text) returns text language plpgsql immutable strict as $$
      begin
        return jsonb_path_query_first(document::jsonb, place::jsonpath) #>> '{}';
      exception when others then
        return null;
      end $$`,
    `create table artifact (
      id text primary key, account_id bigint not null, identity text not null, kind text not null, platform text not null,
      service text not null, version text not null, path text not null, file_name text not null,
      debug_id text, build_id text, uuids text, git_repository_url text, git_commit_sha text,
      event text not null, origin text, origin_version text, size bigint not null, request_id text not null,
      created_at bigint not null, updated_at bigint not null)`,
    'create unique index artifact_identity on artifact (account_id, identity)',
    'create index artifact_place on artifact (service, version, path)',
    'create index artifact_file_name on artifact (file_name)',
    'create index artifact_debug_id on artifact (debug_id)',
    'create index artifact_build_id on artifact (build_id)',
    'create index artifact_created_at on artifact (account_id, created_at)',
    `create table part (
      artifact_id text not null references artifact (id) on delete cascade, name text not null, filename text not null,
      sha256 text not null, bytes bigint not null, primary key (artifact_id, name))`,
    'create index part_sha256 on part (sha256)',
    'create index part_name on part (name)',
    'create table blob (sha256 text primary key, bytes bigint not null, kept_at bigint not null)',
    `create table audit_record (
      seq bigint generated by default as identity primary key, account_id bigint not null, created_at bigint not null,
      member_id text not null, member_name text not null, request_id text not null, ip text not null, operation text not null,
      body text not null, params text not null, is_dangerous integer not null, is_write integer not null)`,
    'create index audit_record_created_at on audit_record (account_id, created_at)',
    'create index audit_record_seq on audit_record (account_id, seq)',
    `create table escalation_rule (
      account_id bigint not null, channel_id text not null, rule_id text not null, document text not null,
      primary key (account_id, channel_id, rule_id))`,
    `create table automation_rule (
      rule_id text primary key, account_id bigint not null, document text not null,
      http_post_trigger_id text unique, next_fire_at bigint)`,
    'create index automation_rule_account on automation_rule (account_id)',
    'create index automation_rule_next_fire_at on automation_rule (next_fire_at)',
    `create table automation_run (
      run_id text primary key, rule_id text not null references automation_rule (rule_id) on delete cascade,
      account_id bigint not null, trigger_kind text not null, trigger_id text not null, input text not null,
      created_at bigint not null)`,
    'create index automation_run_rule on automation_run (account_id, rule_id, run_id)',
    'create table secret (name text primary key, value text not null)',
    // The format that rate-limiter-flexible uses.
    'create table rate_limit (key varchar(255) primary key, points integer not null default 0, expire bigint)',
  ],
]

export const OLD_POSTGRES_REVISION: readonly string[] = [
  'create table artifact_revision (nth integer primary key, revision bigint not null)',
  'create function artifact_changed() returns trigger language plpgsql as $$ begin return null; end $$',
  ...['artifact', 'part'].map(
    (table) => `create constraint trigger ${table}_changed after insert or update or delete on ${table}
      deferrable initially deferred for each row execute function artifact_changed()`,
  ),
]
