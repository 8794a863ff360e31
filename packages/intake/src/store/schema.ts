import { type Generated, type Kysely, sql } from 'kysely'

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

export interface AuditRow {
  /** Grows with every record. */
  seq: Generated<number>
  account_id: number
  /** Unix milliseconds. */
  created_at: number
  member_id: string
  member_name: string
  request_id: string
  ip: string
  operation: string
  body: string
  /** JSON. */
  params: string
  is_dangerous: number
  is_write: number
}

interface EscalationRuleRow {
  account_id: number
  channel_id: string
  rule_id: string
  /** JSON of the whole rule. */
  document: string
}

interface AutomationRuleRow {
  rule_id: string
  account_id: number
  /** JSON of the whole rule. */
  document: string
  http_post_trigger_id: string | null
  /** Unix milliseconds; null when no schedule is to fire. */
  next_fire_at: number | null
}

interface AutomationRunRow {
  run_id: string
  rule_id: string
  account_id: number
  trigger_kind: string
  trigger_id: string
  input: string
  created_at: number
}

export interface Tables {
  artifact: ArtifactRow
  part: PartRow
  audit_record: AuditRow
  escalation_rule: EscalationRuleRow
  automation_rule: AutomationRuleRow
  automation_run: AutomationRunRow
  /** Made once for the store, such as what signs cursors. */
  secret: { name: string; value: string }
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
