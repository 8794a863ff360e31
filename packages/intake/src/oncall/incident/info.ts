import { notFound } from '../../platform/errors.ts'
import { ObjectId, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { toItem } from './item.ts'
import { IncidentIds, IncidentItem } from './schema.ts'
import { findIncidents } from './store.ts'

const INCIDENT_ID = '69da451ef77b1b51f40e83ee'

export const incidentInfo = defineOperation({
  path: '/incident/info',
  name: 'incident:read:info',
  title: { en: 'Get incident detail', zh: '查看故障详情' },
  permissions: ['Incidents Read', 'Incidents Manage'],
  body: Type.Object({ incident_id: ObjectId }),
  data: IncidentItem,
  example: { incident_id: INCIDENT_ID },
  async run({ database, caller: { account }, resources }, { incident_id }) {
    const [incident] = await findIncidents(database.db, account.id, [incident_id])
    if (!incident) throw notFound('incident_id', incident_id)
    return toItem(incident, account, await resources.of(account.id))
  },
})

/** In the requested order. Unknown ids are skipped. */
export const incidentListByIds = defineOperation({
  path: '/incident/list-by-ids',
  name: 'incident:read:list-by-ids',
  title: { en: 'List incidents by ids', zh: '按 ID 查看故障' },
  permissions: ['Incidents Read', 'Incidents Manage'],
  body: Type.Object({ incident_ids: IncidentIds }),
  data: Type.Object({ items: Type.Array(IncidentItem), total: Type.Integer(), has_next_page: Type.Boolean() }),
  example: { incident_ids: [INCIDENT_ID] },
  async run({ database, caller: { account }, resources }, { incident_ids }) {
    const found = await findIncidents(database.db, account.id, incident_ids)
    const owned = await resources.of(account.id)
    const items = found.map((incident) => toItem(incident, account, owned))
    return { items, total: items.length, has_next_page: false }
  },
})
