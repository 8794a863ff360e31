import type { Member } from '../../platform/accounts/directory.ts'
import type { OncallCall } from '../operation.ts'
import type { Incident } from './schema.ts'
import { type Entry, incidentsOrFail, saveIncident, updateChannel } from './store.ts'

export interface Moment {
  member: Member
  /** Unix time in seconds. */
  now: number
}

/** Undefined if nothing changes. */
export type Changed = { incident: Incident; entries: readonly Entry[] } | undefined

/**
 * Changes all given incidents or none of them, and updates their channels. All incidents must belong to the caller's account.
 * @throws ApiError ResourceNotFound
 */
export async function changeIncidents(
  { caller: { account, member }, resources, now }: OncallCall,
  ids: readonly string[],
  change: (incident: Incident, moment: Moment) => Changed,
): Promise<void> {
  const time = now()
  const moment = { member, now: Math.floor(time / 1000) }
  const author = { accountId: account.id, memberId: member.id, now: time }
  await resources.change(account.id, async (draft) => {
    const channels = new Set<Incident['channel_id']>()
    for (const incident of await incidentsOrFail(draft.transaction, account.id, ids)) {
      const changed = change(incident, moment)
      if (!changed) continue
      await saveIncident(draft, changed.incident, changed.entries, author)
      channels.add(incident.channel_id)
    }
    for (const channel of channels) await updateChannel(draft, account.id, channel)
  })
}

export function withResponders(
  responders: Incident['responders'],
  ids: readonly Incident['creator_id'][],
  now: number,
): Incident['responders'] {
  const known = new Set(responders.map(({ person_id }) => person_id))
  const added = [...new Set(ids)].filter((id) => !known.has(id))
  return [...responders, ...added.map((person_id) => ({ person_id, assigned_at: now, acknowledged_at: 0 }))]
}
