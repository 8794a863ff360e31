import { OneOf } from '../wire/schema.ts'

/** What an app key may be granted. Source: the service's specification, §5.4, and the API reference of its further operations. */
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
