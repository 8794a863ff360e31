import type { Account } from '../../platform/accounts/directory.ts'
import { notFound } from '../../platform/errors.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { ObjectId, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import type { Resources } from '../resource/resources.ts'
import { type Incident, IncidentIds, IncidentItem } from './schema.ts'
import { findIncidents } from './store.ts'

export function toItem(
  incident: Incident,
  account: Account,
  { channel: channels, member: members }: Resources,
): IncidentItem {
  const { incident_id, channel_id, progress, incident_severity, responders, creator_id, closer_id } = incident
  const channel = channels.get(channel_id)
  const nameOf = (id: Int64) => {
    const { name, email = '' } = members.get(id) ?? {}
    return name === undefined ? {} : { person_name: name, email, as: 'member' }
  }
  const personOf = (id: Int64) => ({ person_id: id, ...nameOf(id) })
  return {
    ...incident,
    num: incident_id.slice(-6).toUpperCase(),
    account_id: account.id,
    account_name: account.name,
    account_locale: 'en-US',
    account_time_zone: account.timezone,
    channel_name: channel?.channel_name ?? '',
    channel_status: channel ? (channel.status ?? 'enabled') : '',
    incident_status: progress === 'Closed' ? 'Ok' : incident_severity,
    last_time: incident.updated_at,
    owner_id: 0,
    ...(creator_id !== 0 && { creator: personOf(creator_id) }),
    ...(closer_id !== 0 && { closer: personOf(closer_id) }),
    responders: responders.map((responder) => ({ ...responder, ...nameOf(responder.person_id) })),
    detail_url: `/incident/detail/${incident_id}`,
    silence_url: channel ? `/channel/detail/${channel_id}?tab=alertSuppression&fromIncidentId=${incident_id}` : '',
    ...NONE,
  }
}

const NONE = {
  integration_id: 0,
  integration_ids: [],
  integration_types: [],
  dedup_key: '',
  equals_md5: '',
  ai_summary: '',
  group_method: 'n' as const,
  ever_muted: false,
  labels: {},
  alert_cnt: 0,
  active_alert_cnt: 0,
  alert_event_cnt: 0,
  post_mortem_id: '',
  images: null,
  manual_overrides: [],
}

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

/** Returns incidents in the requested order and skips unknown ids. */
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
