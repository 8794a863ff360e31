import Type from 'typebox'
import { OneOf, PositiveId } from '../../platform/wire/schema.ts'
import { SEVERITIES } from '../automation-rule/schema.ts'
import { defineOperation } from '../operation.ts'
import { reportIncident } from './report.ts'

/** Not of the service: an incident without the permission that `/incident/create` needs, and which runs it started. */
export const testIncident = defineOperation({
  path: '/__test/incident',
  name: 'test-incident:write:report',
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
