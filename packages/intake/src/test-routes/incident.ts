import { reportIncident, SEVERITIES } from '../oncall/room.ts'
import { OneOf, PositiveId, Type } from '../platform/wire/schema.ts'
import { defineTestOperation } from './operation.ts'

/** Not part of the service: creates an incident without the permission for `/incident/create`, and returns the runs it started. */
export const testIncident = defineTestOperation({
  path: '/__test/incident',
  name: 'test:write:incident',
  title: { en: 'Report an incident (test)', zh: '上报故障（测试）' },
  body: Type.Object({
    channel_id: PositiveId,
    severity: OneOf(SEVERITIES),
    title: Type.Optional(Type.String({ maxLength: 512 })),
  }),
  data: Type.Object({ incident_id: Type.String(), run_ids: Type.Array(Type.String()) }),
  example: { channel_id: 456, severity: 'Critical', title: 'Checkout is down' },
  async run(call, { channel_id: channelId, severity, title = '' }) {
    const { incidentId, runIds } = await reportIncident(call, { channelId, severity, title })
    return { incident_id: incidentId, run_ids: runIds }
  },
})
