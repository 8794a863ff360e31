import { contracted } from '../../platform/wire/contract.ts'
import {
  Anything,
  Id,
  Instant,
  Nullable,
  OneOf,
  Optional,
  PositiveId,
  type Static,
  Type,
} from '../../platform/wire/schema.ts'

export const SEVERITIES = ['Critical', 'Warning', 'Info'] as const
const ENVIRONMENT_KINDS = ['', 'cloud', 'byoc'] as const
/** `debug` means that a member started the run manually. */
export const TRIGGER_KINDS = ['schedule', 'http_post', 'oncall_incident', 'debug'] as const
export const RUN_STATUSES = [
  'queued',
  'running',
  'retrying',
  'succeeded',
  'partial',
  'failed',
  'skipped',
  'abandoned',
] as const

export type Severity = (typeof SEVERITIES)[number]
export type RunStatus = (typeof RUN_STATUSES)[number]
export type TriggerKind = (typeof TRIGGER_KINDS)[number]

export const RuleId = Type.String({ minLength: 1, maxLength: 64 })

const PROMPT_LENGTH = 100_000
const Cron = Type.String({ maxLength: 255 })
const TeamId = Type.Unsafe<number | bigint>({ type: 'integer', format: 'int64', minimum: 0 })

/** Fields that callers can set. `null` means absent. */
const changes = {
  name: Nullable(Type.String({ minLength: 1, maxLength: 255 })),
  /** 0 for personal rules. */
  team_id: Nullable(TeamId),
  enabled: Nullable(Type.Boolean()),
  cron_expr: Nullable(Cron),
  /** IANA time zone name. Default: UTC. */
  timezone: Nullable(Type.String({ maxLength: 64, format: 'timezone' })),
  schedule_trigger_enabled: Nullable(Type.Boolean()),
  prompt: Nullable(Type.String({ maxLength: PROMPT_LENGTH })),
  environment_kind: Nullable(OneOf(ENVIRONMENT_KINDS)),
  environment_id: Nullable(Type.String({ maxLength: 255 })),
  http_post_trigger_enabled: Nullable(Type.Boolean()),
  oncall_incident_trigger_enabled: Nullable(Type.Boolean()),
  oncall_incident_channel_ids: Nullable(Type.Array(PositiveId, { maxItems: 1000 })),
  oncall_incident_severities: Nullable(Type.Array(OneOf(SEVERITIES), { maxItems: 100 })),
  rotate_http_post_trigger_token: Nullable(Type.Boolean()),
}

export const AutomationRuleUpdate = Type.Extended(Optional(changes), { rule_id: RuleId })

const { rotate_http_post_trigger_token: _, ...creatable } = changes
export const AutomationRuleCreate = Type.Extended(Optional(creatable), {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  prompt: Type.String({ minLength: 1, maxLength: PROMPT_LENGTH }),
  cron_expr: Cron,
})

const TriggerId = Type.String({ pattern: '^[0-9A-Za-z_-]{1,64}$' })

/** Rules in seeds are enabled by default. */
export const SeededAutomationRule = Type.Extended(AutomationRuleCreate, {
  rule_id: Type.String({ pattern: '^arule_[0-9A-Za-z]+$' }),
  owner_id: Id,
  /** By default, the ids are random. The URL of the HTTP POST trigger contains the trigger's id. */
  schedule_trigger_id: Type.Optional(TriggerId),
  http_post_trigger_id: Type.Optional(TriggerId),
  oncall_incident_trigger_id: Type.Optional(TriggerId),
  /** Token of the HTTP POST trigger, if `http_post_trigger_enabled` is true. Default: a random token. */
  http_post_token: Type.Optional(Type.String({ minLength: 8 })),
})

export const AutomationRuleItem = contracted('AutomationRuleItem')

export const AutomationRunItem = Type.Object({
  run_id: Type.String(),
  rule_id: Type.String(),
  account_id: Id,
  trigger_kind: OneOf(TRIGGER_KINDS),
  trigger_id: Type.String(),
  /** The intake does not run prompts, so each run is immediately `succeeded`. */
  status: OneOf(RUN_STATUSES),
  kind: Type.String(),
  attempts: Type.Integer(),
  error_code: Type.String(),
  error_message: Type.String(),
  occurrence_key: Type.String(),
  result_json: Anything,
  stats_json: Anything,
  duration_ms: Instant,
  started_at: Instant,
  completed_at: Instant,
  updated_at: Instant,
  /** Cause of the run as JSON: either the body of the trigger request or the incident. */
  input: Type.String(),
  created_at: Instant,
})

export type AutomationRuleUpdate = Static<typeof AutomationRuleUpdate>
export type AutomationRuleCreate = Static<typeof AutomationRuleCreate>
export type SeededAutomationRule = Static<typeof SeededAutomationRule>
export type AutomationRunItem = Static<typeof AutomationRunItem>
