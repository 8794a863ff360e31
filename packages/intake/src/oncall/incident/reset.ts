import { invalidParameter } from '../../platform/errors.ts'
import { ObjectId, OneOf, Optional, Type } from '../../platform/wire/schema.ts'
import { SEVERITIES } from '../automation-rule/schema.ts'
import { defineOperation } from '../operation.ts'
import { changeIncidents } from './change.ts'
import type { EventType } from './schema.ts'
import { IncidentIds } from './schema.ts'
import { incidentsOrFail, updateChannel } from './store.ts'

const Text = Type.String({ maxLength: 6144 })
const EVENTS = {
  title: 'i_r_title',
  description: 'i_r_desc',
  impact: 'i_r_impact',
  root_cause: 'i_r_rc',
  resolution: 'i_r_rsltn',
  incident_severity: 'i_r_severity',
} as const satisfies Record<string, EventType>

type Field = keyof typeof EVENTS

/** Omitted fields are not changed. At least one field is required. */
export const incidentReset = defineOperation({
  path: '/incident/reset',
  name: 'incident:write:reset',
  title: { en: 'Update incident fields', zh: '更新故障信息' },
  permissions: ['Incidents Manage'],
  body: Type.Extended(
    Optional({
      title: Type.String({ minLength: 1, maxLength: 512 }),
      description: Text,
      impact: Text,
      root_cause: Text,
      resolution: Text,
      incident_severity: OneOf(SEVERITIES),
    }),
    { incident_id: ObjectId },
  ),
  example: { incident_id: '69da451ef77b1b51f40e83ee', title: 'Checkout is slow', incident_severity: 'Warning' },
  async run(call, { incident_id, ...changes }) {
    const fields = Object.keys(EVENTS).filter((field) => changes[field as Field] !== undefined) as Field[]
    if (fields.length === 0)
      throw invalidParameter('title', { en: 'The request must change at least one field.', zh: '没有要更新的字段。' })
    await changeIncidents(call, [incident_id], (incident) => {
      const differing = fields.filter((field) => changes[field] !== incident[field])
      const entryOf = (field: Field) => ({ type: EVENTS[field], detail: { from: incident[field], to: changes[field] } })
      return { incident: { ...incident, ...changes }, entries: differing.map(entryOf) }
    })
  },
})

/** Any field name is valid, because the intake does not define custom fields. */
export const incidentFieldReset = defineOperation({
  path: '/incident/field/reset',
  name: 'incident:write:field-reset',
  title: { en: 'Update incident custom field', zh: '更新故障自定义字段' },
  permissions: ['Incidents Manage'],
  body: Type.Object({
    incident_id: ObjectId,
    field_name: Type.String({ pattern: '^[A-Za-z0-9_]{1,40}$' }),
    /** If omitted, the field is cleared. */
    field_value: Type.Optional(Type.Unknown()),
  }),
  example: { incident_id: '69da451ef77b1b51f40e83ee', field_name: 'env', field_value: 'production' },
  async run(call, { incident_id, field_name, field_value = null }) {
    await changeIncidents(call, [incident_id], (incident) => ({
      incident: { ...incident, fields: { ...incident.fields, [field_name]: field_value } },
      entries: [{ type: 'i_r_field', detail: { field_name, to: field_value } }],
    }))
  },
})

export const incidentRemove = defineOperation({
  path: '/incident/remove',
  name: 'incident:write:remove',
  title: { en: 'Delete incident', zh: '删除故障' },
  permissions: ['Incidents Manage'],
  isDangerous: true,
  body: Type.Object({ incident_ids: IncidentIds }),
  example: { incident_ids: ['69da451ef77b1b51f40e83ee'] },
  async run({ caller: { account }, resources }, { incident_ids }) {
    await resources.change(account.id, async (draft) => {
      const found = await incidentsOrFail(draft.transaction, account.id, incident_ids)
      const ids = found.map(({ incident_id }) => incident_id)
      await draft.transaction.deleteFrom('incident').where('incident_id', 'in', ids).execute()
      for (const channel of new Set(found.map(({ channel_id }) => channel_id)))
        await updateChannel(draft, account.id, channel)
    })
  },
})
