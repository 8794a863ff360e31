import type { Database } from '../../platform/database/database.ts'
import type { IncidentRow } from '../../platform/database/schema.ts'
import { withoutSecrets } from '../../platform/secrets.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'
import { applySeed, type SeededEntry, type SeedWriter, tableWriter } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed.ts'
import type { Incident, SeededIncident } from './schema.ts'
import { newIncident } from './store.ts'

/** Applies the incidents of a seed (see `applySeed`). Their channels keep the seed's values until one of their incidents changes. */
export async function seedIncidents(database: Database, { accounts }: Seed): Promise<void> {
  const accountIds = accounts.map(({ account_id }) => account_id)
  const entries = accounts.flatMap(({ account_id, incidents = [] }) =>
    incidents.map((entry): SeededEntry<IncidentRow> => {
      const incident = seededIncident(entry)
      const { incident_id, channel_id, progress, incident_severity: severity, start_time } = incident
      const document = stringifyJson(withoutSecrets(incident))
      const place = { account_id, channel_id: String(channel_id), progress, severity, start_time }
      return { accountId: account_id, id: incident_id, entry, row: { incident_id, ...place, document } }
    }),
  )
  const remove: SeedWriter<IncidentRow>['remove'] = (on, accountId, id) =>
    on.deleteFrom('incident').where('account_id', '=', accountId).where('incident_id', '=', id).execute()
  await applySeed(database, 'incident', accountIds, entries, tableWriter('incident', ['incident_id'], remove))
}

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
