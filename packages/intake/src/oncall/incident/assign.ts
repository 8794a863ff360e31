import { invalidParameter } from '../../platform/errors.ts'
import { Id, ObjectId, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { changeIncidents, withResponders } from './change.ts'
import { Assignment, IncidentIds } from './schema.ts'

/** Replaces the previous responders. */
export const incidentAssign = defineOperation({
  path: '/incident/assign',
  name: 'incident:write:assign',
  title: { en: 'Assign incident', zh: '分派故障' },
  permissions: ['Incidents Manage'],
  body: Type.Object({
    incident_id: Type.Optional(ObjectId),
    incident_ids: Type.Optional(IncidentIds),
    assigned_to: Assignment,
  }),
  data: Type.Object({}),
  example: { incident_ids: ['69da451ef77b1b51f40e83ee'], assigned_to: { type: 'assign', person_ids: [80011] } },
  async run(call, { incident_id, incident_ids = [], assigned_to }) {
    const ids = incident_id === undefined ? incident_ids : [incident_id, ...incident_ids]
    if (ids.length === 0) throw invalidParameter('incident_ids')
    const { person_ids = [] } = assigned_to
    await changeIncidents(call, ids, (incident, { now }) => ({
      incident: {
        ...incident,
        assigned_to: { ...assigned_to, type: assigned_to.type || 'assign', assigned_at: now },
        responders: withResponders([], person_ids, now),
      },
      entries: [{ type: 'i_assign', detail: { ...assigned_to, to: person_ids } }],
    }))
    return {}
  },
})

export const incidentResponderAdd = defineOperation({
  path: '/incident/responder/add',
  name: 'incident:write:responder-add',
  title: { en: 'Add incident responder', zh: '添加故障处理人' },
  permissions: ['Incidents Manage'],
  body: Type.Object({ incident_id: ObjectId, person_ids: Type.Array(Id, { minItems: 1, maxItems: 100 }) }),
  data: Type.Object({}),
  example: { incident_id: '69da451ef77b1b51f40e83ee', person_ids: [80012] },
  async run(call, { incident_id, person_ids }) {
    await changeIncidents(call, [incident_id], (incident, { now }) => ({
      incident: { ...incident, responders: withResponders(incident.responders, person_ids, now) },
      entries: [{ type: 'i_a_rspd', detail: { to: person_ids } }],
    }))
    return {}
  },
})
