import { notFound } from '../../platform/errors.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, ObjectId, OneOf, type Static, Type } from '../../platform/wire/schema.ts'
import { SEVERITIES, type Severity } from '../automation-rule/schema.ts'
import { defineOperation, type OncallCall } from '../operation.ts'
import { objectId } from '../resource/object-id.ts'
import { Assignment } from './schema.ts'
import { type Entry, newIncident, saveIncident, updateChannel } from './store.ts'

interface Report {
  /** 0 means no channel. */
  channelId: Int64
  severity: Severity
  title: string
  description?: string
  assigned?: Static<typeof Assignment>
}

/**
 * Creates an incident, updates its channel, and triggers the matching automation rules.
 * @throws ApiError ResourceNotFound if the channel does not exist.
 */
export async function reportIncident(
  { automation, caller: { account, member }, resources, now }: OncallCall,
  { channelId, severity, title, description = '', assigned = {} }: Report,
): Promise<{ incidentId: string; runIds: string[] }> {
  const time = now()
  const { person_ids = [] } = assigned
  const named = { incident_id: objectId(time), channel_id: channelId, title, description, incident_severity: severity }
  const incident = {
    ...newIncident(named, Math.floor(time / 1000), { ...assigned, type: assigned.type || 'assign' }),
    creator_id: member.id,
  }
  const entries: Entry[] = [
    { type: 'i_new', detail: { severity, title } },
    ...(person_ids.length > 0 ? [{ type: 'i_assign' as const, detail: { ...assigned, to: person_ids } }] : []),
  ]
  await resources.change(account.id, async (draft) => {
    if (channelId !== 0 && !draft.resources.channel.has(channelId)) throw notFound('channel_id', channelId)
    await saveIncident(draft, incident, entries, { accountId: account.id, memberId: member.id, now: time })
    await updateChannel(draft, account.id, channelId)
  })
  const { incident_id } = incident
  const seen = { incident_id, channel_id: channelId, severity, title }
  return { incidentId: incident_id, runIds: await automation.reportIncident(account.id, seen) }
}

export const incidentCreate = defineOperation({
  path: '/incident/create',
  name: 'incident:write:create',
  title: { en: 'Create incident', zh: '创建故障' },
  permissions: ['Incidents Manage'],
  body: Type.Object({
    incident_severity: OneOf(SEVERITIES),
    title: Type.Optional(Type.String({ maxLength: 512 })),
    description: Type.Optional(Type.String({ maxLength: 6144 })),
    /** 0 means no channel. */
    channel_id: Type.Optional(Id),
    assigned_to: Type.Optional(Assignment),
  }),
  data: Type.Object({ incident_id: ObjectId, title: Type.String() }),
  example: { incident_severity: 'Critical', title: 'Checkout is down', channel_id: 456 },
  async run(call, { incident_severity: severity, title = '', description = '', channel_id = 0, assigned_to = {} }) {
    const report = { channelId: channel_id, severity, title, description, assigned: assigned_to }
    const { incidentId } = await reportIncident(call, report)
    return { incident_id: incidentId, title }
  },
})
