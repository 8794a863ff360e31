import { Id, Instant, OneOf, PositiveId, type Static, Type } from '../wire/schema.ts'

/** Sources: §5.4 of the service's specification, and the API reference. */
export const PERMISSIONS = [
  'Audit Read',
  'Schedules Read',
  'Schedules Manage',
  'Datasources Read',
  'Channels Manage',
  'Incidents Read',
  'Incidents Manage',
  'Teams Manage',
] as const

export type Permission = (typeof PERMISSIONS)[number]

export const PermissionName = OneOf(PERMISSIONS)

const Key = Type.String({ minLength: 8, maxLength: 200 })

export const SeededMember = Type.Object({
  person_id: PositiveId,
  name: Type.String({ minLength: 1 }),
  role: OneOf(['owner', 'admin', 'member']),
  team_ids: Type.Optional(Type.Array(PositiveId)),
  email: Type.Optional(Type.String({ format: 'email' })),
  /** Unix time in seconds. */
  created_at: Type.Optional(Instant),
  updated_at: Type.Optional(Instant),
})

const SeededTeam = Type.Object({
  team_id: PositiveId,
  name: Type.String({ minLength: 1 }),
  description: Type.Optional(Type.String()),
  /** Id of the team in another system. */
  ref_id: Type.Optional(Type.String()),
  creator_id: Type.Optional(Id),
  updated_by: Type.Optional(Id),
  /** Unix time in seconds. */
  created_at: Type.Optional(Instant),
  updated_at: Type.Optional(Instant),
})

/** Rooms add their resources to this schema. */
export const seededAccount = {
  /** Ids must be smaller than 2^53. */
  account_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  name: Type.String({ minLength: 1 }),
  /** IANA time zone name for schedules that do not set one. Default: UTC. */
  timezone: Type.Optional(Type.String({ format: 'timezone' })),
  /** Audit records that are older than this number of days are hidden and deleted. Default: 30. */
  audit_retention_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  teams: Type.Optional(Type.Array(SeededTeam)),
  members: Type.Array(SeededMember, { minItems: 1 }),
  /** Keys for JSON operations. Each key acts on behalf of its member. */
  app_keys: Type.Optional(
    Type.Array(Type.Object({ key: Key, person_id: PositiveId, permissions: Type.Array(PermissionName) })),
  ),
  upload_keys: Type.Optional(Type.Array(Key)),
}

const Account = Type.Object(seededAccount)
export type SeededAccount = Static<typeof Account>
export type SeededMember = Static<typeof SeededMember>
export type SeededTeam = Static<typeof SeededTeam>
