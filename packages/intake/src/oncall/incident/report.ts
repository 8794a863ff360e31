import { notFound } from '../../platform/errors.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import type { Static } from '../../platform/wire/schema.ts'
import type { Severity } from '../automation-rule/schema.ts'
import type { OncallCall } from '../operation.ts'
import { objectId } from '../resource/object-id.ts'
import { newIncident } from './new-incident.ts'
import type { Assignment } from './schema.ts'
import { type Entry, saveIncident, updateChannel } from './store.ts'

interface Report {
  /** 0 means no channel. */
  channelId: Int64
  severity: Severity
  title: string
  description?: string
  assigned?: Static<typeof Assignment>
}

/**
 * Creates an incident, updates its channel, and triggers the automation rules that watch for it.
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
