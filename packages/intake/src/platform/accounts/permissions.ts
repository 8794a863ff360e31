import { OneOf } from '../wire/schema.ts'

/** What an app key may be granted. Source: the service's specification, §5.4. */
export const PERMISSIONS = [
  'Audit Read',
  'Schedules Read',
  'Schedules Manage',
  'Datasources Read',
  'Channels Manage',
] as const

export type Permission = (typeof PERMISSIONS)[number]

export const PermissionName = OneOf(PERMISSIONS)
