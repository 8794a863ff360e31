import { invalidParameter, type Localized } from '../../platform/errors.ts'
import {
  Id,
  ObjectId,
  type ObjectSchema,
  Optional,
  type Schema,
  type Static,
  Type,
} from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { type Changed, changeIncidents, type Moment, withResponders } from './change.ts'
import { Assignment, type Incident, IncidentIds } from './schema.ts'

const IDS = ['69da451ef77b1b51f40e83ee']

interface Transition<S extends Schema> {
  action: string
  title: Localized
  fields?: S
  example?: object
  change(incident: Incident, moment: Moment, body: Static<S>): Changed
}

function transition<S extends Schema>({ action, title, fields, example = {}, change }: Transition<S>) {
  return defineOperation({
    path: `/incident/${action}`,
    name: `incident:write:${action}`,
    title,
    permissions: ['Incidents Manage'],
    body: Type.Extended((fields ?? Type.Object({})) as unknown as ObjectSchema, { incident_ids: IncidentIds }),
    example: { incident_ids: IDS, ...example },
    async run(call, body) {
      const { incident_ids } = body as { incident_ids: string[] }
      await changeIncidents(call, incident_ids, (incident, moment) => change(incident, moment, body as Static<S>))
    },
  })
}

/** The caller becomes a responder of the incident. */
export const incidentAck = transition({
  action: 'ack',
  title: { en: 'Acknowledge incident', zh: '认领故障' },
  change(incident, { member, now }) {
    if (incident.progress === 'Closed') return undefined
    const responders = withResponders(incident.responders, [member.id], now).map((one) =>
      one.person_id === member.id ? { ...one, acknowledged_at: now } : one,
    )
    return {
      incident: { ...incident, progress: 'Processing', ack_time: incident.ack_time || now, responders },
      entries: [{ type: 'i_ack', detail: { progress: 'Processing' } }],
    }
  },
})

const unacknowledged = ({ responders }: Incident) => ({
  ack_time: 0,
  responders: responders.map((one) => ({ ...one, acknowledged_at: 0 })),
})

export const incidentUnack = transition({
  action: 'unack',
  title: { en: 'Unacknowledge incident', zh: '取消认领故障' },
  change(incident) {
    if (incident.progress !== 'Processing') return undefined
    return {
      incident: { ...incident, progress: 'Triggered', ...unacknowledged(incident) },
      entries: [{ type: 'i_unack', detail: { progress: 'Triggered' } }],
    }
  },
})

export const incidentResolve = transition({
  action: 'resolve',
  title: { en: 'Resolve incident', zh: '关闭故障' },
  fields: Optional({
    root_cause: Type.String({ maxLength: 6144 }),
    resolution: Type.String({ maxLength: 6144 }),
  }),
  change(incident, { member, now }, { root_cause = incident.root_cause, resolution = incident.resolution }) {
    if (incident.progress === 'Closed') return undefined
    const closed = { progress: 'Closed' as const, close_time: now, end_time: now, closer_id: member.id }
    return {
      incident: { ...incident, ...closed, snoozed_before: 0, root_cause, resolution },
      entries: [{ type: 'i_rslv', detail: { from: 'console' } }],
    }
  },
})

export const incidentReopen = transition({
  action: 'reopen',
  title: { en: 'Reopen incident', zh: '重新打开故障' },
  fields: Optional({ reason: Type.String({ maxLength: 1024 }) }),
  change(incident, _, { reason = '' }) {
    if (incident.progress !== 'Closed') return undefined
    const open = { progress: 'Triggered' as const, close_time: 0, end_time: 0, closer_id: 0 }
    return {
      incident: { ...incident, ...open, ...unacknowledged(incident) },
      entries: [{ type: 'i_reopen', detail: { reason } }],
    }
  },
})

/** Incidents can be snoozed for at most one day. */
export const incidentSnooze = transition({
  action: 'snooze',
  title: { en: 'Snooze incident', zh: '暂缓故障' },
  fields: Type.Object({ minutes: Type.Integer({ minimum: 1, maximum: 1440 }) }),
  example: { minutes: 30 },
  change(incident, { now }, { minutes }) {
    if (incident.progress === 'Closed') return undefined
    return {
      incident: { ...incident, snoozed_before: now + minutes * 60 },
      entries: [{ type: 'i_snooze', detail: { minutes } }],
    }
  },
})

export const incidentWake = transition({
  action: 'wake',
  title: { en: 'Wake incident', zh: '取消暂缓故障' },
  change(incident) {
    const { snoozed_before: snoozedBefore } = incident
    if (snoozedBefore === 0) return undefined
    return { incident: { ...incident, snoozed_before: 0 }, entries: [{ type: 'i_wake', detail: { snoozedBefore } }] }
  },
})

export const incidentComment = transition({
  action: 'comment',
  title: { en: 'Add comment to incident', zh: '评论故障' },
  fields: Type.Object({
    comment: Type.String({ minLength: 1, maxLength: 1024 }),
    mute_reply: Type.Optional(Type.Boolean()),
  }),
  example: { comment: 'Looking at it' },
  change: (incident, _, { comment, mute_reply = false }) => ({
    incident,
    entries: [{ type: 'i_comm', detail: { comment, mute_reply } }],
  }),
})

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
  example: { incident_ids: IDS, assigned_to: { type: 'assign', person_ids: [80011] } },
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
  },
})

export const incidentResponderAdd = defineOperation({
  path: '/incident/responder/add',
  name: 'incident:write:responder-add',
  title: { en: 'Add incident responder', zh: '添加故障处理人' },
  permissions: ['Incidents Manage'],
  body: Type.Object({ incident_id: ObjectId, person_ids: Type.Array(Id, { minItems: 1, maxItems: 100 }) }),
  example: { incident_id: IDS[0], person_ids: [80012] },
  async run(call, { incident_id, person_ids }) {
    await changeIncidents(call, [incident_id], (incident, { now }) => ({
      incident: { ...incident, responders: withResponders(incident.responders, person_ids, now) },
      entries: [{ type: 'i_a_rspd', detail: { to: person_ids } }],
    }))
  },
})
