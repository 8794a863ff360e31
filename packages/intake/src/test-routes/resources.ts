import { randomBytes } from 'node:crypto'
import { reportIncident, SEVERITIES, SeededDatasource } from '../oncall/room.ts'
import { PermissionName, SeededMember } from '../platform/accounts/seeded-account.ts'
import { invalidParameter, noTeam, notFound } from '../platform/errors.ts'
import { Id, OneOf, PositiveId, Type, UnsignedId } from '../platform/wire/schema.ts'
import { defineTestOperation } from './operation.ts'

/**
 * Creates an incident. Unlike the service's own operation, it does not require the permission for `/incident/create`. The response contains
 * the runs that the incident started.
 */
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

const KEY_LENGTH = { en: 'A key must have 8 to 200 characters.', zh: 'Key 的长度须为 8 到 200 个字符。' }

/** If a datasource with the same id exists, it is replaced. */
export const testDatasource = defineTestOperation({
  path: '/__test/datasource',
  name: 'test:write:datasource',
  title: { en: 'Create or replace a datasource', zh: '创建或替换数据源' },
  body: SeededDatasource,
  example: { id: 11, type_ident: 'loki', name: 'Logs', address: 'http://loki.example.com:3100' },
  async run({ caller: { account }, resources }, datasource) {
    await resources.change(account.id, (draft) => draft.put('datasource', datasource))
  },
})

export const testDatasourceDelete = defineTestOperation({
  path: '/__test/datasource/delete',
  name: 'test:write:datasource-delete',
  title: { en: 'Delete a datasource', zh: '删除数据源' },
  body: Type.Object({ id: UnsignedId }),
  example: { id: 11 },
  async run({ caller: { account }, resources }, { id }) {
    await resources.change(account.id, async (draft) => {
      if (!draft.resources.datasource.has(id)) throw notFound('id', id)
      await draft.remove('datasource', id)
    })
  },
})

/** If a member with the same id exists, it is replaced. */
export const testMember = defineTestOperation({
  path: '/__test/member',
  name: 'test:write:member',
  title: { en: 'Create or replace a member', zh: '创建或替换成员' },
  body: SeededMember,
  example: { person_id: 80014, name: 'Dave', role: 'member', team_ids: [123], email: 'dave@example.com' },
  async run({ caller: { account }, resources }, member) {
    await resources.change(account.id, async (draft) => {
      const unknown = member.team_ids?.find((id) => !draft.resources.team.has(id))
      if (unknown !== undefined) throw noTeam('team_ids', unknown)
      await draft.put('member', member)
    })
  },
})

/** The app keys of the member become invalid. */
export const testMemberDelete = defineTestOperation({
  path: '/__test/member/delete',
  name: 'test:write:member-delete',
  title: { en: 'Delete a member', zh: '删除成员' },
  body: Type.Object({ person_id: Id }),
  example: { person_id: 80014 },
  async run({ caller: { account }, resources }, { person_id }) {
    await resources.change(account.id, async (draft) => {
      if (!draft.resources.member.has(person_id)) throw notFound('person_id', person_id)
      await draft.remove('member', person_id)
    })
  },
})

/** Adds an app key that is valid until the next reset or until the intake ends. If the key already exists, its permissions are replaced. */
export const testAppKey = defineTestOperation({
  path: '/__test/app-key',
  name: 'test:write:app-key',
  title: { en: 'Create an app key', zh: '创建 APP Key' },
  body: Type.Object({
    /** 8 to 200 characters. Default: a random key. */
    key: Type.Optional(Type.String()),
    person_id: Id,
    /** Default: no permissions. */
    permissions: Type.Optional(Type.Array(PermissionName)),
  }),
  data: Type.Object({ key: Type.String() }),
  example: { key: 'bob-app-key', person_id: 80012, permissions: ['Incidents Read'] },
  run({ caller: { account }, directory }, { key = randomBytes(20).toString('hex'), person_id, permissions = [] }) {
    if (key.length < 8 || key.length > 200) throw invalidParameter('key', KEY_LENGTH)
    if (!account.members.has(person_id))
      throw invalidParameter('person_id', { en: `Member not found: ${person_id}.`, zh: `成员 ${person_id} 不存在。` })
    directory.addAppKey(key, account.id, person_id, permissions)
    return { key }
  },
})
