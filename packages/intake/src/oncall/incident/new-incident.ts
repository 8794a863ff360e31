import type { Incident } from './schema.ts'

type Named = Pick<Incident, 'incident_id' | 'channel_id' | 'title' | 'description' | 'incident_severity'>

/** The initial state of an incident. */
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
