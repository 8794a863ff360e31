import { OneOf } from '../wire/schema.ts'

/** Permissions of an app key. Source: the service's specification, §5.4, and the API reference of its other operations. */
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
