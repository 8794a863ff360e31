import type { ColumnType, Generated } from 'kysely'

export interface ArtifactRow {
  id: string
  account_id: number
  /** Uploads with the same identity are treated as the same artifact. */
  identity: string
  kind: string
  platform: string
  service: string
  version: string
  /** URL path of a JavaScript file; empty for other kinds of files. */
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
  /** Size of all parts, in bytes. */
  size: number
  request_id: string
  /** Unix time in milliseconds. */
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
  /** Later records have higher numbers. */
  seq: Generated<number>
  account_id: number
  /** Unix time in milliseconds. */
  created_at: number
  member_id: string
  member_name: string
  request_id: string
  ip: string
  operation: string
  body: string
  params: string
  is_dangerous: number
  is_write: number
}

interface EscalationRuleRow {
  account_id: number
  channel_id: string
  rule_id: string
  document: string
}

interface AutomationRuleRow {
  rule_id: string
  account_id: number
  document: string
  http_post_trigger_id: string | null
  /** Unix time in milliseconds; null if no run is scheduled. */
  next_fire_at: number | null
}

export interface AutomationRunRow {
  run_id: string
  rule_id: string
  account_id: number
  trigger_kind: string
  trigger_id: string
  input: string
  created_at: number
}

/** Content in the blob store. The row exists for exactly as long as the content. */
interface BlobRow {
  sha256: string
  bytes: number
  /** Unix time in milliseconds. */
  kept_at: number
  /** The content if it is small and the database is on the same disk as the files; otherwise null. */
  content: ColumnType<Uint8Array | null, Uint8Array | null | undefined>
}

export const RESOURCE_KINDS = ['team', 'member', 'channel', 'schedule', 'datasource'] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

export interface ResourceRow {
  account_id: number
  kind: ResourceKind
  id: string
  /** JSON in the seed format. */
  document: string
}

export interface IncidentRow {
  incident_id: string
  account_id: number
  channel_id: string
  progress: string
  severity: string
  /** Unix time in seconds. */
  start_time: number
  document: string
}

interface IncidentEventRow {
  /** Later entries have higher numbers. */
  seq: Generated<number>
  account_id: number
  incident_id: string
  type: string
  document: string
}

/** Marks an entry in a seed as applied. The mark is kept even if the rows from the entry are deleted. */
interface SeededRow {
  account_id: number
  kind: 'automation_rule' | 'escalation_rule' | 'incident' | ResourceKind
  id: string
  digest: string
}

export interface Tables {
  seeded: SeededRow
  artifact: ArtifactRow
  part: PartRow
  blob: BlobRow
  audit_record: AuditRow
  escalation_rule: EscalationRuleRow
  automation_rule: AutomationRuleRow
  automation_run: AutomationRunRow
  resource: ResourceRow
  incident: IncidentRow
  incident_event: IncidentEventRow
  /** Used only by older versions, which stored the key for signing cursors in this table. */
  secret: { name: string; value: string }
}
