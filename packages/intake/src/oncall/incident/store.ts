import type { Kysely } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { IncidentRow, Tables } from '../../platform/database/schema.ts'
import { notFound } from '../../platform/errors.ts'
import { withoutSecrets } from '../../platform/secrets.ts'
import { type Int64, parseJson, stringifyJson } from '../../platform/wire/int64.ts'
import { SEVERITIES } from '../automation-rule/schema.ts'
import type { Draft } from '../resource/store.ts'
import { applySeed } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed.ts'
import type { EventType, Incident, IncidentEvent, SeededIncident } from './schema.ts'

type Named = Pick<Incident, 'incident_id' | 'channel_id' | 'title' | 'description' | 'incident_severity'>

export function newIncident(
  named: Named,
  seconds: number,
  assigned: Omit<Incident['assigned_to'], 'assigned_at'>,
): Incident {
  const { person_ids = [] } = assigned
  return {
    ...named,
    progress: 'Triggered',
    start_time: seconds,
    end_time: 0,
    ack_time: 0,
    close_time: 0,
    creator_id: 0,
    closer_id: 0,
    snoozed_before: 0,
    impact: '',
    root_cause: '',
    resolution: '',
    fields: {},
    assigned_to: { ...assigned, assigned_at: seconds },
    responders: person_ids.map((person_id) => ({ person_id, assigned_at: seconds, acknowledged_at: 0 })),
    created_at: seconds,
    updated_at: seconds,
  }
}

type Db = Pick<Kysely<Tables>, 'selectFrom'>

export async function findIncidents(db: Db, accountId: number, ids: readonly string[]): Promise<Incident[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  if (wanted.length === 0) return []
  const rows = await db
    .selectFrom('incident')
    .select(['incident_id', 'document'])
    .where('account_id', '=', accountId)
    .where('incident_id', 'in', wanted)
    .execute()
  const found = new Map(rows.map(({ incident_id, document }) => [incident_id, read(document)]))
  return wanted.flatMap((id) => found.get(id) ?? [])
}

/** @throws ApiError ResourceNotFound for the first missing id. */
export async function incidentsOrFail(db: Db, accountId: number, ids: readonly string[]): Promise<Incident[]> {
  const found = await findIncidents(db, accountId, ids)
  const known = new Set(found.map(({ incident_id }) => incident_id))
  const missing = ids.find((id) => !known.has(id.toLowerCase()))
  if (missing !== undefined) throw notFound('incident_id', missing)
  return found
}

export function read(document: string): Incident {
  return parseJson(document) as Incident
}

export interface Entry {
  type: EventType
  detail: object
}

interface Author {
  accountId: number
  memberId: Int64
  /** Unix time in milliseconds. */
  now: number
}

/** Secrets are removed before the incident is stored. */
function rowOf(incident: Incident): Omit<IncidentRow, 'account_id'> {
  const { incident_id, channel_id, progress, incident_severity: severity, start_time } = incident
  const document = stringifyJson(withoutSecrets(incident))
  return { incident_id, channel_id: String(channel_id), progress, severity, start_time, document }
}

export async function saveIncident(
  { transaction }: Draft,
  given: Incident,
  entries: readonly Entry[],
  { accountId, memberId, now }: Author,
): Promise<void> {
  const { incident_id, ...changed } = rowOf({ ...given, updated_at: Math.floor(now / 1000) })
  await transaction
    .insertInto('incident')
    .values({ incident_id, account_id: accountId, ...changed })
    .onConflict((conflict) => conflict.column('incident_id').doUpdateSet(changed))
    .execute()
  for (const { type, detail } of entries) {
    const entry: IncidentEvent = {
      ref_id: incident_id,
      type,
      detail: withoutSecrets(detail) as Record<string, unknown>,
      account_id: accountId,
      creator_id: memberId,
      created_at: now,
      updated_at: now,
    }
    const row = { account_id: accountId, incident_id, type, document: stringifyJson(entry) }
    await transaction.insertInto('incident_event').values(row).execute()
  }
}

/**
 * Updates the channel's number of open incidents, highest severity and last start time. Values from a seed are kept until the first
 * incident in the channel changes.
 */
export async function updateChannel(draft: Draft, accountId: number, channelId: Int64): Promise<void> {
  const channel = draft.resources.channel.get(channelId)
  if (!channel) return
  const rows = await draft.transaction
    .selectFrom('incident')
    .select(['progress', 'severity'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('start_time').as('last')])
    .where('account_id', '=', accountId)
    .where('channel_id', '=', String(channelId))
    .groupBy(['progress', 'severity'])
    .execute()
  const count = (wanted: string) =>
    rows.reduce((sum, row) => sum + (row.progress === wanted ? Number(row.count) : 0), 0)
  const open = rows.filter(({ progress }) => progress !== 'Closed').map(({ severity }) => severity)
  const last = Math.max(0, ...rows.map((row) => Number(row.last)))
  await draft.put('channel', {
    ...channel,
    progress_to_incident_cnts: { Triggered: count('Triggered'), Processing: count('Processing') },
    active_incident_highest_severity: SEVERITIES.find((severity) => open.includes(severity)) ?? '',
    last_incident_at: last || (channel.last_incident_at ?? 0),
  })
}

/** Applies the incidents from a seed (see `applySeed`). Channels keep their values from the seed until one of their incidents changes. */
export const seedIncidents = (database: Database, seed: Seed): Promise<void> =>
  applySeed(database, seed, {
    table: 'incident',
    kind: 'incident',
    key: ['incident_id'],
    place: (incident_id) => ({ incident_id }),
    entriesOf: ({ account_id, incidents = [] }) =>
      incidents.map((entry) => {
        const incident = seededIncident(entry)
        const { incident_id: id } = incident
        return { id, entry, row: { account_id, ...rowOf(incident) } }
      }),
  })

function seededIncident({ incident_id, severity, start_time, person_ids = [], ...rest }: SeededIncident): Incident {
  const { channel_id = 0, title, description = '', progress = 'Triggered' } = rest
  const isClosed = progress === 'Closed'
  const named = { incident_id: incident_id.toLowerCase(), channel_id, title, description, incident_severity: severity }
  return {
    ...newIncident(named, start_time, { type: 'assign', person_ids }),
    progress,
    end_time: isClosed ? start_time : 0,
    ack_time: progress === 'Processing' ? start_time : 0,
    close_time: isClosed ? start_time : 0,
  }
}
