import Type from 'typebox'
import { notFound } from '../../platform/errors.ts'
import { OneOf, PositiveId } from '../../platform/wire/schema.ts'
import { SEVERITIES } from '../automation-rule/schema.ts'
import { defineOperation } from '../operation.ts'

/** Not of the service: stands in for an incident of a channel, so that on-call triggers can be tried. */
export const testIncident = defineOperation({
  path: '/__test/incident',
  name: 'test-incident:write:report',
  title: { en: 'Report an incident (test)', zh: '上报故障（测试）' },
  body: Type.Object({
    channel_id: PositiveId,
    severity: OneOf(SEVERITIES),
    title: Type.Optional(Type.String({ maxLength: 1000 })),
  }),
  data: Type.Object({ run_ids: Type.Array(Type.String()) }),
  example: { channel_id: 456, severity: 'Critical', title: 'Checkout is down' },
  async run({ automation, caller: { account }, resourcesOf }, incident) {
    if (!resourcesOf(account.id).channels.has(incident.channel_id)) throw notFound('channel_id', incident.channel_id)
    return { run_ids: await automation.reportIncident(account.id, incident) }
  },
})
