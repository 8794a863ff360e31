import { parseJson } from '../../platform/wire/int64.ts'
import { Anything, ObjectId, OneOf, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { EVENT_TYPES, IncidentEvent } from './schema.ts'
import { incidentsOrFail } from './store.ts'

export const incidentFeed = defineOperation({
  path: '/incident/feed',
  name: 'incident:read:feed',
  title: { en: 'Get incident timeline', zh: '查看故障时间线' },
  permissions: ['Incidents Read', 'Incidents Manage'],
  body: Type.Object({
    incident_id: ObjectId,
    p: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    asc: Type.Optional(Type.Boolean()),
    types: Type.Optional(Type.Array(OneOf(EVENT_TYPES))),
  }),
  data: Type.Object({ items: Type.Array(IncidentEvent), has_next_page: Type.Boolean() }),
  example: { incident_id: '69da451ef77b1b51f40e83ee', limit: 20, asc: true },
  async run({ database: { db, scans }, caller: { account } }, { incident_id, p = 1, limit = 20, asc = false, types }) {
    const [incident] = await incidentsOrFail(db, account.id, [incident_id])
    let found = scans
      .selectFrom('incident_event')
      .select('document')
      .where('account_id', '=', account.id)
      .where('incident_id', '=', incident?.incident_id ?? '')
    if (types?.length) found = found.where('type', 'in', types)
    const rows = await found
      .orderBy('seq', asc ? 'asc' : 'desc')
      .offset((p - 1) * limit)
      .limit(limit + 1)
      .execute()
    const items = rows.slice(0, limit).map(({ document }) => parseJson(document) as IncidentEvent)
    return { items, has_next_page: rows.length > limit }
  },
})

/** Incidents in the intake have no alerts, so the list is always empty. */
export const incidentAlertList = defineOperation({
  path: '/incident/alert/list',
  name: 'incident:read:alert-list',
  title: { en: 'List alerts of incident', zh: '查看故障告警' },
  permissions: ['Incidents Read', 'Incidents Manage'],
  body: Type.Object({
    incident_id: ObjectId,
    p: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    is_active: Type.Optional(Type.Boolean()),
    include_events: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({ items: Type.Array(Anything), total: Type.Integer() }),
  example: { incident_id: '69da451ef77b1b51f40e83ee' },
  async run({ database, caller: { account } }, { incident_id }) {
    await incidentsOrFail(database.db, account.id, [incident_id])
    return { items: [], total: 0 }
  },
})
