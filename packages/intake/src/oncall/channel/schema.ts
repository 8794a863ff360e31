import { contracted } from '../../platform/wire/contract.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, Instant, OneOf, Optional, PositiveId, type Static, Type } from '../../platform/wire/schema.ts'

const CHANNEL_STATUSES = ['enabled', 'disabled', 'deleted'] as const

/** Also accepts settings that the hosted service stores but that are not in the API contract. */
const Group = contracted<Record<string, unknown>>('Group')
const OpenGroup = Type.Unsafe<Static<typeof Group>>({ ...Group, additionalProperties: true })
const Flapping = contracted<Record<string, unknown>>('Flapping')

export const ChannelItem = contracted<ChannelItem>('ChannelItem')

/** Source of these fields: the service's API reference. */
export const ChannelSettings = Optional({
  team_id: Id,
  managing_team_ids: Type.Array(Id, { maxItems: 100 }),
  channel_name: Type.String({ minLength: 1, maxLength: 59 }),
  description: Type.String({ maxLength: 500 }),
  /** In seconds; 0 turns off automatic resolution. */
  auto_resolve_timeout: Type.Integer({ format: 'int64', minimum: 0, maximum: 2_592_000 }),
  auto_resolve_mode: OneOf(['trigger', 'update']),
  is_private: Type.Boolean(),
  disable_outlier_detection: Type.Boolean(),
  disable_auto_close: Type.Boolean(),
  is_external_report_enabled: Type.Boolean(),
  group: OpenGroup,
  flapping: Flapping,
})

const state = Optional({
  creator_id: Id,
  status: OneOf(CHANNEL_STATUSES),
  deleted_at: Instant,
  created_at: Instant,
  updated_at: Instant,
  progress_to_incident_cnts: Type.Object({ Triggered: Instant, Processing: Instant }),
  /** `Critical`, `Warning` or `Info`; empty if no incident is open. */
  active_incident_highest_severity: Type.String(),
  last_incident_at: Instant,
  starred_by: Type.Array(Id),
})

/** Channel in a seed. Times are Unix timestamps in seconds. */
export const SeededChannel = Type.Extended(ChannelSettings, {
  ...state.properties,
  channel_id: PositiveId,
  channel_name: Type.String({ minLength: 1 }),
})

export type SeededChannel = Static<typeof SeededChannel>
/** Channel in a response. Brief responses contain only the id, name, description and status. */
export interface ChannelItem extends Partial<Omit<SeededChannel, 'starred_by'>> {
  account_id?: Int64
  is_starred?: boolean
}
