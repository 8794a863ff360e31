import type { Migration } from '../platform/database/migrations.ts'

export const ONCALL_MIGRATIONS: readonly Migration[] = [
  {
    step: 2,
    statements: ({ integer, serial, isPostgres }) => [
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
    ],
  },
  {
    step: 6,
    statements: ({ integer }) => [
      `create table seeded (
        account_id ${integer} not null, kind text not null, id text not null, digest text not null,
        primary key (account_id, kind, id))`,
    ],
  },
  {
    step: 7,
    statements: ({ integer, serial }) => [
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
  },
]
