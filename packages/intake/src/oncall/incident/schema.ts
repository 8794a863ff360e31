import {
  Anything,
  Id,
  Instant,
  Nullable,
  ObjectId,
  OneOf,
  Optional,
  type Static,
  Type,
} from '../../platform/wire/schema.ts'
import { SEVERITIES } from '../automation-rule/schema.ts'

// Incident times are Unix timestamps in seconds, but timeline times are in milliseconds. Source of the fields: the service's API reference.

export const PROGRESSES = ['Triggered', 'Processing', 'Closed'] as const

export const IncidentIds = Type.Array(ObjectId, { minItems: 1, maxItems: 100 })

const assignment = {
  person_ids: Type.Array(Id),
  escalate_rule_id: ObjectId,
  layer_idx: Type.Integer(),
  emails: Type.Array(Type.String({ format: 'email' })),
}

export const Assignment = Optional({
  ...assignment,
  type: OneOf(['', 'assign', 'reassign', 'escalate', 'reopen']),
})

const AssignedTo = Optional({
  ...assignment,
  type: Type.String(),
  escalate_rule_name: Type.String(),
  assigned_at: Instant,
  id: Type.String(),
})

const Responder = Type.Object({
  person_id: Id,
  assigned_at: Instant,
  acknowledged_at: Instant,
  person_name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  as: Type.Optional(Type.String()),
})

const Person = Optional({ person_id: Id, person_name: Type.String(), email: Type.String(), as: Type.String() })

const Stored = Type.Object({
  incident_id: ObjectId,
  /** 0 if the incident belongs to no channel. */
  channel_id: Id,
  title: Type.String(),
  description: Type.String(),
  incident_severity: OneOf(SEVERITIES),
  progress: OneOf(PROGRESSES),
  start_time: Instant,
  /** 0 while the incident is open. */
  end_time: Instant,
  /** 0 until a member acknowledges the incident. */
  ack_time: Instant,
  close_time: Instant,
  creator_id: Id,
  closer_id: Id,
  snoozed_before: Instant,
  impact: Type.String(),
  root_cause: Type.String(),
  resolution: Type.String(),
  fields: Anything,
  assigned_to: AssignedTo,
  responders: Type.Array(Responder),
  created_at: Instant,
  updated_at: Instant,
})

export type Incident = Static<typeof Stored>

const WithOk = OneOf([...SEVERITIES, 'Ok'])

export const IncidentItem = Type.Object({
  ...Stored.properties,
  /** Last six digits of the incident's id, in uppercase. */
  num: Type.String(),
  account_id: Id,
  account_name: Type.String(),
  account_locale: Type.String(),
  account_time_zone: Type.String(),
  channel_name: Type.String(),
  channel_status: Type.String(),
  /** Always 0, because incidents in the intake have no integrations. */
  integration_id: Id,
  integration_ids: Type.Array(Id),
  integration_types: Type.Array(Type.String()),
  dedup_key: Type.String(),
  equals_md5: Type.String(),
  ai_summary: Type.String(),
  incident_severity: WithOk,
  /** `Ok` for a closed incident; otherwise its severity. */
  incident_status: WithOk,
  last_time: Instant,
  creator: Type.Optional(Person),
  closer: Type.Optional(Person),
  owner_id: Id,
  group_method: OneOf(['i', 'p', 'n']),
  ever_muted: Type.Boolean(),
  labels: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  alert_cnt: Type.Integer(),
  active_alert_cnt: Type.Integer(),
  alert_event_cnt: Type.Integer(),
  detail_url: Type.String(),
  silence_url: Type.String(),
  post_mortem_id: Type.String(),
  images: Nullable(Type.Array(Anything)),
  manual_overrides: Type.Array(Type.String()),
})

export const SeededIncident = Type.Object({
  incident_id: ObjectId,
  title: Type.String(),
  severity: OneOf(SEVERITIES),
  start_time: Instant,
  channel_id: Type.Optional(Id),
  description: Type.Optional(Type.String()),
  /** Default: `Triggered`. */
  progress: Type.Optional(OneOf(PROGRESSES)),
  /** Ids of the responders. */
  person_ids: Type.Optional(Type.Array(Id)),
})

export const EVENT_TYPES = [
  'i_new',
  'i_assign',
  'i_a_rspd',
  'i_snooze',
  'i_wake',
  'i_ack',
  'i_unack',
  'i_comm',
  'i_rslv',
  'i_reopen',
  'i_merge',
  'i_r_title',
  'i_r_desc',
  'i_r_impact',
  'i_r_rc',
  'i_r_rsltn',
  'i_r_severity',
  'i_r_field',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export const IncidentEvent = Type.Object({
  ref_id: ObjectId,
  type: OneOf(EVENT_TYPES),
  /** Contains `{from, to}`, `{comment}` or `{minutes}`, depending on the type of the entry. */
  detail: Anything,
  account_id: Id,
  creator_id: Id,
  /** Unix time in milliseconds. */
  created_at: Instant,
  updated_at: Instant,
})

export type IncidentItem = Static<typeof IncidentItem>
export type SeededIncident = Static<typeof SeededIncident>
export type IncidentEvent = Static<typeof IncidentEvent>
