import { Id, ObjectId, OneOf, Type } from '../../platform/wire/schema.ts'
import { SEVERITIES } from '../automation-rule/schema.ts'
import { defineOperation } from '../operation.ts'
import { reportIncident } from './report.ts'
import { Assignment } from './schema.ts'

/** Triggers the automation rules that watch its channel and severity. */
export const incidentCreate = defineOperation({
  path: '/incident/create',
  name: 'incident:write:create',
  title: { en: 'Create incident', zh: '创建故障' },
  permissions: ['Incidents Manage'],
  body: Type.Object({
    incident_severity: OneOf(SEVERITIES),
    title: Type.Optional(Type.String({ maxLength: 512 })),
    description: Type.Optional(Type.String({ maxLength: 6144 })),
    /** 0 or omitted: no channel. */
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
